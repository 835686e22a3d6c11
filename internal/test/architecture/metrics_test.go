package architecture_test

import (
	"go/ast"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	metricName = regexp.MustCompile("^moothall_[a-z_]+$")
	metricRow  = regexp.MustCompile("(?m)^\\| `(moothall_[a-z_]+)` \\|")
)

// metricsOfService returns the names of the metrics in the files that import Prometheus.
func metricsOfService(t *testing.T) map[string]bool {
	names := map[string]bool{}
	for _, f := range project(t) {
		if !slices.Contains(f.imports(), "github.com/prometheus/client_golang/prometheus") {
			continue
		}
		ast.Inspect(f.File, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				if name, ok := text(e); ok && metricName.MatchString(name) {
					names[name] = true
				}
			}
			return true
		})
	}
	return names
}

// TestMetricsAreDocumented compares the metrics of the service with the table in docs/operations.md.
func TestMetricsAreDocumented(t *testing.T) {
	documented := map[string]bool{}
	for _, m := range metricRow.FindAllStringSubmatch(read(t, "docs/operations.md"), -1) {
		documented[m[1]] = true
	}
	service := metricsOfService(t)
	for name := range service {
		if !documented[name] {
			t.Errorf("docs/operations.md: the table of metrics has no %s", name)
		}
	}
	for name := range documented {
		if !service[name] {
			t.Errorf("docs/operations.md: there is no metric %s", name)
		}
	}
	if len(service) < 30 {
		t.Errorf("found only %s", strings.Join(slices.Sorted(maps.Keys(service)), ", "))
	}
}
