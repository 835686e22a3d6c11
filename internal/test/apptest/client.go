package apptest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// Session is the result of signing in.
type Session struct{ UserID, SessionID, AccessToken, RefreshToken string }

// actor is a signed-in person. Each name of an App has one.
type actor struct {
	once    sync.Once
	session Session
}

// Client calls the service as one person.
type Client struct {
	Session // empty for an anonymous client

	t       *testing.T
	app     *App
	url     string
	may5xx  bool
	headers http.Header
}

// Anonymous returns a client without a session.
func (a *App) Anonymous() *Client {
	return &Client{t: a.t, app: a, url: a.urls[0], headers: http.Header{}}
}

// Email returns the e-mail address of the actor with that name.
func Email(name string) string { return name + "@example.org" }

// As returns a client of the actor with that name, who signs in by e-mail code at
// the first call. All clients of an actor have the same session.
func (a *App) As(name string) *Client {
	a.t.Helper()
	a.mu.Lock()
	person := a.actors[name]
	if person == nil {
		person = &actor{}
		a.actors[name] = person
	}
	a.mu.Unlock()
	person.once.Do(func() { person.session = a.SignIn(Email(name)).Session })
	if person.session.AccessToken == "" {
		a.t.Fatalf("%s could not sign in", name)
	}
	return a.withSession(person.session)
}

// SignIn creates a new session for an e-mail address.
func (a *App) SignIn(email string) *Client {
	a.t.Helper()
	return a.SignInWith(a.Anonymous(), email)
}

// SignInWith signs in by the development code with an anonymous client.
func (a *App) SignInWith(anonymous *Client, email string) *Client {
	a.t.Helper()
	start := anonymous.Post("/auth/dev/start", map[string]string{"email": email}).Want(http.StatusOK)
	verify := anonymous.Post("/auth/dev/verify", map[string]string{"email": email, "code": start.Text("dev_code")}).
		Want(http.StatusOK)
	return a.withSession(Session{
		UserID: verify.Text("current_user.user.id"), SessionID: verify.Text("session_id"),
		AccessToken: verify.Text("access_token"), RefreshToken: verify.Text("refresh_token"),
	})
}

func (a *App) withSession(s Session) *Client {
	c := a.Anonymous().With("Authorization", "Bearer "+s.AccessToken)
	c.Session = s
	return c
}

// In returns the same client for a subtest, which its errors fail.
func (c *Client) In(t *testing.T) *Client {
	copied := *c
	copied.t = t
	return &copied
}

// With returns the same client with a header set. An empty value removes the header.
func (c *Client) With(name, value string) *Client {
	copied := c.Header(name, value)
	if value == "" {
		copied.headers.Del(name)
	}
	return copied
}

// Header returns the same client with a header set, even to an empty value.
func (c *Client) Header(name, value string) *Client {
	copied := *c
	copied.headers = c.headers.Clone()
	copied.headers.Set(name, value)
	return &copied
}

// On returns the same client talking to instance i modulo the number of
// instances.
func (c *Client) On(i int) *Client {
	copied := *c
	copied.url = c.app.urls[i%len(c.app.urls)]
	return &copied
}

// Allow5xx returns the same client, whose responses may have a status of 5xx.
func (c *Client) Allow5xx() *Client {
	copied := *c
	copied.may5xx = true
	return &copied
}

// Get, Post, Put, Patch and Delete call an operation. A string or []byte is sent as it
// is, nil sends no body, anything else is encoded as JSON.
func (c *Client) Get(path string) *Reply { return c.Do(http.MethodGet, path, nil) }

// Post calls an operation; see Get.
func (c *Client) Post(path string, body any) *Reply { return c.Do(http.MethodPost, path, body) }

// Patch calls an operation; see Get.
func (c *Client) Patch(path string, body any) *Reply { return c.Do(http.MethodPatch, path, body) }

// Put calls an operation; see Get.
func (c *Client) Put(path string, body any) *Reply { return c.Do(http.MethodPut, path, body) }

// Delete calls an operation; see Get.
func (c *Client) Delete(path string) *Reply { return c.Do(http.MethodDelete, path, nil) }

// Do calls an operation; see Get. It may be called from several goroutines.
func (c *Client) Do(method, path string, body any) *Reply {
	c.t.Helper()
	payload := bodyOf(c.t, body)
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.url+path, bytes.NewReader(payload))
	if err != nil {
		c.t.Errorf("%s %s: %v", method, path, err)
		return &Reply{t: c.t}
	}
	if body == nil {
		r.Body, r.ContentLength = http.NoBody, 0
	} else {
		r.Header.Set("Content-Type", ContentType(payload))
	}
	maps.Copy(r.Header, c.headers)
	return c.Send(r)
}

// transport is shared by all tests, to reuse connections.
var transport = &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: 30 * time.Second, DisableCompression: true}

// Send sends a request. It does not follow redirects.
func (c *Client) Send(r *http.Request) *Reply {
	c.t.Helper()
	response, err := transport.RoundTrip(r)
	if err != nil {
		c.t.Errorf("%s %s: %v", r.Method, r.URL.Path, err)
		return &Reply{t: c.t}
	}
	return c.read(r, response)
}

func (c *Client) read(r *http.Request, response *http.Response) *Reply {
	c.t.Helper()
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Errorf("%s %s: reading the answer: %v", r.Method, r.URL.Path, err)
	}
	reply := &Reply{Status: response.StatusCode, Header: response.Header, Body: body, t: c.t,
		call: r.Method + " " + r.URL.RequestURI()}
	if len(reply.call) > 300 {
		reply.call = reply.call[:300] + "..."
	}
	if reply.Status >= 500 && !c.may5xx {
		c.t.Errorf("%s: %d %s", reply.call, reply.Status, body)
	}
	reply.checkContract(r)
	return reply
}

// Raw writes bytes to a new connection and reads one response, for requests that no
// HTTP client sends. It returns nil when the service closes the connection first.
func (c *Client) Raw(request string) *Reply {
	c.t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
	if err != nil {
		c.t.Fatalf("dial: %v", err)
	}
	defer func() { _ = connection.Close() }()
	_ = connection.SetDeadline(time.Now().Add(time.Minute))
	go func() { _, _ = io.WriteString(connection, request) }() // the service may stop reading
	line, _, _ := strings.Cut(request, "\r\n")
	method, rest, _ := strings.Cut(line, " ")
	path, _, _ := strings.Cut(rest, " ")
	r, err := http.NewRequest(method, path, nil)
	if err != nil {
		r, _ = http.NewRequest(http.MethodGet, "/not-a-request", nil)
	}
	response, err := http.ReadResponse(bufio.NewReader(connection), r)
	if err != nil {
		return nil
	}
	return c.read(r, response)
}

// contentType is that of a picture, or JSON.
// ContentType returns the type of a body.
func ContentType(payload []byte) string {
	if detected := http.DetectContentType(payload); strings.HasPrefix(detected, "image/") {
		return detected
	}
	switch string(payload) {
	case Calendar:
		return "text/calendar"
	case Guests:
		return "text/csv"
	}
	return "application/json"
}

func bodyOf(t *testing.T, body any) []byte {
	t.Helper()
	switch b := body.(type) {
	case nil:
		return nil
	case string:
		return []byte(b)
	case []byte:
		return b
	}
	payload, err := json.Marshal(body)
	if err != nil {
		t.Fatalf("body: %v", err)
	}
	return payload
}
