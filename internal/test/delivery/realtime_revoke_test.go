package delivery_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

// revocation is a way to lose access to what a socket shows.
type revocation struct {
	name   string
	act    func(a *apptest.App, org, guest *apptest.Client, event string)
	reason string // of the revoked frame; empty: the session ends
}

var revocations = []revocation{
	{"logout", func(a *apptest.App, _, guest *apptest.Client, _ string) {
		a.Anonymous().Post("/auth/logout", apptest.Fields{"refresh_token": guest.RefreshToken}).Want(204)
	}, ""},
	{"session revoked", func(_ *apptest.App, _, guest *apptest.Client, _ string) {
		guest.Delete("/auth/sessions/" + guest.SessionID).Want(204)
	}, ""},
	{"refresh token reused", func(a *apptest.App, _, guest *apptest.Client, _ string) {
		a.Anonymous().Refresh(guest.RefreshToken).Want(200)
		a.Anonymous().Refresh(guest.RefreshToken).Want(401)
	}, ""},
	{"suspended", func(a *apptest.App, _, guest *apptest.Client, _ string) {
		report := a.As("org").Post("/reports", apptest.Fields{"target_type": "user", "target_id": guest.UserID, "reason": "spam"}).Want(201)
		a.As("mod").Patch("/admin/reports/"+report.Text("id"), apptest.Fields{"status": "resolved", "action": "suspend_user"}).Want(200)
	}, ""},
	{"deleted", func(_ *apptest.App, _, guest *apptest.Client, _ string) { guest.Delete("/me").Want(204) }, ""},
	{"left", func(_ *apptest.App, _, guest *apptest.Client, event string) {
		guest.Delete("/events/" + event + "/join").Want(200)
	}, "left"},
	{"declined", func(_ *apptest.App, _, guest *apptest.Client, event string) {
		guest.Patch("/events/"+event+"/rsvp", apptest.Fields{"status": "declined"}).Want(200)
	}, "left"},
	{"blocked by the organizer", func(_ *apptest.App, org, guest *apptest.Client, _ string) { org.Block(guest) }, "blocked"},
	{"blocks the organizer", func(_ *apptest.App, org, guest *apptest.Client, _ string) { guest.Block(org) }, "blocked"},
}

// TestRevoke ends access in every way, on one instance, while a WebSocket and a stream are
// open on another.
func TestRevoke(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		for n, r := range revocations {
			org, guest := a.SignIn(apptest.Email(fmt.Sprint("org", n))), a.SignIn(apptest.Email(fmt.Sprint("guest", n)))
			t.Run(r.name, func(t *testing.T) {
				org, guest := org.In(t), guest.In(t)
				event := r.invite(org, guest, apptest.Email(fmt.Sprint("guest", n)))
				sockets := []*apptest.Socket{
					guest.On(1).Socket("/events/" + event + "/ws"),
					guest.On(1).Stream("/realtime/stream?topic=chat:" + event),
				}
				for _, s := range sockets {
					s.Want("caught_up")
				}
				r.act(a, org, guest, event)
				began := time.Now()
				for i, s := range sockets {
					if r.reason != "" {
						if got := s.Want("revoked").Text("reason"); got != r.reason {
							t.Errorf("the reason is %q, want %q", got, r.reason)
						}
					} else if code := s.WantEnd(); i == 0 && code != 4401 {
						t.Errorf("the close code is %d, want 4401", code)
					}
				}
				t.Logf("after %v", time.Since(began).Round(time.Millisecond))
			})
		}
	}, apptest.Instances(2), apptest.StartAt(apptest.Today), apptest.Setting("REFRESH_RACE_WINDOW", "0s"),
		apptest.Setting("MODERATION_ADMIN_EMAILS", apptest.Email("mod")))
}

// invite makes the guest a member of the chat of an event, and returns it.
func (r revocation) invite(org, guest *apptest.Client, email string) string {
	if r.name != "declined" {
		event := org.Publish(nil)
		guest.Join(event)
		return event
	}
	event := org.Publish(apptest.Fields{"visibility": "private"})
	org.Post("/events/"+event+"/invitations", apptest.Fields{"email": email}).Want(201)
	guest.Patch("/events/"+event+"/rsvp", apptest.Fields{"status": "tentative"}).Want(200)
	return event
}

// TestEventIsRevoked blocks a stranger who watches a public event.
func TestEventIsRevoked(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, stranger := a.As("org"), a.As("stranger")
		event := org.Publish(nil)
		s := stranger.On(1).Socket("/realtime")
		s.Send(apptest.Fields{"op": "subscribe", "id": 7, "topic": "event:" + event})
		if got := s.Want("subscribed").Number("id"); got != 7 {
			t.Errorf("the answer has the id %v", got)
		}
		org.Block(stranger)
		if got := s.Want("revoked").Text("reason"); got != "blocked" {
			t.Errorf("the reason is %q", got)
		}
		s.Send(apptest.Fields{"op": "subscribe", "topic": "event:" + event})
		if got := s.Want("error").Text("error"); got != "not_found" {
			t.Errorf("the error is %q", got)
		}
	}, apptest.Instances(2), apptest.StartAt(apptest.Today))
}

// TestRightLostWhileSubscribing blocks a user between the check of their rights and the
// subscription, while the hub handles the block: it is not lost.
func TestRightLostWhileSubscribing(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			var armed atomic.Bool
			checked, blocked := make(chan struct{}), make(chan struct{})
			a := apptest.New(t, engine, apptest.StartAt(apptest.Today), apptest.OnStatement(func(_ context.Context, s *db.Stmt) {
				if s.Name() == "chat.latest" && armed.CompareAndSwap(true, false) {
					close(checked)
					<-blocked
				}
			}))
			org, guest := a.As("org"), a.As("guest")
			event := org.Publish(nil)
			guest.Join(event)
			early, late := guest.Socket("/events/"+event+"/ws"), guest.Socket("/realtime")
			early.Want("caught_up")
			armed.Store(true)
			late.Send(apptest.Fields{"op": "subscribe", "topic": "chat:" + event})
			<-checked
			org.Block(guest)
			early.Want("revoked")
			close(blocked)
			began := time.Now()
			late.Want("revoked")
			if took := time.Since(began); took > 20*time.Second { // all rights are checked every minute
				t.Errorf("the subscription ends after %v", took)
			}
		})
	}
}
