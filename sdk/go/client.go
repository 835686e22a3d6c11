// Package moothall is a client of a Moothall service. Its methods are the operations of the HTTP contract. It adds the access
// token to requests, refreshes the session once for all goroutines, repeats requests that are safe to repeat, and reads lists
// page by page. An error response is an *Error.
//
//	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
//	session, err := client.VerifyEmailSignIn(ctx, moothall.VerifyEmailSignInRequest{Email: email, Code: code, Challenge: challenge})
//	...
//	err = client.Session.Start(ctx, session.Tokens())
//	for card, err := range client.ListEventsAll(ctx, moothall.ListEventsParams{City: "Berlin"}) {
//
// Package realtime delivers chat messages and changes as they happen.
package moothall

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Options configure a client.
type Options struct {
	// URL is the base address of the API.
	URL string
	// APIKey replaces the access token of a session.
	APIKey string
	// Store stores the tokens of the session for the next start of the program. If it is nil, they are lost.
	Store Store
	// HTTPClient sends requests. It defaults to http.Client without a cookie jar. Unless it has a CheckRedirect, only GET follows
	// redirects: other methods would lose their body.
	HTTPClient *http.Client
}

// Client calls a service. Any number of goroutines may use it.
type Client struct {
	// Session has the access token of the requests, unless Options.APIKey is set.
	Session *Session

	options Options
}

// New returns a client.
func New(o Options) *Client {
	o.URL = strings.TrimSuffix(o.URL, "/")
	client := http.Client{}
	if o.HTTPClient != nil {
		client = *o.HTTPClient
	}
	if client.CheckRedirect == nil {
		client.CheckRedirect = followGet
	}
	o.HTTPClient = &client
	c := &Client{options: o}
	c.Session = &Session{client: c, store: o.Store}
	return c
}

func followGet(_ *http.Request, via []*http.Request) error {
	const maxRedirects = 10 // as net/http
	if via[0].Method != http.MethodGet || len(via) >= maxRedirects {
		return http.ErrUseLastResponse
	}
	return nil
}

// call is a request to an operation.
type call struct {
	method, path string
	query        url.Values
	header       http.Header
	body         any    // JSON; nil without a body
	file         []byte // replaces body
	mediaType    string // of file; a picture has none
	public       bool   // needs no access token
	keyed        bool   // takes an Idempotency-Key
	stream       bool   // the caller reads the response, which is not JSON
}

func newCall(c call) *call {
	c.query, c.header = url.Values{}, http.Header{}
	return &c
}

// decode calls an operation that returns JSON.
func decode[T any](ctx context.Context, c *Client, request *call) (*T, error) {
	result := new(T)
	if err := c.do(ctx, request, result); err != nil {
		return nil, err
	}
	return result, nil
}

// do calls an operation and decodes its response into result, unless that is nil.
func (c *Client) do(ctx context.Context, request *call, result any) error {
	body, err := c.open(ctx, request)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	if result == nil {
		return nil
	}
	if err := json.NewDecoder(body).Decode(result); err != nil {
		return fmt.Errorf("moothall: %s %s: %w", request.method, request.path, err)
	}
	return nil
}

// open calls an operation and returns the body of its response.
func (c *Client) open(ctx context.Context, request *call) (io.ReadCloser, error) {
	content, err := request.prepare(ctx)
	if err != nil {
		return nil, fmt.Errorf("moothall: %s %s: %w", request.method, request.path, err)
	}
	token, err := c.token(ctx, request)
	if err != nil {
		return nil, err
	}
	body, err := c.send(ctx, request, content, token)
	if failure := (*Error)(nil); errors.As(err, &failure) && failure.Status == http.StatusUnauthorized && token != "" &&
		c.options.APIKey == "" {
		if token, err = c.Session.Token(ctx, token); err != nil {
			return nil, err
		}
		if token == "" {
			return nil, failure
		}
		body, err = c.send(ctx, request, content, token)
	}
	return body, err
}

// prepare sets the headers that are the same for every attempt, and returns the body.
func (r *call) prepare(ctx context.Context) (content []byte, err error) {
	r.header.Set("Accept", "application/problem+json, application/json, */*;q=0.5")
	if r.keyed {
		r.header.Set("Idempotency-Key", idempotencyKey(ctx))
	}
	switch {
	case r.file != nil:
		mediaType := r.mediaType
		if mediaType == "" {
			mediaType = http.DetectContentType(r.file)
		}
		r.header.Set("Content-Type", mediaType)
		return r.file, nil
	case r.body != nil:
		r.header.Set("Content-Type", "application/json")
		return json.Marshal(r.body)
	}
	return nil, nil
}

// token returns the API key or the access token of a request, or "".
func (c *Client) token(ctx context.Context, request *call) (string, error) {
	switch {
	case request.public:
		return "", nil
	case c.options.APIKey != "":
		return c.options.APIKey, nil
	}
	return c.Session.Token(ctx, "")
}

// attempt sends a request once. It returns an error response as an *Error.
func (c *Client) attempt(ctx context.Context, r *call, content []byte, token string) (io.ReadCloser, error) {
	address := c.options.URL + r.path
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, r.method, address, bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	request.Header = r.header.Clone()
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := c.options.HTTPClient.Do(request)
	if err != nil {
		return nil, err
	}
	captureHeader(ctx, response.Header)
	success := response.StatusCode/100 == 2
	if success && r.stream {
		return response.Body, nil
	}
	defer func() { _ = response.Body.Close() }()
	if !success {
		return nil, readError(response)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil { // a response that ends too early is a lost one
		return nil, fmt.Errorf("moothall: %s %s: %w", r.method, r.path, err)
	}
	return io.NopCloser(bytes.NewReader(text)), nil
}
