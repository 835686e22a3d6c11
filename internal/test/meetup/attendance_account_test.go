package meetup_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"moothall/internal/meetup/attendance"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestBlockEndsParticipation blocks one of two users who joined each other's events.
// Participations in coming events end. Past participations and those of other users
// stay.
func TestBlockEndsParticipation(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, bob := a.As("org"), a.As("ann"), a.As("bob")
		public, over, hers := org.Publish(apptest.Fields{"capacity": 5}), org.Publish(apptest.Fields{"starts_at": "2026-06-01T09:05:00Z"}),
			ann.Publish(nil)
		accepted, pending, tentative := private(org, nil), private(org, nil), private(org, nil)
		for _, event := range []string{accepted, pending, tentative} {
			attendanceInvite(org, event, "ann").Want(201)
			attendanceInvite(org, event, "bob").Want(201)
		}
		rsvp(ann, accepted, "accepted").Want(200)
		rsvp(ann, tentative, "tentative").Want(200)
		rsvp(bob, accepted, "accepted").Want(200)
		for _, join := range []struct {
			who   *apptest.Client
			event string
		}{{ann, public}, {ann, over}, {bob, public}, {bob, hers}, {org, hers}} {
			join.who.Post("/events/"+join.event+"/join", nil).Want(200)
		}
		a.Clock.Advance(10 * time.Minute) // the event that began at 9:05 is over

		block := func() {
			t.Helper()
			err := a.DB.InTx(t.Context(), func(tx db.Tx) error {
				return attendance.OnBlock(t.Context(), tx, a.Clock.Now(), id(t, ann.UserID), id(t, org.UserID))
			})
			if err != nil {
				t.Fatal(err)
			}
			attendanceAgree(t, a)
		}
		block()
		block() // changes nothing
		for _, row := range []struct {
			what              string
			who               *apptest.Client
			event             string
			going, invitation any
		}{
			{"a coming event", ann, public, "left", nil},
			{"an event that is over", ann, over, "going", nil},
			{"an accepted invitation", ann, accepted, "left", "declined"},
			{"a pending invitation", ann, pending, nil, "declined"},
			{"a tentative invitation", ann, tentative, nil, "declined"},
			{"the other way round", org, hers, "left", nil},
			{"another user's participation", bob, public, "going", nil},
			{"another user's in hers", bob, hers, "going", nil},
			{"another user's invitation", bob, accepted, "going", "accepted"},
			{"another user's pending invitation", bob, pending, nil, "pending"},
		} {
			seen := row.who.Get("/events/" + row.event).Want(200)
			if seen.Get("viewer_participation_status") != row.going || seen.Get("viewer_invitation_status") != row.invitation {
				t.Errorf("%s: %s", row.what, seen.Body)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestAttendanceExportAndErase checks that the counts stay exact and other users' rows stay.
func TestAttendanceExportAndErase(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, bob := a.As("org"), a.As("ann"), a.As("bob")
		going, left, secret, invited := org.Publish(nil), org.Publish(nil), org.Publish(apptest.Fields{"capacity": 3}), private(ann, nil)
		ann.Post("/events/"+going+"/join", nil).Want(200)
		ann.Post("/events/"+left+"/join", nil).Want(200)
		ann.Delete("/events/" + left + "/join").Want(200)
		ann.Post("/events/"+secret+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		bob.Post("/events/"+secret+"/join", nil).Want(200)
		ann.Post("/events/"+invited+"/invitations", apptest.Fields{"email": apptest.Email("bob"), "message": "from ann"}).Want(201)
		attendanceInvite(org, private(org, nil), "ann").Want(201)

		exported, err := attendance.Export(t.Context(), a.DB, id(t, ann.UserID))
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(exported)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{going, left, secret, invited, "incognito", "from ann", `"status":"left"`} {
			if !strings.Contains(string(text), want) {
				t.Errorf("the export lacks %s: %s", want, text)
			}
		}
		for range 2 {
			err = a.DB.InTx(t.Context(), func(tx db.Tx) error { return attendance.Erase(t.Context(), tx, id(t, ann.UserID), a.Clock.Now()) })
			if err != nil {
				t.Fatal(err)
			}
			if n := attendanceAgree(t, a); n != 1 {
				t.Errorf("%d are still going", n)
			}
		}
		if attendanceCount(org, going) != 0 || attendanceCount(org, secret) != 1 {
			t.Error("the counts are wrong")
		}
		if seen := bob.Get("/events/" + invited).Want(200); seen.Text("viewer_invitation_status") != "pending" {
			t.Errorf("bob's invitation is gone: %s", seen.Body)
		}
		again, err := attendance.Export(t.Context(), a.DB, id(t, ann.UserID))
		if text, _ := json.Marshal(again); err != nil || strings.Contains(string(text), "from ann") || strings.Contains(string(text), going) {
			t.Errorf("the export after the erasure: %s, %v", text, err)
		}
	}, apptest.StartAt(apptest.Today))
}
