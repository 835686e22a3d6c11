package geocode_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/place/geocode"
	"moothall/internal/platform/ratelimit"
)

const photonAnswer = `{"type":"FeatureCollection","features":[
	{"geometry":{"type":"Point","coordinates":[13.3999,52.5172]},"properties":{"type":"house","street":"Unter den Linden","housenumber":"1",
		"city":"Berlin","countrycode":"DE"}},
	{"geometry":{"type":"Point","coordinates":[13.38,52.517]},"properties":{"type":"street","name":"Unter den Linden","city":"Berlin","countrycode":"de"}},
	{"geometry":{"type":"Point","coordinates":[13.38,52.517]},"properties":{"type":"street","name":"Unter den Linden","city":"Berlin","countrycode":"DE"}},
	{"geometry":{"type":"Point","coordinates":[500,52]},"properties":{"type":"street","name":"Nowhere","city":"Berlin"}},
	{"geometry":{"type":"Point"},"properties":{"type":"street","name":"No point"}},
	{"geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":{"type":"city","name":"Berlin","countrycode":"DEU"}}]}`

const nominatimAnswer = `[
	{"lat":"52.5172","lon":"13.3999","name":"Humboldt Forum","address":{"house_number":"1","road":"Schloßplatz","city":"Berlin","country_code":"de"}},
	{"lat":"52.517","lon":"13.38","name":"Unter den Linden","address":{"road":"Unter den Linden","town":"Berlin","country_code":"de"}},
	{"lat":"52.5","lon":"13.4","name":"Berlin","address":{"city":"Berlin","country_code":"de"}},
	{"lat":"north","lon":"13.4","name":"Wrong"}]`

// standIn speaks the protocol of a geocoder and remembers what it is asked.
type standIn struct {
	*httptest.Server
	mu    sync.Mutex
	asked []*http.Request
	now   time.Time
}

func (s *standIn) requests() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

func (s *standIn) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *standIn) pass(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
}

func newStandIn(t *testing.T, kind string, answer http.HandlerFunc) (*standIn, *geocode.Client) {
	s := &standIn{now: time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r)
		s.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	server, err := geocode.ParseServer(kind + "+" + s.URL + "/search?key=secret")
	if err != nil {
		t.Fatal(err)
	}
	limits := ratelimit.New(ratelimit.Options{Clock: domain.Clock(s.clock)})
	return s, geocode.New(server, s.clock, limits)
}

func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) }
}

func TestAnswers(t *testing.T) {
	for _, c := range []struct{ kind, answer, want string }{
		{geocode.Photon, photonAnswer, "house Unter den Linden 1, Berlin, DE|street Unter den Linden, Berlin, DE|city Berlin"},
		{geocode.Nominatim, nominatimAnswer, "house Humboldt Forum, Schloßplatz 1, Berlin, DE|street Unter den Linden, Berlin, DE|city Berlin, DE"},
		{geocode.Photon, `{"features":[]}`, ""},
		{geocode.Nominatim, `[]`, ""},
	} {
		_, client := newStandIn(t, c.kind, says(c.answer))
		found, err := client.Search(t.Context(), "unter den linden", nil, true)
		var got []string
		for _, a := range found {
			got = append(got, a.Kind+" "+a.Name)
		}
		if err != nil || strings.Join(got, "|") != c.want {
			t.Errorf("%s: %q, %v", c.kind, got, err)
		}
	}
}

// TestPrivacy pins all that a geocoder sees of a search.
func TestPrivacy(t *testing.T) {
	for kind, want := range map[string]url.Values{
		geocode.Photon: {"key": {"secret"}, "q": {"Linden 1"}, "limit": {"8"}, "lat": {"52.5"}, "lon": {"13.4"}},
		geocode.Nominatim: {"key": {"secret"}, "q": {"Linden 1"}, "limit": {"8"}, "format": {"jsonv2"}, "addressdetails": {"1"},
			"viewbox": {"12.9,53.0,13.9,52.0"}},
	} {
		s, client := newStandIn(t, kind, says("[]"))
		_, _ = client.Search(t.Context(), "  Linden   1 ", &geocode.Point{Lat: 52.51637, Lng: 13.37771}, true)
		asked := s.requests()
		if len(asked) != 1 {
			t.Fatalf("%s: %d requests", kind, len(asked))
		}
		got, _ := json.Marshal(asked[0].URL.Query())
		expected, _ := json.Marshal(want)
		if string(got) != string(expected) {
			t.Errorf("%s: %s, want %s", kind, got, expected)
		}
		for name := range asked[0].Header {
			if name != "User-Agent" && name != "Accept" && name != "Accept-Encoding" {
				t.Errorf("%s: header %s", kind, name)
			}
		}
	}
}

