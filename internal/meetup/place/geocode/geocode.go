// Package geocode finds streets and houses by a geocoder that the operator chose: Photon or Nominatim. The geocoder gets the words and
// a rounded point, and nothing about the user. The words are neither logged nor stored; answers stay in memory for a day.
package geocode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/ratelimit"
)

// The kinds of geocoders.
const (
	Photon    = "photon"
	Nominatim = "nominatim"
)

const (
	timeout   = 3 * time.Second
	maxAnswer = 1 << 20 // bytes
	maxFound  = 8

	maxFailures = 3                // in a row; then the geocoder is not asked
	restFor     = 30 * time.Second // after them
)

// Attribution names the source of the addresses of both kinds. Pages with addresses must show it.
const Attribution = "© OpenStreetMap"

// NominatimPerSecond is what the usage policy of the public server of Nominatim allows. All instances of the service share it.
var NominatimPerSecond = ratelimit.Limit{Name: "nominatim_per_second", Default: ratelimit.Quota{N: 1, Window: time.Second},
	What: "searches of addresses by Nominatim, of all users together"}

// ErrUnavailable is the error of a geocoder that does not answer as it should.
var ErrUnavailable = errors.New("the geocoder is not available")

// Server is the geocoder. The zero Server is none.
type Server struct {
	Kind string
	url  *url.URL
}

// ParseServer reads the setting GEOCODER_URL: the kind, "+", and the URL of the search, like "photon+https://photon.example.org/api".
func ParseServer(setting string) (Server, error) {
	kind, address, _ := strings.Cut(setting, "+")
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || kind != Photon && kind != Nominatim {
		return Server{}, errors.New("must be like photon+https://photon.example.org/api or nominatim+https://nominatim.example.org/search")
	}
	return Server{kind, u}, nil
}

// Address is a street, a house or another place.
type Address struct {
	Kind     string // "house", "street", "city" or "place"
	Name     string // to show it in a list
	Line     string // street and number, or a name; may be empty
	City     string // may be empty
	Country  string // ISO 3166-1, two letters; may be empty
	Lat, Lng float64
}

// Point is where the user looks.
type Point struct{ Lat, Lng float64 }

// Client asks a geocoder.
type Client struct {
	server Server
	clock  domain.Clock
	limits *ratelimit.Limits
	http   *http.Client
	cache  *answers
	health breaker
}

// New returns a client of a server. Its address may be private, because the operator chose it.
func New(server Server, clock domain.Clock, limits *ratelimit.Limits) *Client {
	return &Client{server: server, clock: clock, limits: limits, cache: newAnswers(), http: &http.Client{
		Timeout: timeout,
		Transport: &http.Transport{
			DialContext: (&net.Dialer{Timeout: timeout}).DialContext, MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute,
			MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return errors.New("it redirects") },
	}}
}

// Kind returns the kind of the geocoder; empty if there is none.
func (c *Client) Kind() string { return c.server.Kind }

// Search returns the best addresses for words, near a point if there is one. entered says that the user has asked for a search, instead
// of typing: Nominatim allows only that, and finds nothing otherwise. It returns ErrUnavailable, or a refusal of the rate limit.
func (c *Client) Search(ctx context.Context, words string, near *Point, entered bool) ([]Address, error) {
	if c.server.Kind == "" || c.server.Kind == Nominatim && !entered {
		return nil, nil
	}
	words = strings.Join(strings.Fields(words), " ")
	query := c.query(words, near)
	now := c.clock.Now()
	if found, ok := c.cache.get(query.Encode(), now); ok {
		return found, nil
	}
	if !c.health.mayAsk(now) {
		return nil, ErrUnavailable
	}
	if c.server.Kind == Nominatim {
		if err := c.limits.Spend(ctx, NominatimPerSecond, ""); err != nil {
			return nil, err
		}
	}
	found, err := c.ask(ctx, query)
	if ctx.Err() == nil { // not because the user has gone
		c.health.report(err == nil, c.clock.Now())
	}
	if err != nil {
		return nil, err
	}
	c.cache.put(query.Encode(), found, now)
	return found, nil
}

// query returns the parameters of a search, without those of the setting.
func (c *Client) query(words string, near *Point) url.Values {
	q := url.Values{"q": {words}, "limit": {strconv.Itoa(maxFound)}}
	// One decimal hides where the user is exactly.
	degrees := func(n float64) string { return strconv.FormatFloat(n, 'f', 1, 64) }
	switch {
	case c.server.Kind == Nominatim:
		q.Set("format", "jsonv2")
		q.Set("addressdetails", "1")
		if near != nil { // a preference, because "bounded" is not set
			const around = 0.5
			q.Set("viewbox", degrees(near.Lng-around)+","+degrees(near.Lat+around)+","+degrees(near.Lng+around)+","+degrees(near.Lat-around))
		}
	case near != nil:
		q.Set("lat", degrees(near.Lat))
		q.Set("lon", degrees(near.Lng))
	}
	return q
}

// ask sends a request. Its errors contain neither the words nor the key of the setting.
func (c *Client) ask(ctx context.Context, query url.Values) ([]Address, error) {
	address := *c.server.url
	all := address.Query() // such as a key
	maps.Copy(all, query)
	address.RawQuery = all.Encode()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), http.NoBody)
	if err != nil {
		return nil, ErrUnavailable
	}
	r.Header.Set("User-Agent", "Moothall")
	r.Header.Set("Accept", "application/json")
	response, err := c.http.Do(r)
	if err != nil {
		return nil, ErrUnavailable
	}
	defer func() { _ = response.Body.Close() }() // all that is needed was read
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%w: status %d", ErrUnavailable, response.StatusCode)
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil || len(data) > maxAnswer {
		return nil, ErrUnavailable
	}
	if c.server.Kind == Nominatim {
		return readNominatim(data)
	}
	return readPhoton(data)
}
