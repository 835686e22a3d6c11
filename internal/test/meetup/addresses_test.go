package meetup_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// geocoder is a server that speaks the protocol of Photon or Nominatim, and finds the same street for all words.
type geocoder struct {
	*httptest.Server
	mu    sync.Mutex
	asked []*http.Request
}

func newGeocoder(t *testing.T, answer http.HandlerFunc) *geocoder {
	g := &geocoder{}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		g.asked = append(g.asked, r)
		g.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(g.Close)
	return g
}

func (g *geocoder) setting(kind string) apptest.Option {
	return apptest.Setting("GEOCODER_URL", kind+"+"+g.URL+"/search?key=keyOfTheOperator")
}

func (g *geocoder) requests() []*http.Request {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]*http.Request{}, g.asked...)
}

func photon(w http.ResponseWriter, r *http.Request) {
	_, _ = fmt.Fprintf(w, `{"features":[{"geometry":{"coordinates":[13.4,52.515]},"properties":{"type":"street","name":%q,"city":"Berlin","countrycode":"DE"}}]}`,
		"Street "+r.URL.Query().Get("q"))
}

func nominatim(w http.ResponseWriter, _ *http.Request) {
	_, _ = w.Write([]byte(`[{"lat":"52.515","lon":"13.4","name":"Marktgasse","address":{"road":"Marktgasse","city":"Berlin","country_code":"de"}}]`))
}

// TestGeocoderLearnsNothingAboutUsers searches for words with a trace. The geocoder gets them and a rounded point; the service neither
// logs nor stores them, nor the key of the setting.
func TestGeocoderLearnsNothingAboutUsers(t *testing.T) {
	g := newGeocoder(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Query().Get("q"), "broken") {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		photon(w, r)
	})
	dir := t.TempDir()
	a := apptest.New(t, db.SQLite, g.setting("photon"), apptest.Setting("DATABASE_URL", "sqlite:"+filepath.Join(dir, "m.db")))
	ann := a.As("ann").With("User-Agent", "Browser of Ann").With("X-Forwarded-For", "203.0.113.7")
	found := ann.Get("/places/addresses?q=" + trace + "+1&lat=52.51637&lng=13.37771").Want(http.StatusOK)
	if found.Text("items.0.name") != "Street "+trace+" 1, Berlin, DE" || found.Text("attribution") != "© OpenStreetMap" {
		t.Errorf("found %s", found.Body)
	}
	ann.Get("/places/addresses?entered=true&q=broken+" + trace).Want(http.StatusOK)
	ann.Get("/places/addresses?q=" + trace + strings.Repeat("x", 200)).Want(http.StatusBadRequest)
	asked := g.requests()
	if len(asked) != 2 {
		t.Fatalf("%d requests", len(asked))
	}
	want := url.Values{"key": {"keyOfTheOperator"}, "q": {trace + " 1"}, "limit": {"8"}, "lat": {"52.5"}, "lon": {"13.4"}}
	if got := asked[0].URL.RawQuery; got != want.Encode() {
		t.Errorf("it gets %s, want %s", got, want.Encode())
	}
	for name, values := range asked[0].Header {
		if name != "User-Agent" && name != "Accept" && name != "Accept-Encoding" || strings.Contains(values[0], "Ann") {
			t.Errorf("it gets the header %s: %s", name, values)
		}
	}
	a.RunJobs()
	if left := files(t, dir); len(left) > 0 {
		t.Errorf("stored: %q", left)
	}
	for _, secret := range []string{trace, "keyOfTheOperator"} {
		if log := a.Log(); strings.Contains(log, secret) || !strings.Contains(log, "listAddresses") {
			t.Errorf("%s is in the log, or the log lacks the request:\n%s", secret, log)
		}
	}
}

// limited enables the limits and stops the clock.
var limited = []apptest.Option{apptest.Setting("RATE_LIMITS", "on"), apptest.StartAt(apptest.Today)}

// TestUserFindsSixtyAddressesAMinute sends more searches at the same time, each with other words.
func TestUserFindsSixtyAddressesAMinute(t *testing.T) {
	g := newGeocoder(t, photon)
	a := apptest.New(t, db.SQLite, append(limited, g.setting("photon"))...)
	ann := a.As("ann")
	var served, refused atomic.Int64
	apptest.Concurrently(10, func(i int) {
		for n := range 7 {
			r := ann.Get(fmt.Sprintf("/places/addresses?q=street+%d+%d", i, n))
			switch r.Status {
			case http.StatusOK:
				served.Add(1)
			case http.StatusTooManyRequests:
				refused.Add(1)
			}
		}
	})
	if served.Load() != 60 || refused.Load() != 10 || len(g.requests()) != 60 {
		t.Errorf("%d served, %d refused, the geocoder got %d", served.Load(), refused.Load(), len(g.requests()))
	}
	a.As("ben").Get("/places/addresses?q=other").Want(http.StatusOK)
	a.Clock.Advance(time.Minute)
	ann.Get("/places/addresses?q=later").Want(http.StatusOK)
}

// TestServiceAsksNominatimOnceASecond lets users of two instances search at the same time. Words that are still being typed are not sent.
func TestServiceAsksNominatimOnceASecond(t *testing.T) {
	g := newGeocoder(t, nominatim)
	a := apptest.New(t, db.PostgreSQL, append(limited, apptest.Instances(2), g.setting("nominatim"))...)
	users := []*apptest.Client{a.As("ann"), a.As("ben").On(1), a.As("chloe"), a.As("dana").On(1)}
	typed := users[0].Get("/places/addresses?q=berl").Want(http.StatusOK)
	if typed.Text("items.0.name") != "Berlin, DE" || len(g.requests()) != 0 {
		t.Errorf("while typing: %d requests, %s", len(g.requests()), typed.Body)
	}
	for second := range 2 {
		var served atomic.Int64
		apptest.Concurrently(len(users), func(i int) {
			r := users[i].Get(fmt.Sprintf("/places/addresses?entered=true&q=street+%d+%d", second, i))
			if r.Status == http.StatusOK && r.Text("items.0.name") == "Marktgasse, Berlin, DE" {
				served.Add(1)
			} else {
				r.WantError(http.StatusTooManyRequests, "rate_limited")
			}
		})
		if n := len(g.requests()); served.Load() != 1 || n != second+1 {
			t.Errorf("second %d: %d served, the geocoder got %d in all", second, served.Load(), n)
		}
		a.Clock.Advance(time.Second)
	}
}

// TestSilentGeocoderLeavesCities asks a geocoder that never answers. It gets three requests, and then a rest.
func TestSilentGeocoderLeavesCities(t *testing.T) {
	t.Parallel()
	silent := make(chan struct{})
	g := newGeocoder(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-silent:
		case <-r.Context().Done():
		}
	})
	t.Cleanup(func() { close(silent) })
	a := apptest.New(t, db.SQLite, g.setting("photon"), apptest.StartAt(apptest.Today))
	ann := a.As("ann")
	search := func(i int) {
		r := ann.Get(fmt.Sprintf("/places/addresses?q=berlin&lat=5%d&lng=13", i)).Want(http.StatusOK)
		if r.Text("items.0.city") != "Berlin" || r.Text("attribution") != "GeoNames" {
			t.Errorf("found %s", r.Body)
		}
	}
	apptest.Concurrently(3, search)
	search(4)
	if n := len(g.requests()); n != 3 {
		t.Errorf("%d requests, want 3", n)
	}
}
