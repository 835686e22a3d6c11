package view

import (
	"cmp"
	"slices"
	"time"

	"moothall/api/gen"
)

// isOther reports whether a category is none of those that the form offers.
func isOther(category string) bool {
	_, offered := foldCategory(category)
	return category != "" && !offered
}

// otherText returns the text of a category that the form does not offer.
func otherText(category string) string {
	if !isOther(category) || category == OtherCategory {
		return ""
	}
	return category
}

func themeName(theme string) string { return cmp.Or(theme, "none") }

// moreFields are the fields that the form hides at first.
var moreFields = []string{"capacity", "price_amount", "conference_url"}

// opensMore reports whether the form shows all fields at once: one has a value, was refused or needs a decision.
func (p *Page) opensMore(d EditData) bool {
	return d.Payments != nil || p.Form.Refused(d.action()) || d.entered(p, "visibility") != string(gen.EventVisibilityPublic) ||
		slices.ContainsFunc(moreFields, func(name string) bool { return d.entered(p, name) != "" })
}

// entered returns the value of a field that the form shows.
func (d EditData) entered(p *Page, name string) string {
	return p.Form.Value(d.action(), name, d.Value(name))
}

// groups are the choices for the group of the event: that of the event, and those that a draft may get.
func (d EditData) groups() (all []gen.GroupReference) {
	if !d.isNew() && !d.Details.Group.Null {
		all = append(all, d.Details.Group.Value)
	}
	for _, g := range d.Groups {
		if len(all) == 0 || g.ID != all[0].ID {
			all = append(all, gen.GroupReference{ID: g.ID, Slug: g.Slug, Name: g.Name})
		}
	}
	return all
}

// visibilities are the choices who sees the event.
func (d EditData) visibilities() []string {
	all := []string{string(gen.EventVisibilityPublic), string(gen.EventVisibilityPrivate)}
	if len(d.groups()) > 0 {
		all = append(all, string(gen.EventVisibilityMembers))
	}
	return all
}

// shownStart returns the local start that the form shows.
func (d EditData) shownStart(p *Page) time.Time {
	at, ok := LocalTime(d.entered(p, "starts_at"), "UTC")
	if !ok {
		return p.Now
	}
	return at
}

// keeps says that the form of a new event is kept in the tab until the visitor is signed in.
func (p *Page) keeps() string {
	if p.SignedIn() {
		return ""
	}
	return "yes"
}
