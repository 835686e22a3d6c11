package apptest

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Reply is a response of the service.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte

	t    *testing.T
	call string

	decode sync.Once
	value  any // the body as JSON
	err    error
}

// Want ends the test unless the status is the one expected.
func (r *Reply) Want(status int) *Reply {
	r.t.Helper()
	if r.Status != status {
		r.t.Fatalf("%s: %d, want %d: %s", r.call, r.Status, status, r.Body)
	}
	return r
}

// WantError fails the test unless the response is exactly that error.
func (r *Reply) WantError(status int, code string) *Reply {
	r.t.Helper()
	if want := `{"error":"` + code + `"}`; r.Status != status || string(r.Body) != want {
		r.t.Errorf("%s: %d %s, want %d %s", r.call, r.Status, r.Body, status, want)
	}
	return r
}

// Get returns the value at a path in the JSON body ("items.0.event.id"), nil if
// there is none. All calls share the value: callers must not modify it.
func (r *Reply) Get(path string) any {
	r.t.Helper()
	value, err := r.decoded()
	if err != nil {
		r.t.Errorf("%s: %d is not JSON: %v: %s", r.call, r.Status, err, r.Body)
		return nil
	}
	if path == "" {
		return value
	}
	for step := range strings.SplitSeq(path, ".") {
		value = descend(value, step)
	}
	return value
}

// decoded returns the body as JSON. All calls share the value.
func (r *Reply) decoded() (any, error) {
	r.decode.Do(func() { r.err = json.Unmarshal(r.Body, &r.value) })
	return r.value, r.err
}

func descend(value any, step string) any {
	switch v := value.(type) {
	case map[string]any:
		return v[step]
	case []any:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(v) {
			return v[i]
		}
	}
	return nil
}

// Text returns the string at a path and fails the test if there is none.
func (r *Reply) Text(path string) string {
	r.t.Helper()
	text, ok := r.Get(path).(string)
	if !ok {
		r.t.Errorf("%s: %d has no text at %s: %s", r.call, r.Status, path, r.Body)
	}
	return text
}

// Number returns the number at a path and fails the test if there is none.
func (r *Reply) Number(path string) float64 {
	r.t.Helper()
	number, ok := r.Get(path).(float64)
	if !ok {
		r.t.Errorf("%s: %d has no number at %s: %s", r.call, r.Status, path, r.Body)
	}
	return number
}

// Len returns the length of the list at a path and fails the test if there is none.
func (r *Reply) Len(path string) int {
	r.t.Helper()
	list, ok := r.Get(path).([]any)
	if !ok {
		r.t.Errorf("%s: %d has no list at %s: %s", r.call, r.Status, path, r.Body)
	}
	return len(list)
}
