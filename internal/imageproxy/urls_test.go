package imageproxy_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"moothall/internal/platform/outbound/outboundtest"
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
		"127-0-0-1.sslip.io": outboundtest.Always("127.0.0.1"), "lvh.me": outboundtest.Always("127.0.0.1"), "cname.test": outboundtest.Always("127.0.0.1"),
		"nat64.test": outboundtest.Always(), "bigdns.test": outboundtest.Always(many...), "moothall.test": outboundtest.Always("127.0.0.1"),
		"rebind.test": func() []string {
			if answers++; answers == 1 {
				return []string{outboundtest.Public}
			}
			return []string{"127.0.0.1"}
		},
	})
	a := newApp(t, w).Anonymous().Allow5xx()
	for _, row := range rows(t, "ssrf_urls.txt") {
		var address string
		if err := json.Unmarshal([]byte(row[1]), &address); err != nil {
			t.Fatalf("%v: %v", row, err)
		}
		address = strings.ReplaceAll(address, "{SELF}", "moothall.test")
		before := w.Connections()
		got := a.Get(proxied(address)).Status
		connected := w.Connections() - before
		good := got == 400 && connected == 0
		switch row[0] {
		case "REFUSE":
			good = (got == 400 || got == 502) && (connected == 0 || strings.Contains(address, "rebind"))
		case "ALLOW":
			good = got != 400 && connected > 0
		}
		if !good {
			t.Errorf("%s %.80q: %d after %d connections (%s)", row[0], address, got, connected, row[2])
		}
	}
}
