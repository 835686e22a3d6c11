package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/ops/demo"
	"moothall/internal/platform/db"
)

// FillDemo fills an empty database with the demo. It does not change a database that has data, and returns an error if an
// earlier call has not finished.
func (a *App) FillDemo(ctx context.Context) error {
	s := a.settings.forDemo()
	d, err := OpenDB(ctx, s) // not a.db: if senders listen to it, notifications queue mails to demo users
	if err != nil {
		return fmt.Errorf("app: demo: %w", err)
	}
	err = demo.Play(ctx, a.demoServices(d, s), a.clock, a.log)
	return errors.Join(err, d.Close())
}

// forDemo returns the settings without anything that could send to demo users or refuse what they do.
func (s Settings) forDemo() Settings {
	s.Notifications = nil
	s.RateLimits = false
	s.TestProfiles = nil
	s.PaymentCurrencies = []string{"EUR"}
	s.AcquireTimeout = time.Minute // the machine may be slow
	return s
}

// demoServices returns the services of the demo. Its users pay outside of the service.
func (a *App) demoServices(d *db.DB, s Settings) demo.Services {
	clock := &demo.Clock{}
	r := newServices(d, nil, clock.Now, s, a.log)
	r.events.MayCharge = func(context.Context, db.Querier, domain.UserID) error { return nil }
	r.attendance.MustHavePaid = func(context.Context, db.Querier, domain.EventID, domain.UserID) error { return nil }
	r.media.Store = a.services.media.Store
	return demo.Services{
		DB: d, Clock: clock, Users: r.users, Relations: r.relation, Events: r.events, Attendance: r.attendance, Hosts: r.hosts,
		Questions: r.questions,
		DateVotes: r.dateVotes, Posts: r.posts, Messages: r.messages, Chats: r.chats, Reviews: r.reviews, Notifications: r.notify, Media: r.media,
		Series: r.series, Groups: r.groups,
	}
}
