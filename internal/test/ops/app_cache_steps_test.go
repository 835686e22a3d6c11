package ops_test

import (
	"strings"
	"time"

	"moothall/internal/domain"
	"moothall/internal/ops/app"
	"moothall/internal/test/apptest"
)

func (w *cacheWorld) thereAndBack(path string) {
	w.write(w.as(ann), "POST", path, nil)
	w.write(w.as(ann), "DELETE", path, nil)
}

func (w *cacheWorld) newPost() {
	w.names["post"] = w.write(w.as(organizer), "POST", "/events/{event}/posts", map[string]any{"body": w.fresh("News")}).Text("id")
}

func (w *cacheWorld) newComment() (id string) {
	return w.write(w.as(ann), "POST", "/events/{event}/posts/{post}/comments", map[string]any{"body": w.fresh("Well")}).Text("id")
}

func (w *cacheWorld) newOption() (id string) {
	w.serial++
	starts := time.Date(2026, 7, 1, 0, 0, w.serial, 0, time.UTC)
	return w.write(w.as(organizer), "POST", "/events/{voted}/date-options", map[string]any{"starts_at": starts}).Text("id")
}

func (w *cacheWorld) newEntry() (id string) {
	return w.write(w.as(ann), "POST", "/calendar/entries", map[string]any{"title": "Tea", "starts_at": "2026-12-01T18:00:00Z"}).Text("id")
}

func (w *cacheWorld) report(kind, id string) (report string) {
	return w.write(w.newcomer(), "POST", "/reports", map[string]any{"target_type": kind, "target_id": id, "reason": "spam"}).Text("id")
}

// resolve lets the moderator act on a target.
func (w *cacheWorld) resolve(kind, id, action string) {
	w.write(w.as(moderator), "PATCH", "/admin/reports/"+w.report(kind, id), map[string]any{"status": "resolved", "action": action})
}

// restore ends a suspension, as the command does.
func (w *cacheWorld) restore(id domain.UserID) {
	accounts, err := app.NewAccounts(w.t.Context(), w.DB, app.Settings{})
	if err == nil {
		err = accounts.Restore(w.t.Context(), id)
	}
	if err != nil {
		w.t.Error(err)
	}
	w.check("restore")
}

// pastParticipant returns a new person who went to {past}.
func (w *cacheWorld) pastParticipant() *apptest.Client {
	now := w.Clock.Now()
	w.Clock.Set(noon)
	c := w.newcomer() // its session began before it joins
	c.Join(w.names["past"])
	w.Clock.Set(now)
	w.check("join")
	return c
}

// deletions delete accounts with one thing each, so that each is noticed, and one with
// everything.
func deletions(w *cacheWorld) {
	things := []func(c *apptest.Client){
		func(c *apptest.Client) { w.write(c, "POST", "/events/{event}/join", nil) },
		func(c *apptest.Client) {
			w.write(c, "POST", "/events/{event}/posts/{post}/comments", map[string]any{"body": "Well."})
		},
		func(c *apptest.Client) { w.write(c, "POST", "/events/{event}/posts/{post}/like", nil) },
		func(c *apptest.Client) { w.write(c, "POST", "/events/{event}/posts/{post}/repost", nil) },
		func(c *apptest.Client) {
			w.names["other"] = w.publish(c, "2026-06-23T18:00:00Z", nil)
			w.write(w.as(ann), "POST", "/events/{other}/join", nil) // an event without participants is deleted
		},
		func(c *apptest.Client) {
			w.names["other"] = w.publish(c, "2026-06-23T18:00:00Z", nil)
			w.check("publish")
		},
	}
	for _, thing := range things {
		c := w.newcomer()
		thing(c)
		w.write(c, "DELETE", "/me", nil)
	}
	c := w.pastParticipant()
	w.write(c, "POST", "/events/{past}/reviews", map[string]any{"rating": 4})
	for _, thing := range things {
		thing(c)
	}
	w.write(c, "DELETE", "/me", nil)
}

func (w *cacheWorld) apiKey() string {
	return w.write(w.as(ann), "POST", "/me/api-keys", map[string]any{"name": "Printer", "scopes": []string{"events:read"}}).Text("id")
}

