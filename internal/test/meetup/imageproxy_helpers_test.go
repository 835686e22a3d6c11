package meetup_test

import (
	"net/url"
	"os"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/outboundtest"
)

// newApp runs the service with a network, on one engine: the proxy does not use the database.
func newApp(t *testing.T, w *outboundtest.Network, options ...apptest.Option) *apptest.App {
	t.Helper()
	return apptest.New(t, db.SQLite, append(options, apptest.Outbound(w.Outbound()))...)
}

// proxied returns the path of an image.
func proxied(address string) string { return "/images/proxy?url=" + url.QueryEscape(address) }

// rows reads the columns of a list of checks, without comments.
func rows(t *testing.T, name string) [][]string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var list [][]string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, "\n"); line != "" && !strings.HasPrefix(line, "#") {
			list = append(list, strings.Split(line, "\t"))
		}
	}
	return list
}
