package ops_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// masks replaces random values in responses: the first id by <id 1>, and the same id by <id 1> again.
type masks struct {
	names   map[string]string // shown, by value
	numbers map[string]int    // last of a kind
	sets    []string          // of headers, without those of ownHeaders
}

func newMasks() *masks { return &masks{names: map[string]string{}, numbers: map[string]int{}} }

// name shows a value as <name> from now on, unless it has a name.
func (m *masks) name(value, name string) {
	if m.names[value] == "" {
		m.names[value] = "<" + name + ">"
	}
}

var (
	// randomValue matches addresses of the test's servers, generated names, secrets and long words.
	randomValue = regexp.MustCompile(`http://127\.0\.0\.1:\d+|\bUser [0-9a-f]{4}\b|\buser_[0-9a-z]{8}\b|` +
		`whsec_[\w+/]+=*|media/[0-9a-f]{2}/\w+|[\w-]{20,}`)
	uuid      = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	plainWord = regexp.MustCompile(`^[A-Za-z][a-z]*([_-][A-Za-z][a-z]*)*$`)
	quoted    = regexp.MustCompile(`".+"`)
	// unnumbered matches values that are replaced by a star: random ones to which nothing refers, styles, and the last use
	// of a session or key, which is stored in the background.
	unnumbered = regexp.MustCompile(`("(?:dev_code|next_cursor|prefix|number)":")[^"]+|("last_used_at":)(?:"[^"]+"|null)|(urn:request:)\w+|` +
		`('sha256-)[^']+|(<style>)[^<]+|(\bhue-|"duration_ms":)\d+`)
)

// eventCode matches the address of an event up to the code, and the code.
var eventCode = regexp.MustCompile(`(/e/(?:[a-z0-9]+-)*|"code":")[1-9A-HJ-NP-Za-km-z]{8}\b`)

// text masks a text.
func (m *masks) text(s string) string {
	s = eventCode.ReplaceAllString(s, "${1}code")
	s = unnumbered.ReplaceAllString(s, "$1$2$3$4$5$6*")
	return randomValue.ReplaceAllStringFunc(s, func(value string) string {
		switch {
		case m.names[value] != "":
		case uuid.MatchString(value):
			m.names[value] = m.next("id")
		case strings.HasPrefix(value, "http:"):
			m.names[value] = m.next("server")
		case strings.HasPrefix(value, "User "):
			m.names[value] = m.next("name")
		case strings.HasPrefix(value, "media/"):
			m.names[value] = m.next("media")
		case plainWord.MatchString(value) && !strings.HasPrefix(value, "user_"):
			return value
		default:
			m.names[value] = m.next("token")
		}
		return m.names[value]
	})
}

func (m *masks) next(kind string) string {
	m.numbers[kind]++
	return fmt.Sprintf("<%s %d>", kind, m.numbers[kind])
}

// ownHeaders are the headers that the recording shows with each response. The others are sets with numbers.
var ownHeaders = []string{"Content-Disposition", "Etag", "Last-Modified", "Link", "Location", "Retry-After", "Set-Cookie",
	"Www-Authenticate"}

// response returns the text of a response: status, headers, body.
func (m *masks) response(r *http.Response, body string) string {
	own, set := http.Header{}, r.Header.Clone()
	for _, name := range []string{"Date", "Content-Length", "X-Request-Id"} {
		set.Del(name)
	}
	for _, name := range ownHeaders {
		if values := set.Values(name); len(values) > 0 {
			own[name] = values
			set.Del(name)
		}
	}
	if tag := own.Get("Etag"); tag != "" {
		own.Set("Etag", quoted.ReplaceAllString(tag, "<tag>"))
	}
	text := fmt.Sprintf("%d, headers %d", r.StatusCode, m.headerSet(m.text(headerText(set))))
	if !utf8.ValidString(body) {
		body = "(binary)"
	}
	text += "\n" + headerText(own) + strings.ReplaceAll(body, "},{", "},\n{")
	lines := strings.Split(strings.TrimRight(m.text(text), "\r\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, "\r")
	}
	return strings.Join(lines, "\n    ") + "\n"
}

// headerText returns the headers, a line each.
func headerText(h http.Header) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			b.WriteString(name + ": " + value + "\n")
		}
	}
	return b.String()
}

// headerSet returns the number of a set of headers.
func (m *masks) headerSet(headers string) int {
	i := slices.Index(m.sets, headers)
	if i < 0 {
		i = len(m.sets)
		m.sets = append(m.sets, headers)
	}
	return i + 1
}

// headerSets returns the sets by their numbers.
func (m *masks) headerSets() string {
	var b strings.Builder
	for i, set := range m.sets {
		fmt.Fprintf(&b, "\n  headers %d\n    %s\n", i+1, strings.ReplaceAll(strings.TrimSuffix(set, "\n"), "\n", "\n    "))
	}
	return b.String()
}