// webhook creates a webhook and returns its path.
func (w *cacheWorld) webhook() string {
	return "/me/webhooks/" + w.write(w.as(ann), "POST", "/me/webhooks", map[string]any{"url": "https://example.com/",
		"kinds": []string{"event.canceled"}}).Text("id")
}

// ask lets ann ask to join an event, and returns the address of the request.
func (w *cacheWorld) ask() (guest string) {
	path := "/events/" + w.publish(w.as(organizer), "2026-06-21T18:00:00Z", map[string]any{"join_policy": "approval"})
	w.check("publish")
	return path + "/participants/" + w.as(ann).Post(path+"/join", nil).Want(200).Text("id")
}

// wait lets ann wait for a seat of a full event. It returns the path of the event and the id of the entry.
func (w *cacheWorld) wait() (path, entry string) {
	path = "/events/" + w.publish(w.as(organizer), "2026-06-21T18:00:00Z", map[string]any{"capacity": 1, "waitlist": "offer"})
	w.check("publish")
	w.write(w.newcomer(), "POST", path+"/join", nil)
	w.write(w.as(ann), "POST", path+"/waitlist", nil)
	return path, w.as(ann).Get(path + "/waitlist").Want(200).Text("id")
}

// newGuestMessage returns the path of a message to the guests of a new event: an event has a limit.
func (w *cacheWorld) newGuestMessage() string {
	path := "/events/" + w.publish(w.as(organizer), "2026-06-20T18:00:00Z", nil) + "/guest-messages"
	w.check("publish")
	return path + "/" + w.write(w.as(organizer), "POST", path, map[string]any{"audience": "going", "body": "News"}).Text("id")
}

// invitedHost returns a user whom the organizer has asked to host the event.
func (w *cacheWorld) invitedHost() *apptest.Client {
	c := w.newcomer()
	w.write(w.as(organizer), "POST", "/events/{event}/hosts", map[string]any{"user_id": c.UserID})
	return c
}

// newHost returns a user who has become a host of the event.
func (w *cacheWorld) newHost() *apptest.Client {
	c := w.invitedHost()
	w.write(c, "PATCH", "/events/{event}/hosts/"+c.UserID, map[string]any{"status": "active"})
	return c
}

// group creates a group and returns its path.
func (w *cacheWorld) group() (path string) {
	r := w.as(organizer).Post("/groups", map[string]any{"name": w.fresh("Tea"), "city": "Berlin", "member_list": "public"}).Want(201)
	w.names["group"], w.names["slug"] = r.Text("id"), r.Text("slug")
	w.check("group")
	return "/groups/" + r.Text("id")
}

// meetingGroup creates a group with a published event, and returns its path.
func (w *cacheWorld) meetingGroup() (path string) {
	path = w.group()
	r := w.as(organizer).Post("/events", map[string]any{"title": w.fresh("Tea"), "starts_at": "2026-06-21T18:00:00Z", "city": "Berlin",
		"group_id": strings.TrimPrefix(path, "/groups/")}).Want(201)
	w.check("event of a group")
	w.write(w.as(organizer), "POST", "/events/"+r.Text("event.id")+"/publish", nil)
	return path
}

// member creates a group that Ann joins, and returns its path.
func (w *cacheWorld) member() (path string) {
	path = w.group()
	w.write(w.as(ann), "POST", path+"/membership", nil)
	return path
}

// source adds a calendar to a group and returns its path.
func (w *cacheWorld) source() (path string) {
	path = w.group() + "/sources"
	r := w.as(organizer).Put(path, map[string]any{"url": "https://calendar.example.com/a.ics"}).Want(200)
	w.check("source")
	return path + "/" + r.Text("id")
}

// series creates a series with two dates and returns its path.
func (w *cacheWorld) series() (path string) {
	r := w.as(organizer).Post("/event-series", map[string]any{"rrule": "FREQ=WEEKLY;COUNT=2", "starts_at": "2026-06-18T18:00:00",
		"timezone": "Europe/Berlin", "template": map[string]any{"title": w.fresh("Tea"), "city": "Berlin"}}).Want(201)
	w.check("series")
	return "/event-series/" + r.Text("id")
}
