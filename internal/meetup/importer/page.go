package importer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"

	"moothall/internal/platform/ical"
	"moothall/internal/platform/recurrence"
)

var errNoEvent = errors.New("must be a calendar, or a page with an event in JSON-LD")

// readPage returns the first event of a page that describes one in JSON-LD by the vocabulary of schema.org.
func readPage(data []byte, u *url.URL, o ical.Options) (ical.Calendar, error) {
	for _, script := range jsonScripts(data) {
		var document any
		if json.Unmarshal(script, &document) != nil {
			continue
		}
		node := findEvent(document, 0)
		if node == nil {
			continue
		}
		e := node.event(u, o.Zone)
		if e.Problem == "" && e.IsOver(o.Now) {
			return ical.Calendar{Past: 1}, nil
		}
		return ical.Calendar{Events: []ical.Event{e}}, nil
	}
	return ical.Calendar{}, errNoEvent
}

// jsonScripts returns the contents of the scripts with JSON-LD.
func jsonScripts(data []byte) (all [][]byte) {
	tokens := html.NewTokenizer(bytes.NewReader(data))
	inside := false
	for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
		switch kind { //nolint:exhaustive // others have no script
		case html.StartTagToken:
			token := tokens.Token()
			inside = token.Data == "script" && attribute(token, "type") == "application/ld+json"
		case html.TextToken:
			if inside {
				all = append(all, bytes.Clone(tokens.Raw()))
			}
			inside = false
		}
	}
	return all
}

func attribute(token html.Token, name string) string {
	for _, a := range token.Attr {
		if a.Key == name {
			return strings.ToLower(strings.TrimSpace(a.Val))
		}
	}
	return ""
}

// node is an object of JSON-LD.
type node map[string]any

const maxNesting = 8 // of objects and arrays that are searched

// findEvent returns the first Event in a document: itself, in an array or in @graph; nil if there is none.
func findEvent(value any, depth int) node {
	if depth > maxNesting {
		return nil
	}
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			if found := findEvent(one, depth+1); found != nil {
				return found
			}
		}
	case map[string]any:
		n := node(v)
		if n.isEvent() {
			return n
		}
		for _, key := range []string{"@graph", "mainEntity", "mainEntityOfPage"} {
			if found := findEvent(v[key], depth+1); found != nil {
				return found
			}
		}
	}
	return nil
}

// isEvent reports whether the type is Event or one of its kinds, such as MusicEvent or Festival.
func (n node) isEvent() bool {
	for _, name := range list(n["@type"]) {
		text, _ := name.(string)
		text = text[strings.LastIndexAny(text, "/:")+1:]
		if strings.HasSuffix(text, "Event") || text == "Festival" || text == "Hackathon" {
			return true
		}
	}
	return false
}

// list returns the elements of an array, or the value itself.
func list(value any) []any {
	if all, ok := value.([]any); ok {
		return all
	}
	return []any{value}
}

// text returns a property that is a text; of several, the first.
func (n node) text(name string) string {
	for _, value := range list(n[name]) {
		switch v := value.(type) {
		case string:
			return strings.TrimSpace(v)
		case float64:
			return strconv.FormatFloat(v, 'f', -1, 64)
		case map[string]any: // {"@value": ...}, {"@id": ...}
			for _, key := range []string{"@value", "@id"} {
				if text, ok := v[key].(string); ok {
					return text
				}
			}
		}
	}
	return ""
}

// objects returns the values of a property that are objects.
func (n node) objects(name string) (all []node) {
	for _, value := range list(n[name]) {
		if object, ok := value.(map[string]any); ok {
			all = append(all, node(object))
		}
	}
	return all
}

// event returns the event. zone is the one of times without an offset.
func (n node) event(page *url.URL, zone *time.Location) ical.Event {
	e := ical.Event{UID: n.text("@id"), Title: html.UnescapeString(n.text("name")),
		Description: ical.PlainText(n.text("description")), URL: page.String(),
		Canceled: strings.HasSuffix(n.text("eventStatus"), "EventCancelled")}
	if e.UID == "" {
		e.UID = page.String()
	}
	e.Image = n.image(page)
	if kind := n.text("@type"); strings.HasSuffix(kind, "Event") && len(kind) > len("Event") {
		e.Categories = []string{strings.TrimSuffix(kind, "Event")}
	}
	var problem ical.Problem
	if e.Start, e.Problem = parseTime(n.text("startDate"), zone); e.Problem != "" {
		return e
	}
	if e.End, problem = parseTime(n.text("endDate"), zone); problem != "" || !e.End.After(e.Start) {
		e.End = time.Time{}
	}
	for _, place := range n.objects("location") {
		if strings.HasSuffix(place.text("@type"), "VirtualLocation") {
			e.Conference = ical.HTTPSOnly(place.text("url"))
			continue
		}
		e.Location = joined(place.text("name"), place.address())
		for _, geo := range place.objects("geo") {
			e.Lat, e.Lng = ical.ParseGeo(geo.text("latitude") + ";" + geo.text("longitude"))
		}
		break
	}
	if text := n.text("location"); e.Location == "" && e.Conference == "" {
		e.Location = text
	}
	e.Location = html.UnescapeString(e.Location)
	if zone != nil && e.Lat == nil { // else the zone of the place
		e.Zone = zone.String()
	}
	return e
}

// image returns the address of the first picture, which is a text or an object; empty if there is none.
func (n node) image(page *url.URL) string {
	address := n.text("image")
	for _, picture := range n.objects("image") {
		address = cmp.Or(picture.text("contentUrl"), picture.text("url"), address)
		break
	}
	u, err := page.Parse(address)
	if address == "" || err != nil {
		return ""
	}
	return u.String()
}

// address returns the postal address of a place, which is a text or an object.
func (n node) address() string {
	if text := n.text("address"); text != "" {
		return text
	}
	for _, a := range n.objects("address") {
		return joined(a.text("streetAddress"), strings.TrimSpace(a.text("postalCode")+" "+a.text("addressLocality")))
	}
	return ""
}

func joined(parts ...string) string {
	var all []string
	for _, part := range parts {
		if part != "" && (len(all) == 0 || !strings.Contains(all[len(all)-1], part)) {
			all = append(all, part)
		}
	}
	return strings.Join(all, ", ")
}

// parseTime parses a date or a date-time (ISO 8601).
func parseTime(text string, zone *time.Location) (time.Time, ical.Problem) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05.000Z0700", "2006-01-02T15:04:05Z0700"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC(), problemOf(at)
		}
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02"} {
		local, err := time.Parse(layout, text)
		switch {
		case err != nil:
		case zone == nil:
			return time.Time{}, ical.NoZone
		default:
			return recurrence.Instant(local, zone), problemOf(local)
		}
	}
	return time.Time{}, ical.NoStart
}

// problemOf returns the problem of a start or an end; empty if there is none.
func problemOf(at time.Time) ical.Problem {
	if ical.InRange(at) {
		return ""
	}
	return ical.NoStart
}
