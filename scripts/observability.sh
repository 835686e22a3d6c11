#!/bin/sh
# Checks the alert rules by promtool, runs their tests, and lets Prometheus scrape a running service: every query
# of the dashboard and of the alerts must have a result.
set -eu
cd "$(dirname "$0")/.."
scripts/needs.sh observability
(
	cd deploy/observability
	promtool check config prometheus.yaml
	promtool test rules alerts_test.yaml
)
TEST_PROMETHEUS=prometheus "${GO:-go}" test -count=1 -run TestQueriesHaveResults ./internal/app
