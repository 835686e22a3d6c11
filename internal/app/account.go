package app

import (
	"log/slog"

	"moothall/internal/account"
	"moothall/internal/attendance"
	"moothall/internal/calendar"
	"moothall/internal/chat"
	"moothall/internal/datevote"
	"moothall/internal/domain"
	"moothall/internal/feed"
	"moothall/internal/moderation"
	"moothall/internal/notify"
	"moothall/internal/platform/db"
	"moothall/internal/relation"
	"moothall/internal/reminder"
	"moothall/internal/review"
	"moothall/internal/signin"
)

// accountSections lists the data of every feature in the order of erasure: the
// account comes last, because the others find their rows by it.
func (r rooms) accountSections() []account.Section {
	return []account.Section{
		{Name: "payments", Export: r.payments.Export, Erase: r.payments.Erase},
		{Name: "events", Export: r.events.Export, Erase: r.events.Erase},
		{Name: "attendance", Export: attendance.Export, Erase: attendance.Erase},
		{Name: "chat", Export: chat.Export, Erase: chat.Erase},
		{Name: "dates", Export: datevote.Export, Erase: datevote.Erase},
		{Name: "reminders", Export: reminder.Export, Erase: reminder.Erase},
		{Name: "calendar", Export: calendar.Export, Erase: calendar.Erase},
		{Name: "feed", Export: feed.Export, Erase: feed.Erase},
		{Name: "posts", Export: r.posts.Export, Erase: r.posts.Erase},
		{Name: "reviews", Export: review.Export, Erase: review.Erase},
		{Name: "reports", Export: moderation.Export, Erase: moderation.Erase},
		{Name: "notifications", Export: notify.Export, Erase: notify.Erase},
		{Name: "relations", Export: relation.Export, Erase: relation.Erase},
		{Name: "sign_in", Export: signin.Export, Erase: signin.Erase},
		{Name: "account", Export: r.profiles.Export, Erase: r.profiles.Erase},
	}
}

// NewAccounts gives what can be done with accounts, for commands.
func NewAccounts(d *db.DB, s Settings) *account.Service {
	return newRooms(d, domain.SystemClock(), s, slog.New(slog.DiscardHandler)).accounts
}
