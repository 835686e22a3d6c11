package app

import (
	"log/slog"

	"moothall/internal/account"
	"moothall/internal/attendance"
	"moothall/internal/calendar"
	"moothall/internal/coord"
	"moothall/internal/domain"
	"moothall/internal/feed"
	"moothall/internal/moderation"
	"moothall/internal/notify"
	"moothall/internal/platform/db"
	"moothall/internal/relation"
	"moothall/internal/review"
)

// accountParts are what the rooms keep of people, in the order in which they
// forget: the account, by which the others find what is theirs, is the last.
func (r rooms) accountParts() []account.Part {
	return []account.Part{
		{Name: "payments", Export: r.payments.Export, Forget: r.payments.Forget},
		{Name: "events", Export: r.events.Export, Forget: r.events.Forget},
		{Name: "attendance", Export: attendance.Export, Forget: attendance.Forget},
		{Name: "coordination", Export: coord.Export, Forget: coord.Forget},
		{Name: "calendar", Export: calendar.Export, Forget: calendar.Forget},
		{Name: "feed", Export: feed.Export, Forget: feed.Forget},
		{Name: "posts", Export: r.posts.Export, Forget: r.posts.Forget},
		{Name: "reviews", Export: review.Export, Forget: review.Forget},
		{Name: "reports", Export: moderation.Export, Forget: moderation.Forget},
		{Name: "notifications", Export: notify.Export, Forget: notify.Forget},
		{Name: "relations", Export: relation.Export, Forget: relation.Forget},
		{Name: "sign_in", Export: r.sessions.Export, Forget: r.sessions.Forget},
		{Name: "account", Export: r.profiles.Export, Forget: r.profiles.Forget},
	}
}

// NewAccounts gives what can be done with accounts, for commands.
func NewAccounts(d *db.DB, s Settings) *account.Service {
	return newRooms(d, domain.SystemClock(), s, slog.New(slog.DiscardHandler)).accounts
}
