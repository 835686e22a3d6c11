package ops_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"moothall/internal/test/apptest"
)

// row is one line of a file of attack inputs in testdata.
type row struct {
	expect string
	target string // endpoint, header or channel
	value  string
	why    string
}

// rows reads a file. expect, target and value are the indexes of their columns.
func rows(t *testing.T, name string, expect, target, value int) []row {
	t.Helper()
	content, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var list []row
	for line := range strings.Lines(string(content)) {
		line = strings.TrimRight(line, "\n")
		columns := strings.Split(line, "\t")
		if strings.HasPrefix(line, "#") || len(columns) < 3 {
			continue
		}
		r := row{expect: columns[expect], target: columns[target], value: columns[value], why: strings.Join(columns[3:], " ")}
		if decoded := ""; json.Unmarshal([]byte(columns[value]), &decoded) == nil {
			r.value = decoded
		}
		list = append(list, r)
	}
	if len(list) == 0 {
		t.Fatalf("%s is empty", name)
	}
	return list
}

var statusCode = regexp.MustCompile(`\b[1-5]\d\d\b`)

// allows reports whether the row expects the status. "ignored" and "empty" mean any
// status below 300.
func (r row) allows(status int) bool {
	codes := statusCode.FindAllString(r.expect, -1)
	success := strings.Contains(r.expect, "ignored") || strings.Contains(r.expect, "empty")
	return slices.Contains(codes, strconv.Itoa(status)) || success && status < 300
}

func (r row) String() string {
	value := r.value
	if len(value) > 100 {
		value = value[:100] + "..."
	}
	return r.target + " " + strconv.Quote(value) + " (" + r.why + ")"
}

// fill replaces the placeholders of a value.
func fill(value string, with map[string]string) string {
	for name, text := range with {
		value = strings.ReplaceAll(value, "{"+name+"}", text)
	}
	return value
}

// draft is a valid request body of createEvent.
const draft = `{"title":"Go","starts_at":"2099-01-01T10:00:00Z"}`

// published creates a public event of an actor and publishes it.
func published(a *apptest.App, organizer string) string {
	c := a.As(organizer)
	id := c.Post("/events", draft).Want(201).Text("event.id")
	c.Post("/events/"+id+"/publish", nil).Want(200)
	return id
}

// private creates a private event of an actor and invites guests.
func private(a *apptest.App, organizer string, guests ...string) string {
	c := a.As(organizer)
	id := c.Post("/events", strings.TrimSuffix(draft, "}")+`,"visibility":"private"}`).Want(201).Text("event.id")
	for _, guest := range guests {
		a.As(guest)
		c.Post("/events/"+id+"/invitations", map[string]string{"email": apptest.Email(guest)}).Want(201)
	}
	return id
}
