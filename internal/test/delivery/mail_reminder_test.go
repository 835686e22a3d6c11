package delivery_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

var remindersStmt = db.SQL("deliver_test.reminders", `SELECT COUNT(*) FROM notifications WHERE kind = 'event_reminder'`)

// reminded returns how many of the mails to a user are reminders.
func reminded(t *testing.T, a *apptest.App, name string) (n int) {
	t.Helper()
	for _, m := range mailsTo(t, a, name) {
		if strings.HasPrefix(m.Subject, "Today, ") || strings.HasPrefix(m.Subject, "Tomorrow, ") {
			n++
		}
	}
	return n
}

// remind enables reminders by mail.
func remind(org *apptest.Client, event string, offsets ...int) {
	org.Patch("/events/"+event+"/reminders", apptest.Fields{"enabled": true, "offsets_minutes": offsets,
		"channels": []string{"in_app", "email"}}).Want(200)
}

// TestReminders sends each reminder once, to everybody who attends or may, by mail only if
// the organizer has chosen it.
func TestReminders(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		start := apptest.Today.Add(5 * time.Hour)
		event, inApp := org.Publish(apptest.Fields{"title": "Chess", "starts_at": start}), org.Publish(apptest.Fields{"starts_at": start})
		a.As("ann").Join(event)
		a.As("hidden").Post("/events/"+event+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		remind(org, event, 60, 120)
		a.As("ben").Join(inApp)
		org.Patch("/events/"+inApp+"/reminders", apptest.Fields{"enabled": true, "offsets_minutes": []int{60}}).Want(200)
		for _, step := range []struct {
			after time.Duration
			want  int
		}{{3*time.Hour - time.Second, 0}, {time.Second + 2*time.Minute, 1}, {57 * time.Minute, 1}, {time.Minute + 2*time.Minute, 2},
			{2 * time.Hour, 2}} {
			a.RunJobs()
			a.Clock.Advance(step.after)
			a.RunJobs() // a mail is due two minutes after its job
			a.Clock.Advance(2 * time.Minute)
			for _, name := range []string{"ann", "hidden"} {
				if got := reminded(t, a, name); got != step.want && got != step.want+1 {
					t.Errorf("%s after %v: %d reminders, want %d", name, step.after, got, step.want)
				}
			}
		}
		if got := reminded(t, a, "ann"); got != 2 {
			t.Errorf("%d reminders", got)
		}
		if got := reminded(t, a, "ben") + reminded(t, a, "org"); got != 0 {
			t.Errorf("%d reminders to others", got)
		}
		if n := a.Count(remindersStmt); n != 5 {
			t.Errorf("%d notifications", n)
		}
	}, delivers...)
}

// TestRemindersNeedAChannel stores the settings only, if the service delivers nothing.
func TestRemindersNeedAChannel(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(apptest.Fields{"starts_at": apptest.Today.Add(5 * time.Hour)})
		a.As("ann").Join(event)
		remind(org, event, 60)
		a.Clock.Advance(4*time.Hour + 30*time.Minute)
		a.RunJobs()
		if n := a.Count(remindersStmt); n != 0 {
			t.Errorf("%d reminders", n)
		}
	}, apptest.StartAt(apptest.Today), apptest.Setting("ACCESS_TOKEN_TTL", "24h"))
}

// change is something that happens to an event or its guest. want are the mails to the guest in
// all, as summary writes them, if it happens before the job of the reminder, between the job and
// the mail, and after the mail. The first message for the calendar is due after the first moment.
type change struct {
	name string
	want [3]string
	do   func(w reminderWorld)
}

type reminderWorld struct {
	*apptest.App
	org, guest *apptest.Client
	path       string // of the event
	start      time.Time
}

func (w reminderWorld) vote() {
	w.org.Patch(w.path+"/date-mode", apptest.Fields{"mode": "vote"}).Want(204)
}

