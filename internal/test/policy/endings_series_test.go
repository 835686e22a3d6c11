package policy

import "moothall/internal/test/apptest"

// series begins a series of ann with two dates.
func series(p *trial) { p.ids["series"] = beginSeries(p).Want(201).Text("id") }

func beginSeries(p *trial) *apptest.Reply {
	return p.ann.On(p.round+1).Post("/event-series", apptest.Fields{"rrule": "FREQ=WEEKLY;COUNT=2", "starts_at": "2026-06-04T19:00:00",
		"timezone": "Europe/Berlin", "template": apptest.Fields{"title": "Tea"}})
}

// The requests about series.
var (
	beginning     = act{"series", "ann", nil, beginSeries, "series.insert"}
	joiningSeries = act{"join of a series", "bob", series, func(p *trial) *apptest.Reply {
		return p.bob.Post("/event-series/"+p.ids["series"]+"/join", nil)
	}, "series.put_member"}
	continuing = act{"continued series", "ann", func(p *trial) {
		series(p)
		p.ann.Post("/event-series/"+p.ids["series"]+"/pause", nil).Want(200)
	}, func(p *trial) *apptest.Reply {
		return p.ann.On(p.round+1).Post("/event-series/"+p.ids["series"]+"/resume", nil)
	}, "series.update"}
)

// The rows of series that rules forbid.
var (
	memberOf       = `series_members m JOIN event_series s ON s.id = m.series_id`
	blockedMembers = between(memberOf, `m.user_id`, `s.owner_id`)
	deletedMembers = memberOf + ` JOIN users u ON u.id IN (m.user_id, s.owner_id) WHERE u.deleted_at IS NOT NULL`
)

// seriesEndings are the rows of docs/concurrency.md about series.
var seriesEndings = []ending{
	{blocking, joiningSeries, blockedMembers, true},
	{suspension, own(joiningSeries), ``, true},
	{deletion, beginning, of(`event_series`, `owner_id`), true},
	{deletion, continuing, of(`event_series`, `owner_id`), true},
	{deletion, own(joiningSeries), deletedMembers, true},
	{deletion, joiningSeries.as("join of a series of the user"), deletedMembers, true},
}
