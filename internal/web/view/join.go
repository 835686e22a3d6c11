package view

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/platform/text"
)

// JoinedField is the parameter of the page of an event that the viewer has just joined.
const JoinedField = "joined"

// joinStep is the id of the form that an anonymous viewer sends next to join.
func (p *Page) joinStep() string {
	if p.Form.atCode() {
		return verifyForm
	}
	return startForm
}

// over is when an event ends, or when its calendar entry does if the event has no end.
func (d EventData) over() time.Time {
	e := d.Details.Event
	if e.EndsAt.Null {
		return e.StartsAt.Add(3 * time.Hour)
	}
	return e.EndsAt.Value
}

// google is the address at which Google Calendar adds the event.
func (d EventData) google() templ.SafeURL {
	const format = "20060102T150405Z"
	e := d.Details.Event
	return templ.SafeURL("https://calendar.google.com/calendar/render?" + url.Values{
		"action": {"TEMPLATE"}, "text": {e.Title}, "dates": {e.StartsAt.UTC().Format(format) + "/" + d.over().UTC().Format(format)},
		"ctz": {e.Timezone}, "location": {Place(d.Details.Location)}, "details": {e.ShareURL},
	}.Encode())
}

// outlook is the address at which Outlook adds the event.
func (d EventData) outlook() templ.SafeURL {
	e := d.Details.Event
	return templ.SafeURL("https://outlook.live.com/calendar/0/deeplink/compose?" + url.Values{
		"path": {"/calendar/action/compose"}, "rru": {"addevent"}, "subject": {e.Title}, "startdt": {e.StartsAt.UTC().Format(time.RFC3339)},
		"enddt": {d.over().UTC().Format(time.RFC3339)}, "location": {Place(d.Details.Location)}, "body": {e.ShareURL},
	}.Encode())
}

// shownNames is how many participants besides the viewer the page names.
const shownNames = 2

// othersShown are participants besides the viewer.
func (d EventData) othersShown(p *Page) []gen.PublicProfile {
	return slices.DeleteFunc(slices.Clone(d.Details.SocialProof.ParticipantsPreview), func(u gen.PublicProfile) bool { return p.Is(u.UserID) })
}

// names says who comes, like "Anna, Ben and 11 more", as far as the viewer may know; "" if the viewer may see no names.
func (d EventData) names(p *Page) string {
	var names []string
	for _, u := range d.Details.SocialProof.ParticipantsPreview {
		if len(names) < shownNames {
			names = append(names, p.Name(u))
		}
	}
	list, rest := strings.Join(names, ", "), d.Details.ParticipantCount-len(names)
	if len(names) == 0 || rest <= 0 {
		return list
	}
	return p.Language.Plural("event.and_more", int64(rest), text.Fields{"Names", list, "PluralCount", p.Number(rest)})
}

// others says who comes besides the viewer, like "Anna, Ben and 11 more come, too"; "" if nobody does.
func (d EventData) others(p *Page) string {
	count := d.Details.ParticipantCount - d.party()
	var names []string
	for _, u := range d.othersShown(p) {
		if len(names) < shownNames {
			names = append(names, p.Name(u))
		}
	}
	list := strings.Join(names, ", ")
	switch rest := count - len(names); {
	case count <= 0:
		return ""
	case len(names) == 0:
		return p.N("in.others", count)
	case rest <= 0:
		return p.T("in.come", "Names", list)
	default:
		return p.Language.Plural("in.and_more", int64(rest), text.Fields{"Names", list, "PluralCount", p.Number(rest)})
	}
}
