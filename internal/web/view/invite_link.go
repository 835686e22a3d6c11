package view

import (
	"moothall/api/gen"
	"moothall/internal/platform/text"
)

// TokenField is the name of the field with the token of an invitation link.
const TokenField = "token"

// InviteLinkData is what the page of an invitation link shows.
type InviteLinkData struct {
	Link  *gen.InviteLinkPreview
	Token string
}

// OwnInviteLink is an invitation link for its organizer.
type OwnInviteLink struct {
	gen.InviteLink
	QR QR
}

// linkLifetimes are the days to choose from after which an invitation link ends; 0: with the event.
var linkLifetimes = []int{0, 1, 7, 30}

// linkUses says how many people a link has invited, and of how many at most.
func (p *Page) linkUses(l gen.InviteLink) string {
	if l.MaxUses.Null {
		return p.N("links.uses", l.Uses)
	}
	return p.Language.Plural("links.uses_of", int64(l.Uses), text.Fields{"PluralCount", p.Number(l.Uses), "Most", p.Number(l.MaxUses.Value)})
}

// linkEnd says when a link ends or why it invites nobody any more; "" if it ends with the event.
func (p *Page) linkEnd(l gen.InviteLink, zone string) string {
	switch {
	case !l.MaxUses.Null && l.Uses >= l.MaxUses.Value:
		return p.T("links.used_up")
	case l.ExpiresAt.Null:
		return ""
	case !l.ExpiresAt.Value.After(p.Now):
		return p.T("links.expired")
	}
	return p.T("links.until", "Time", p.Moment(In(l.ExpiresAt.Value, zone)))
}

// WhenAndWhere says in one line when an event is and in which city.
func (p *Page) WhenAndWhere(l *gen.InviteLinkPreview) string {
	when := p.Span(l.StartsAt, l.EndsAt, l.Timezone)
	if l.City.Null {
		return when
	}
	return when + ", " + l.City.Value
}
