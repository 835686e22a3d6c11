package ops_test

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// exchange is a request of a recording, with its responses.
type exchange struct {
	request   string
	responses []recordedResponse
}

// recordedResponse is the status with its variant, the headers, and the body.
type recordedResponse struct{ status, headers, body string }

var headerSetNumber = regexp.MustCompile(`, headers \d+$`)

// exchanges reads a recording.
func exchanges(t *testing.T, file string) (all []exchange) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	recorded, _, _ := strings.Cut(string(text), "\n  headers 1\n")
	for line := range strings.SplitSeq(recorded, "\n") {
		body, isBody := strings.CutPrefix(line, "    ")
		status, isStatus := strings.CutPrefix(line, "  ")
		switch {
		case strings.HasPrefix(line, "> "):
			all = append(all, exchange{request: line})
		case isBody:
			last := &all[len(all)-1]
			r := &last.responses[len(last.responses)-1]
			if r.body != "" || strings.HasPrefix(body, "{") || strings.HasPrefix(body, "[") {
				r.body += body
			} else {
				r.headers += body + "\n"
			}
		case isStatus:
			last := &all[len(all)-1]
			last.responses = append(last.responses, recordedResponse{status: headerSetNumber.ReplaceAllString(status, "")})
		}
	}
	return all
}

// TestRecordedClientsNoticeNothing compares the responses of all operations of the specification with those before events had parties and
// waiting lists. Without the members that came later, they are the same bytes; and new members come last in their object.
func TestRecordedClientsNoticeNothing(t *testing.T) {
	now := exchanges(t, recordingFile) // TestResponsesEqualRecording compares them with the service
	covered := map[string]bool{}
	for _, old := range exchanges(t, "testdata/recording_0.1.0.txt") {
		for len(now) > 0 && now[0].request != old.request {
			now = now[1:]
		}
		if len(now) == 0 || len(now[0].responses) != len(old.responses) {
			t.Fatalf("%s: the recording has no such request, or other variants of it", old.request)
		}
		f := strings.Fields(old.request)
		path, _, _ := strings.Cut(f[3], "?")
		covered[f[2]+" "+path] = true
		for i, was := range old.responses {
			is := now[0].responses[i]
			is.body = known(t, was.body, is.body)
			if is != was {
				t.Errorf("%s\nwas %v\nis  %v", old.request, was, is)
			}
		}
		now = now[1:]
	}
	checkSpecification(t, covered)
}

// checkSpecification fails the test for each operation of the specification without a request.
func checkSpecification(t *testing.T, covered map[string]bool) {
	t.Helper()
	specification, err := os.ReadFile("../../../api/testdata/specification.txt")
	if err != nil {
		t.Fatal(err)
	}
	parameter := regexp.MustCompile(`\\\{\w+\\\}`)
	for line := range strings.SplitSeq(string(specification), "\n") {
		f := strings.Fields(line)
		if len(f) < 2 || f[0] == "#" {
			continue
		}
		operation := regexp.MustCompile("^" + parameter.ReplaceAllString(regexp.QuoteMeta(f[0]+" "+f[1]), "[^/]+") + "$")
		found := false
		for request := range covered {
			found = found || operation.MatchString(request)
		}
		if !found {
			t.Errorf("%s %s has no recorded response", f[0], f[1])
		}
	}
}

// known returns a body without the members that the older one does not have: those after its members in each object.
// A body that is not JSON stays as it is.
func known(t *testing.T, old, body string) string {
	t.Helper()
	if old == body || !json.Valid([]byte(old)) || !json.Valid([]byte(body)) {
		return body
	}
	return string(knownValue([]byte(old), []byte(body)))
}

func knownValue(old, value json.RawMessage) json.RawMessage {
	was, is := parts(old), parts(value)
	if len(was) == 0 || value[0] != old[0] || len(is) < len(was) || old[0] == '[' && len(is) != len(was) {
		return value
	}
	kept := make([][]byte, len(was))
	for i := range was {
		kept[i] = is[i].value
		if was[i].name == is[i].name {
			kept[i] = knownValue(was[i].value, is[i].value)
		}
		if old[0] == '{' {
			kept[i] = append([]byte(is[i].name+":"), kept[i]...)
		}
	}
	return append(append([]byte{old[0]}, bytes.Join(kept, []byte(","))...), old[len(old)-1])
}

// part is a member of an object, whose name has quotes, or an element of an array.
type part struct {
	name  string
	value json.RawMessage
}

// parts returns the parts of an object or array in their order, nil for any other value.
func parts(text json.RawMessage) (all []part) {
	d := json.NewDecoder(bytes.NewReader(text))
	if token, err := d.Token(); err != nil || token != json.Delim('{') && token != json.Delim('[') {
		return nil
	}
	for d.More() {
		var p part
		if text[0] == '{' {
			name, err := d.Token()
			if err != nil {
				return nil
			}
			p.name = `"` + name.(string) + `"`
		}
		if d.Decode(&p.value) != nil {
			return nil
		}
		all = append(all, p)
	}
	return all
}
