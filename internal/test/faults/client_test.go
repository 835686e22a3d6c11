package faults

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

// client keeps connections to the services of one test.
type client struct{ http http.Client }

func newClient(t *testing.T) *client {
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	t.Cleanup(transport.CloseIdleConnections)
	return &client{http.Client{Transport: transport, Timeout: patience}}
}

// answer is a response and how long it took.
type answer struct {
	status int
	header http.Header
	body   []byte
	took   time.Duration
}

// call sends a request once; token and body may be empty.
func (c *client) call(method, url, token, body string) (answer, error) {
	return c.callWith(method, url, token, body, "application/json")
}

// callWith is call with a body of another type.
func (c *client) callWith(method, url, token, body, contentType string) (answer, error) {
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if body != "" {
		request.Header.Set("Content-Type", contentType)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	began := time.Now()
	response, err := c.http.Do(request)
	if err != nil {
		return answer{took: time.Since(began)}, err
	}
	defer func() { _ = response.Body.Close() }()
	a := answer{status: response.StatusCode, header: response.Header}
	a.body, err = io.ReadAll(response.Body)
	a.took = time.Since(began)
	return a, err
}

// refused reports whether a request was not sent, because the port is closed.
func refused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }

// mustCall is call, and ends the test unless the request succeeds.
func (c *client) mustCall(t *testing.T, method, url, token, body string) answer {
	t.Helper()
	a, err := c.call(method, url, token, body)
	if err != nil || a.status >= 300 {
		t.Fatalf("%s %s: %d %s %v", method, url, a.status, a.body, err)
	}
	return a
}

// text returns a field of the answer, such as "current_user.user.id".
func (a answer) text(path string) string {
	var value any
	_ = json.Unmarshal(a.body, &value) // a body that is not JSON has no fields
	for name := range strings.SplitSeq(path, ".") {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	text, _ := value.(string)
	return text
}

// person is a signed-in user.
type person struct{ id, token string }

// signIn signs in n people.
func (c *client) signIn(t *testing.T, base string, n int) []person {
	t.Helper()
	people := make([]person, n)
	for i := range people {
		email := fmt.Sprintf("guest%d@example.org", i)
		code := c.mustCall(t, http.MethodPost, base+"/auth/dev/start", "", `{"email":"`+email+`"}`).text("dev_code")
		session := c.mustCall(t, http.MethodPost, base+"/auth/dev/verify", "", `{"email":"`+email+`","code":"`+code+`"}`)
		people[i] = person{session.text("current_user.user.id"), session.text("access_token")}
	}
	return people
}
