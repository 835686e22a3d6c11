package importer

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"moothall/internal/meetup/event"
	"moothall/internal/platform/ical"
)

// Draft has the fields that an import sets. It implements event.Input.
type Draft struct {
	Title         string     `json:"title"`
	Description   *string    `json:"description"`
	Category      *string    `json:"category"`
	StartsAt      time.Time  `json:"starts_at"`
	EndsAt        *time.Time `json:"ends_at"`
	Timezone      string     `json:"timezone"` // empty: that of the place
	LocationText  *string    `json:"location_text"`
	Lat           *float64   `json:"lat"`
	Lng           *float64   `json:"lng"`
	ConferenceURL *string    `json:"conference_url"`
	ImageURL      *string    `json:"image_url,omitempty"` // used only if the user asks for it
}

// Apply implements event.Input.
func (d Draft) Apply(f *event.Fields) map[string]bool {
	f.Title, f.Description, f.Category = d.Title, d.Description, d.Category
	f.StartsAt, f.EndsAt = d.StartsAt, d.EndsAt
	f.LocationText, f.Lat, f.Lng, f.ConferenceURL = d.LocationText, d.Lat, d.Lng, d.ConferenceURL
	sent := map[string]bool{"title": true, "description": true, "category": true, "starts_at": true, "ends_at": true, "location_text": true,
		"lat": true, "lng": true, "conference_url": true}
	if d.Timezone != "" {
		f.Timezone, sent["timezone"] = d.Timezone, true
	}
	if d.ImageURL != nil {
		f.ImageURL, sent["image_url"] = d.ImageURL, true
	}
	return sent
}

// The longest texts of events, in characters.
const (
	maxTitle       = 120
	maxDescription = 10_000
	maxCategory    = 80
	maxLocation    = 300
	maxURL         = 2048 // bytes
)

// NewRow returns the row of an event of a calendar, without its position and state.
func (s *Service) NewRow(e ical.Event) Row {
	d := Draft{
		Title: line(e.Title, maxTitle), Description: optional(block(withLink(e), maxDescription)),
		LocationText: optional(line(e.Location, maxLocation)), Lat: e.Lat, Lng: e.Lng,
		StartsAt: e.Start, ConferenceURL: optional(e.Conference),
	}
	if len(e.Categories) > 0 {
		d.Category = optional(line(strings.ToLower(e.Categories[0]), maxCategory))
	}
	if !e.End.IsZero() {
		d.EndsAt = &e.End
	}
	if event.KnownZone(e.Zone) {
		d.Timezone = e.Zone
	}
	if u, err := s.ParseURL(e.Image); err == nil && len(u.String()) <= maxURL {
		d.ImageURL = new(u.String())
	}
	r := Row{UID: uidOf(e), Draft: d, hash: d.Hash()}
	if why := s.why(e, d); why != "" {
		r.Why = &why
	}
	return r
}

// why returns the reason why an event of a calendar cannot become a draft; empty if it can.
func (s *Service) why(e ical.Event, d Draft) Why {
	switch {
	case e.Canceled:
		return Canceled
	case e.Problem != "":
		return Why(e.Problem)
	case d.Title == "":
		return NoTitle
	case d.EndsAt != nil && d.EndsAt.Sub(d.StartsAt) > event.MaxLength:
		return TooLong
	case s.Events.Rules.Check(d) != nil:
		return Invalid
	}
	return ""
}

// Hash returns a hash of the fields: an import with the same one changes nothing.
func (d Draft) Hash() string {
	sum := sha256.Sum256(d.json())
	return hex.EncodeToString(sum[:16])
}

func (d Draft) json() []byte {
	text, _ := json.Marshal(d) // strings, times and finite numbers always encode
	return text
}

const maxUID = 200 // bytes

// uidOf returns the uid of a row. A missing UID is made of title and start, and a long one is shortened.
func uidOf(e ical.Event) string {
	uid := line(e.UID, maxUID)
	if e.UID == "" || len(e.UID) > maxUID {
		text := e.UID
		if text == "" {
			text = fmt.Sprint(e.Title, e.Start)
		}
		sum := sha256.Sum256([]byte(text))
		uid = "sha256:" + hex.EncodeToString(sum[:16])
	}
	if e.Recurrence != "" {
		uid += "/" + e.Recurrence
	}
	return uid
}

// withLink returns the description, and below it the page of the event unless the description names it.
func withLink(e ical.Event) string {
	if u, err := url.Parse(e.URL); e.URL == "" || err != nil || strings.Contains(e.Description, e.URL) || e.URL == u.Host {
		return e.Description
	}
	return strings.TrimSpace(e.Description + "\n\n" + e.URL)
}

// line returns a text as one line of at most n characters, without control characters.
func line(text string, n int) string {
	return cut(strings.Join(strings.Fields(block(text, len(text))), " "), n)
}

// block returns a text of at most n characters, without control characters other than line feeds and tabs.
func block(text string, n int) string {
	return cut(strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))), n)
}

func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	if runes := []rune(text); len(runes) > n {
		return strings.TrimSpace(string(runes[:n-1])) + "…"
	}
	return text
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
