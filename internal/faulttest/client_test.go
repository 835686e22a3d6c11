package faulttest

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

// answer is what came back, and after how long.
type answer struct {
	status int
	header http.Header
	body   []byte
	took   time.Duration
}

// call sends a request; token and body may be empty. Nothing is ever sent
// twice: an error is the end of it.
func (c *client) call(method, url, token, body string) (answer, error) {
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
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

// refused reports whether a request never left, because nobody listens.
func refused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }

// mustCall is call where anything but a success ends the test.
func (c *client) mustCall(t *testing.T, method, url, token, body string) answer {
	t.Helper()
	a, err := c.call(method, url, token, body)
	if err != nil || a.status >= 300 {
		t.Fatalf("%s %s: %d %s %v", method, url, a.status, a.body, err)
	}
	return a
}

// text reads a field of the answer, "current_user.user.id".
func (a answer) text(path string) string {
	var value any
	_ = json.Unmarshal(a.body, &value) // what is no JSON has no field
	for name := range strings.SplitSeq(path, ".") {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	text, _ := value.(string)
	return text
}

// person is somebody who is signed in.
type person struct{ id, token string }

// signIn signs n people in.
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
