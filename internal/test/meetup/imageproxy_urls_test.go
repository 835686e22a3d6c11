package meetup_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"moothall/internal/test/outboundtest"
)

// TestRefusedURLs checks that the proxy connects to no private address for any URL of
// the list.
func TestRefusedURLs(t *testing.T) {
	t.Parallel()
	w := outboundtest.New(t, func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusNotFound) })
	many := make([]string, 100)
	for i := range many {
		many[i] = fmt.Sprintf("10.0.0.%d", i)
	}
	answers := 0
	maps.Copy(w.Names, map[string]func() []string{
		"127-0-0-1.sslip.io": outboundtest.Always("127.0.0.1"), "lvh.me": outboundtest.Always("127.0.0.1"),
		"cname.test": outboundtest.Always("127.0.0.1"),
		"nat64.test": outboundtest.Always(), "bigdns.test": outboundtest.Always(many...), "moothall.test": outboundtest.Always("127.0.0.1"),
		"rebind.test": func() []string {
			if answers++; answers == 1 {
				return []string{outboundtest.Public}
			}
			return []string{"127.0.0.1"}
		},
	})
	a := newApp(t, w).Anonymous().Allow5xx()
	for _, row := range outboundtest.URLs(t, "moothall.test") {
		before := w.Connections()
		got := a.Get(proxied(row.URL)).Status
		connected := w.Connections() - before
		good := got == 400 && connected == 0
		switch row.Expect {
		case "REFUSE":
			good = (got == 400 || got == 502) && (connected == 0 || strings.Contains(row.URL, "rebind"))
		case "ALLOW":
			good = got != 400 && connected > 0
		}
		if !good {
			t.Errorf("%s %.80q: %d after %d connections (%s)", row.Expect, row.URL, got, connected, row.Why)
		}
	}
}