var changes = []change{
	{"nothing", [3]string{"+ reminder", "+ reminder", "+ reminder"}, func(reminderWorld) {}},
	{"another start", [3]string{"+ reminder updated", "++ reminder updated", "++ reminder reminder updated"}, func(w reminderWorld) {
		w.org.Patch(w.path, apptest.Fields{"starts_at": w.start.Add(4 * time.Hour)}).Want(200)
	}},
	{"another place", [3]string{"+ reminder updated", "++ reminder updated", "++ reminder updated"}, func(w reminderWorld) {
		w.org.Patch(w.path, apptest.Fields{"location_text": "Elsewhere"}).Want(200)
	}},
	{"another zone", [3]string{"+ reminder updated", "++ reminder updated", "++ reminder updated"}, func(w reminderWorld) {
		w.org.Patch(w.path, apptest.Fields{"timezone": "Asia/Tokyo"}).Want(200)
	}},
	{"canceled", [3]string{"canceled", "+- canceled", "+- canceled reminder"}, func(w reminderWorld) { w.org.Post(w.path+"/cancel", nil).Want(200) }},
	{"left", [3]string{"", "+-", "+- reminder"}, func(w reminderWorld) { w.guest.Delete(w.path + "/join").Want(200) }},
	{"left and came back", [3]string{"+ reminder", "+ reminder", "+ reminder"}, func(w reminderWorld) {
		w.guest.Delete(w.path + "/join").Want(200)
		w.guest.Post(w.path+"/join", nil).Want(200)
	}},
	{"blocked", [3]string{"", "+-", "+- reminder"}, func(w reminderWorld) { w.guest.Block(w.org) }},
	{"blocked by the organizer", [3]string{"", "+-", "+- reminder"}, func(w reminderWorld) { w.org.Block(w.guest) }},
	{"suspended", [3]string{"", "+", "+ reminder"}, func(w reminderWorld) { w.Exec(mailSuspendStmt, w.guest.ID()) }},
	{"visibility, which cannot change", [3]string{"+ reminder", "+ reminder", "+ reminder"}, func(w reminderWorld) {
		w.org.Patch(w.path, apptest.Fields{"visibility": "private"}).WantError(403, "forbidden")
	}},
	{"vote and another date", [3]string{"+ date-selected reminder", "++ date-selected reminder", "++ date-selected reminder reminder"},
		func(w reminderWorld) {
			w.vote()
			option := w.org.Post(w.path+"/date-options", apptest.Fields{"starts_at": w.start.Add(4 * time.Hour)}).Want(201).Text("id")
			w.org.Post(w.path+"/date-options/"+option+"/select", nil).Want(200)
		}},
	{"vote without an end", [3]string{"", "+", "+ reminder"}, func(w reminderWorld) { w.vote() }},
	{"reminders off", [3]string{"+", "+ reminder", "+ reminder"}, func(w reminderWorld) { w.org.Patch(w.path+"/reminders", apptest.Fields{"enabled": false}).Want(200) }},
	{"another offset", [3]string{"+ reminder", "+ reminder reminder", "+ reminder reminder"}, func(w reminderWorld) {
		w.org.Patch(w.path+"/reminders", apptest.Fields{"offsets_minutes": []int{30}}).Want(200)
	}},
	{"muted", [3]string{"", "+", "+ reminder"}, func(w reminderWorld) { w.guest.Put(w.path+"/mute", nil).Want(200) }},
	{"guest deleted", [3]string{"", "+", "+ reminder"}, func(w reminderWorld) { w.guest.Delete("/me").Want(204) }},
	{"organizer deleted", [3]string{"canceled", "+- canceled", "+- canceled reminder"}, func(w reminderWorld) { w.org.Delete("/me").Want(204) }},
}

// TestMailsFollowTheEvent makes each change at three moments, on two instances. Each person gets one
// reminder for each start and offset, never a late one, one mail about each change, and calendar
// messages that end with what is true; nobody gets what they must not have.
func TestMailsFollowTheEvent(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		start := apptest.Today.Add(3 * time.Hour)
		var worlds [3][]reminderWorld
		for moment := range worlds {
			for i := range changes {
				w := reminderWorld{App: a, org: a.As(fmt.Sprintf("org%d.%d", moment, i)), guest: a.As(guestName(moment, i)), start: start}
				event := w.org.Publish(apptest.Fields{"starts_at": start})
				w.path = "/events/" + event
				w.guest.Join(event)
				remind(w.org, event, 60)
				worlds[moment] = append(worlds[moment], w)
			}
		}
		change := func(moment int) {
			for i, c := range changes {
				c.do(worlds[moment][i])
			}
			a.RunJobs()
		}
		change(0)
		a.Clock.Advance(2 * time.Hour) // the jobs run
		a.RunJobs()
		change(1)
		a.Clock.Advance(2 * time.Minute) // the mails are due
		a.RunJobs()
		change(2)
		for range 60 {
			a.Clock.Advance(6 * time.Minute)
			a.RunJobs()
		}
		for moment, when := range []string{"before the job", "before the mail", "after the mail"} {
			for i, c := range changes {
				got := toldTo(t, m, guestName(moment, i))
				if summary(got) != c.want[moment] {
					t.Errorf("%s, %s: %q, want %q", c.name, when, summary(got), c.want[moment])
				}
				wantRising(t, c.name+", "+when, got)
			}
		}
	}, apptest.Instances(2))
}

func guestName(moment, i int) string { return fmt.Sprintf("guest%d.%d", moment, i) }

// TestAskAgain asks participants two days before the start. A link gives up the seat; a GET
// of it does not.
func TestAskAgain(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, ben := a.As("org"), a.As("ann"), a.As("ben")
		event := org.Publish(apptest.Fields{"title": "Chess", "starts_at": apptest.Today.Add(60 * time.Hour)})
		path := "/events/" + event
		ann.Join(event)
		ben.Join(event)
		set := org.Patch(path+"/reminders", apptest.Fields{"enabled": true, "ask_again": true, "channels": []string{"email"}}).Want(200)
		if set.Get("ask_again") != true || org.Get(path+"/reminders").Want(200).Get("ask_again") != true {
			t.Errorf("settings: %s", set.Body)
		}
		a.Clock.Advance(12*time.Hour - time.Second)
		a.RunJobs()
		a.Clock.Advance(2 * time.Minute)
		a.RunJobs()
		a.Clock.Advance(2 * time.Minute)
		got := mailsTo(t, a, "ann")
		if subjects(got) != "Are you still coming to “Chess”?" {
			t.Fatalf("mails: %s", subjects(got))
		}
		link := unsubscribePaths(t, got[0])[0]
		anybody := a.Anonymous()
		anybody.Get(link).Want(200)
		count := func() float64 { return org.Get(path).Want(200).Number("participant_count") }
		if count() != 2 {
			t.Error("a GET gave up the seat")
		}
		anybody.Post(link, nil).Want(200)
		if count() != 1 {
			t.Errorf("%v participants after the answer", count())
		}
		anybody.Post(link, nil).Want(200)
		late := unsubscribePaths(t, mailsTo(t, a, "ben")[0])[0]
		a.Clock.Advance(60 * time.Hour)
		anybody.Post(late, nil).Want(404) // it has begun
	}, append([]apptest.Option{apptest.Setting("ACCESS_TOKEN_TTL", "24h")}, delivers...)...)
}
