#!/bin/sh
# Checks the alert rules with promtool and runs their tests. Then Prometheus scrapes a running service: every query
# of the dashboard and of the alerts must return a result.
set -eu
cd "$(dirname "$0")/.."
scripts/needs.sh observability
(
	cd deploy/observability
	promtool check config prometheus.yaml
	promtool test rules alerts_test.yaml
)
TEST_PROMETHEUS=prometheus "${GO:-go}" test -count=1 -run TestQueriesHaveResults ./internal/test/ops