// TestAnswersStayADay asks for the same words, and for a point in the same tenth of a degree.
func TestAnswersStayADay(t *testing.T) {
	s, client := newStandIn(t, geocode.Photon, says(photonAnswer))
	ask := func(lat float64) {
		t.Helper()
		if found, err := client.Search(t.Context(), "linden", &geocode.Point{Lat: lat, Lng: 13.4}, false); err != nil || len(found) == 0 {
			t.Errorf("%v, %v", found, err)
		}
	}
	ask(52.51)
	s.pass(24*time.Hour - time.Second)
	ask(52.52)
	if n := len(s.requests()); n != 1 {
		t.Errorf("%d requests within a day", n)
	}
	s.pass(time.Second)
	ask(52.51)
	ask(52.6)
	if n := len(s.requests()); n != 3 {
		t.Errorf("%d requests, want 3: a day later, and for another point", n)
	}
}

func TestNominatimOnlyWhenEnteredAndOncePerSecond(t *testing.T) {
	s, client := newStandIn(t, geocode.Nominatim, says(nominatimAnswer))
	if found, err := client.Search(t.Context(), "linden", nil, false); found != nil || err != nil || len(s.requests()) != 0 {
		t.Errorf("while typing: %v, %v, %d requests", found, err, len(s.requests()))
	}
	if _, err := client.Search(t.Context(), "linden", nil, true); err != nil {
		t.Error(err)
	}
	if _, err := client.Search(t.Context(), "schloss", nil, true); !errors.Is(err, domain.RateLimited) {
		t.Errorf("in the same second: %v", err)
	}
	if _, err := client.Search(t.Context(), "linden", nil, true); err != nil {
		t.Errorf("a known answer: %v", err)
	}
	s.pass(time.Second)
	if _, err := client.Search(t.Context(), "schloss", nil, true); err != nil || len(s.requests()) != 2 {
		t.Errorf("a second later: %v, %d requests", err, len(s.requests()))
	}
}

func TestBadAnswers(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"status":    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
		"redirect":  func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/other", http.StatusFound) },
		"malformed": says(`{"features":[`),
		"other":     says(`{}`),
		"huge":      says(`{"features":[],"padding":"` + strings.Repeat("x", 1<<20) + `"}`),
	} {
		t.Run(name, func(t *testing.T) {
			s, client := newStandIn(t, geocode.Photon, answer)
			for i, words := range []string{"a", "b", "c", "d", "e"} {
				_, err := client.Search(t.Context(), words, nil, false)
				if !errors.Is(err, geocode.ErrUnavailable) || strings.Contains(err.Error(), "secret") {
					t.Errorf("search %d: %v", i, err)
				}
			}
			if n := len(s.requests()); n != 3 {
				t.Errorf("%d requests to a server that is down, want 3", n)
			}
			s.pass(30 * time.Second)
			_, _ = client.Search(t.Context(), "f", nil, false)
			if n := len(s.requests()); n != 4 {
				t.Errorf("%d requests after a rest, want 4", n)
			}
		})
	}
}

// TestUsersWhoGoDoNotStopTheGeocoder cancels searches of a slow server.
func TestUsersWhoGoDoNotStopTheGeocoder(t *testing.T) {
	arrived := make(chan struct{})
	_, client := newStandIn(t, geocode.Photon, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("q") == "slow" {
			arrived <- struct{}{}
			<-r.Context().Done()
			return
		}
		_, _ = w.Write([]byte(photonAnswer))
	})
	for range 5 {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-arrived
			cancel()
		}()
		if _, err := client.Search(ctx, "slow", nil, false); !errors.Is(err, geocode.ErrUnavailable) {
			t.Error(err)
		}
	}
	if found, err := client.Search(t.Context(), "linden", nil, false); err != nil || len(found) == 0 {
		t.Errorf("%v, %v", found, err)
	}
}

func TestParseServer(t *testing.T) {
	for setting, valid := range map[string]bool{
		"photon+https://photon.example.org/api": true, "nominatim+http://10.0.0.5:8080/search?key=k": true, "photon": false,
		"https://photon.example.org/api": false, "google+https://maps.example.org": false,
		"photon+file:///etc/passwd": false, "photon+https://": false,
	} {
		if _, err := geocode.ParseServer(setting); (err == nil) != valid {
			t.Errorf("%s: %v", setting, err)
		}
	}
}
