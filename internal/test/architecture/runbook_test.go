package architecture_test

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	alertRule   = regexp.MustCompile(`(?ms)- alert: (\w+)$.*?runbook_url: (\S+)$`)
	heading     = regexp.MustCompile(`(?m)^#+ .*$`)
	histogramOf = regexp.MustCompile(`_(bucket|sum|count)$`)
	panel       = regexp.MustCompile(`panel "([^"]+)"`)
)

// TestEveryAlertHasRunbookPage compares the alerts with the pages of docs/runbook. Every page has the same headings.
// Their metrics exist, and their panels are on the dashboard.
func TestEveryAlertHasRunbookPage(t *testing.T) {
	pages := map[string]bool{}
	names, err := filepath.Glob(filepath.Join(root, "docs", "runbook", "Moothall*.md"))
	for _, name := range names {
		pages["docs/runbook/"+filepath.Base(name)] = true
	}
	alerts := alertRule.FindAllStringSubmatch(read(t, "deploy/observability/alerts.yaml"), -1)
	if err != nil || len(alerts) < 20 {
		t.Fatalf("found %d alerts; %v", len(alerts), err)
	}
	service, dashboard := metricsOfService(t), read(t, "deploy/observability/dashboard.json")
	for _, a := range alerts {
		if want := "docs/runbook/" + a[1] + ".md"; a[2] != want || !pages[want] {
			t.Errorf("%s: runbook_url is %s, want %s; pages: %v", a[1], a[2], want, slices.Sorted(maps.Keys(pages)))
			continue
		}
		delete(pages, a[2])
		checkRunbookPage(t, a[2], a[1], service, dashboard)
	}
	for page := range pages {
		t.Errorf("%s: there is no such alert", page)
	}
}

func checkRunbookPage(t *testing.T, name, alert string, service map[string]bool, dashboard string) {
	t.Helper()
	page := read(t, name)
	want := []string{"# " + alert, "## What it means", "## Who notices", "## Look at", "## Do now", "## Prevent"}
	if headings := heading.FindAllString(page, -1); !slices.Equal(headings, want) {
		t.Errorf("%s has the headings %q, want %q", name, headings, want)
	}
	if _, look, _ := strings.Cut(page, "## Look at\n\n"); !strings.HasPrefix(look, "```") {
		t.Errorf("%s: Look at begins with no command or query", name)
	}
	for _, metric := range regexp.MustCompile(`\bmoothall_[a-z_]+`).FindAllString(page, -1) {
		if !service[metric] && !service[histogramOf.ReplaceAllString(metric, "")] {
			t.Errorf("%s: there is no metric %s", name, metric)
		}
	}
	for _, p := range panel.FindAllStringSubmatch(strings.ReplaceAll(page, "\n", " "), -1) {
		if !strings.Contains(dashboard, `"title": "`+p[1]+`"`) {
			t.Errorf("%s: the dashboard has no panel %q", name, p[1])
		}
	}
}
