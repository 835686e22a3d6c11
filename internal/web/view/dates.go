package view

import (
	"slices"

	"moothall/api/gen"
)

// DateVote is the vote on the dates of an event.
type DateVote struct {
	Event     gen.EventDetailsCore
	Options   []gen.EventDateOption
	Organizer bool // the viewer may select a date
	MayVote   bool
}

func (d EventData) dateVote() DateVote {
	v := DateVote{Event: d.Details.Event, Organizer: IsHost(d.Details)}
	if d.Dates != nil {
		v.Options = d.Dates.Items
	}
	invited := d.Details.ViewerInvitationStatus
	v.MayVote = v.Organizer || d.going() || !invited.Null && invited.Value != gen.InvitationStatusDeclined
	return v
}

func (d EditData) dateVote() DateVote {
	return DateVote{Event: d.Details.Event, Options: d.Dates.Items, Organizer: true}
}

func (v DateVote) mostVotes() int {
	most := 1
	for _, o := range v.Options {
		most = max(most, o.VoteCount)
	}
	return most
}

// leads reports whether no other date has more votes.
func (v DateVote) leads(o gen.EventDateOption) bool {
	return o.VoteCount > 0 && o.VoteCount == v.mostVotes()
}

// ticked reports whether the viewer has voted for a date, or has just ticked it.
func (v DateVote) ticked(p *Page, o gen.EventDateOption) bool {
	if p.Form.Refused("voteForDateOption") {
		return slices.Contains(p.Form.Values["option_id"], o.ID.String())
	}
	return o.ViewerVoted
}

// offsets are the reminders that the form offers, in minutes before the start.
var offsets = []int{10080, 2880, 1440, 180, 60, 15}

// offsets returns the offsets that the form shows, including those that another client has set.
func (d EditData) offsets() []int {
	all := slices.Concat(offsets, d.Reminders.OffsetsMinutes)
	slices.SortFunc(all, func(a, b int) int { return b - a })
	return slices.Compact(all)
}

const (
	minutesPerHour = 60
	minutesPerDay  = 24 * minutesPerHour
)

// before returns the text for a number of minutes before the start.
func (p *Page) before(minutes int) string {
	switch {
	case minutes%minutesPerDay == 0:
		return p.N("reminders.days", minutes/minutesPerDay)
	case minutes%minutesPerHour == 0:
		return p.N("reminders.hours", minutes/minutesPerHour)
	}
	return p.N("reminders.minutes", minutes)
}

// reminds reports whether a box of the form of reminders is ticked: as it was sent, or else as it
// is stored.
func (p *Page) reminds(name, value string, stored bool) bool {
	if p.Form.Action == "setReminderSettings" {
		return slices.Contains(p.Form.Values[name], value)
	}
	return stored
}
