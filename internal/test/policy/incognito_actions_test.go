package policy

import (
	"slices"
	"strings"

	"moothall/internal/test/apptest"
)

// notifications go to the organizer alone, once.
func notifications(w *fixture) {
	event := w.meeting(nil)
	w.hidden(event, "/notifications", "/notifications/unread-count")
	w.told(w.observers["follower"], "followed_user_going", event) // of the participant
	for name, c := range w.members() {
		for _, n := range w.notices(c) {
			if n.actor == w.uma.UserID || strings.Contains(n.title+n.body, "Uma") {
				w.t.Errorf("%s is told %+v", name, n)
			}
		}
	}
	joined := slices.DeleteFunc(w.notices(w.org), func(n notice) bool { return n.event != event || n.actor != w.uma.UserID })
	if len(joined) != 1 || joined[0].kind != "event_joined" {
		w.t.Errorf("the organizer is told %+v", joined)
	}
}

// notificationText shows the organizer who comes, and that nobody else knows.
func notificationText(w *fixture) {
	event := w.published(nil)
	w.goes(event, "incognito")
	if n := w.told(w.org, "event_joined", event); n.actor != w.uma.UserID || n.title != "Uma is coming to Chess" ||
		n.body != "Incognito: only you are told." {
		w.t.Errorf("%+v", n)
	}
}

// chatAuthor: a message is a disclosure that its author makes, to the chat.
func chatAuthor(w *fixture) {
	event := w.meeting(nil)
	w.goes(event, "incognito")
	page, messages := "/events/"+event, "/events/"+event+"/messages"
	w.unchanged(func() { w.uma.Post(messages, fields{"body": "It is me."}).Want(201) }, page, page+"/posts", "/notifications", "/feed")
	w.observers["stranger"].Get(messages).WantError(403, "forbidden")
	w.observers["follower"].Get(messages).WantError(403, "forbidden")
	w.observers["anonymous"].Get(messages).WantError(401, "unauthorized")
	if chat := w.observers["participant"].Get(messages).Want(200); chat.Text("items.0.author.user_id") != w.uma.UserID {
		w.t.Errorf("the chat: %s", chat.Body)
	}
}

func chatAccess(w *fixture) {
	event := w.meeting(nil)
	w.hidden(event, "/events/"+event+"/messages", "/events/"+event+"/ws", "/events/"+event+"/reminders", "/me/chats")
	w.uma.Get("/events/" + event + "/messages").Want(200)
	w.uma.Get("/events/" + event + "/ws").Want(200)
}

func dateVotes(w *fixture) {
	event := w.meeting(fields{"date_mode": "vote"})
	options := "/events/" + event + "/date-options"
	option := w.org.Post(options, fields{"starts_at": "2026-06-20T16:00:00Z"}).Want(201).Text("id")
	w.unchanged(func() {
		w.goes(event, "incognito")
		w.uma.Post(options+"/"+option+"/votes", nil).Want(200)
	}, options, "/events/"+event)
	for name, c := range w.members() {
		if list := c.Get(options).Want(200); list.Number("items.0.vote_count") != 1 || list.Get("items.0.viewer_voted") != false {
			w.t.Errorf("%s: %s", name, list.Body)
		}
		w.unnamed(name, c, options)
	}
	w.unnamed("the organizer", w.org, options)
}

// reviews shows one without its author, who is known to the organizer.
func reviews(w *fixture) {
	event := w.ending(func(event string) { w.goes(event, "incognito") })
	path := "/events/" + event + "/reviews"
	w.unchanged(func() { w.uma.Post(path, fields{"rating": 5, "body": "Splendid."}).Want(201) }, path, "/events/"+event, "/notifications")
	for name, c := range w.members() {
		if list := c.Get(path).Want(200); list.Text("items.0.body") != "Splendid." || list.Get("items.0.author") != nil ||
			list.Get("items.0.author_user_id") != nil {
			w.t.Errorf("%s: %s", name, list.Body)
		}
		w.unnamed(name, c, path)
	}
	for name, c := range map[string]*apptest.Client{"Uma": w.uma, "the organizer": w.org} {
		if list := c.Get(path).Want(200); list.Text("items.0.author.user_id") != w.uma.UserID {
			w.t.Errorf("%s: %s", name, list.Body)
		}
	}
}

// reviewPermission: an answer tells callers about themselves alone.
func reviewPermission(w *fixture) {
	event := w.ending(func(event string) { w.goes(event, "incognito") })
	write := func(c *apptest.Client) *apptest.Reply {
		return c.Post("/events/"+event+"/reviews", fields{"rating": 3})
	}
	for range 2 {
		for _, c := range w.members() {
			write(c).WantError(403, "forbidden")
		}
		write(w.uma).Want(201)
	}
}

func commentsOfUma(w *fixture) {
	event := w.meeting(nil)
	posts := "/events/" + event + "/posts"
	thread := posts + "/" + w.org.Post(posts, fields{"body": "Welcome."}).Want(201).Text("id") + "/comments"
	w.uma.Post(thread, fields{"body": "From afar."}).Want(201)
	w.hidden(event, posts, thread, "/events/posts?event_id="+event)
}

func likesAndReposts(w *fixture) {
	event := w.meeting(nil)
	posts := "/events/" + event + "/posts"
	post := posts + "/" + w.org.Post(posts, fields{"body": "Welcome."}).Want(201).Text("id")
	w.uma.Post(post+"/like", nil).Want(200)
	w.uma.Post(post+"/repost", nil).Want(200)
	w.hidden(event, posts, "/me/reposts", "/feed?limit=100")
	for name, c := range w.others() {
		w.unnamed(name, c, posts)
	}
}

// reports of Uma say the same to who reports and to moderators.
func reports(w *fixture) {
	moderator := w.as("moderator")
	read := func() (all []string) {
		for _, c := range w.members() {
			all = append(all, string(c.Post("/reports", fields{"target_type": "user", "target_id": w.uma.UserID, "reason": "spam"}).Want(201).Body))
		}
		slices.Sort(all)
		return append(all, string(moderator.Get("/admin/reports?target_type=user").Want(200).Body))
	}
	before := read()
	w.goes(w.meeting(nil), "incognito")
	if after := read(); !slices.Equal(after, before) {
		w.t.Errorf("%q, then %q", before, after)
	}
}

// publicToIncognito takes back everything at once, whether it was read or not.
func publicToIncognito(w *fixture) {
	unread, read, follower := w.published(nil), w.published(nil), w.observers["follower"]
	for _, event := range []string{unread, read} {
		w.goes(event, "public")
		if n := w.told(follower, "followed_user_going", event); n.actor != w.uma.UserID || n.title != "Uma is going to Chess" {
			w.t.Errorf("at first: %+v", n)
		}
	}
	follower.Post("/notifications/"+w.told(follower, "followed_user_going", read).id+"/read", nil).Want(200)
	where := []string{"/events/" + unread, "/events/" + read, "/events?participant_user_id=" + w.uma.UserID, "/notifications?limit=100",
		"/feed?limit=100"}
	for _, path := range where[:4] {
		if page := follower.Get(path).Want(200); !strings.Contains(string(page.Body), "Uma") && !strings.Contains(path, "participant_user_id") {
			w.t.Errorf("at first %s shows nothing: %s", path, page.Body)
		}
	}
	feed := string(follower.Get(where[4]).Body)
	w.goes(unread, "incognito")
	w.goes(read, "incognito")
	for name, c := range w.members() {
		w.unnamed(name, c, where...)
		for _, n := range w.notices(c) {
			if n.kind == "followed_user_going" && (n.event == unread || strings.Contains(n.title, "Uma")) {
				w.t.Errorf("%s is still told %+v", name, n)
			}
		}
	}
	if now := string(follower.Get(where[4]).Body); strings.Count(now, "followed_going") != strings.Count(feed, "followed_going")-2 {
		w.t.Errorf("the feed was %s, is %s", feed, now)
	}
}

// incognitoToPublic takes an explicit word: repeating a join uncovers nobody.
func incognitoToPublic(w *fixture) {
	event := w.meeting(nil)
	w.goes(event, "incognito")
	join := "/events/" + event + "/join"
	w.unchanged(func() {
		for _, body := range []any{nil, fields{}} {
			if again := w.uma.Post(join, body).Want(200); again.Text("participation_visibility") != "incognito" {
				w.t.Errorf("repeated: %s", again.Body)
			}
		}
	}, "/events/"+event, "/feed?limit=100", "/notifications", "/events?participant_user_id="+w.uma.UserID)
	w.goes(event, "public")
	if page := w.observers["stranger"].Get("/events/" + event); page.Len("social_proof.participants_preview") != 2 {
		w.t.Errorf("openly: %s", page.Body)
	}
	w.uma.Delete(join).Want(200)
}

func leave(w *fixture) {
	event := w.meeting(nil)
	w.goes(event, "incognito")
	before := len(w.notices(w.org))
	w.unchanged(func() { w.uma.Delete("/events/" + event + "/join").Want(200) },
		"/events/"+event, "/notifications", "/notifications/unread-count", "/feed?limit=100", "/events?participant_user_id="+w.uma.UserID)
	if after := len(w.notices(w.org)); after != before {
		w.t.Errorf("the organizer is told %d things, was %d", after, before)
	}
}

func cancel(w *fixture) {
	event := w.meeting(nil)
	w.goes(event, "incognito")
	w.org.Post("/events/"+event+"/cancel", nil).Want(200)
	for _, c := range []*apptest.Client{w.uma, w.observers["participant"]} {
		if n := w.told(c, "event_canceled", event); n.title != "Chess is canceled" || strings.Contains(n.body, "Uma") || n.actor == w.uma.UserID {
			w.t.Errorf("%+v", n)
		}
	}
	for name, c := range w.members() {
		w.unnamed(name, c, "/events/"+event)
	}
}

// block has another guest and Uma block each other: nothing changes that would
// say whether she goes, nor whose the review without a name is.
func block(w *fixture) {
	rival := w.as("rival")
	come := func(event string) {
		rival.Post("/events/"+event+"/join", nil).Want(200)
		w.goes(event, "incognito")
	}
	event, over := w.meeting(nil), w.ending(come)
	come(event)
	w.uma.Post("/events/"+over+"/reviews", fields{"rating": 2}).Want(201)
	paths := []string{"/events/" + event, "/events/" + over, "/events/" + over + "/reviews", "/events?participant_user_id=" + w.uma.UserID,
		"/events/" + event + "/date-options", "/feed?limit=100", "/notifications"}
	read := func() (all []string) {
		for _, path := range paths {
			all = append(all, string(rival.Get(path).Want(200).Body))
		}
		return all
	}
	w.app.RunJobs()
	before := read()
	for _, pair := range [][2]*apptest.Client{{rival, w.uma}, {w.uma, rival}} {
		pair[0].Post("/users/"+pair[1].UserID+"/block", nil).Want(200)
		for i, after := range read() {
			if after != before[i] {
				w.t.Errorf("%s: %s, was %s", paths[i], after, before[i])
			}
		}
		pair[0].Delete("/users/" + pair[1].UserID + "/block").Want(204)
	}
}

// exportOfFollower has read that Uma goes somewhere, before she went incognito.
func exportOfFollower(w *fixture) {
	follower, event := w.observers["follower"], w.published(nil)
	named := func() int { return strings.Count(string(follower.Get("/me/export").Want(200).Body), w.uma.UserID) }
	before := named() // that they follow her
	w.goes(event, "public")
	follower.Post("/notifications/"+w.told(follower, "followed_user_going", event).id+"/read", nil).Want(200)
	if n := named(); n != before+1 {
		w.t.Errorf("openly she is named %d times, before %d times", n, before)
	}
	w.goes(event, "incognito")
	if n := named(); n != before {
		w.t.Errorf("incognito she is named %d times, before %d times", n, before)
	}
	w.hidden(w.meeting(nil), "/me/export")
}

func exportOfUma(w *fixture) {
	event := w.meeting(nil)
	w.goes(event, "incognito")
	attendance := w.uma.Get("/me/export").Want(200).Get("attendance.attendance").([]any)
	if !slices.ContainsFunc(attendance, func(row any) bool {
		a := row.(map[string]any)
		return a["event_id"] == event && a["participation_visibility"] == "incognito" && a["status"] == "going"
	}) {
		w.t.Errorf("%v", attendance)
	}
}

// moderatorView: moderators see what is reported, not who attended incognito.
func moderatorView(w *fixture) {
	moderator := w.as("moderator")
	event := w.ending(func(event string) { w.goes(event, "incognito") })
	review := w.uma.Post("/events/"+event+"/reviews", fields{"rating": 1, "body": "Bad."}).Want(201).Text("id")
	w.observers["stranger"].Post("/reports", fields{"target_type": "review", "target_id": review, "reason": "spam"}).Want(201)
	queue := moderator.Get("/admin/reports?target_type=review").Want(200)
	if queue.Text("items.0.target.id") != review || queue.Get("items.0.target.author") != nil ||
		queue.Get("items.0.target.author_user_id") != nil {
		w.t.Errorf("the queue: %s", queue.Body)
	}
	w.unnamed("a moderator", moderator, "/events/"+event, "/events/"+event+"/reviews", "/admin/reports?target_type=review")
	if page := moderator.Get("/events/" + event); page.Get("social_proof.incognito_count") != nil {
		w.t.Errorf("the page: %s", page.Body)
	}
}

// errorText compares the answers to Uma with those to somebody who goes openly.
func errorText(w *fixture) {
	zoe := w.as("zoe")
	both := func(event string) (incognito, public *apptest.Reply) {
		join := "/events/" + event + "/join"
		return w.uma.Post(join, fields{"participation_visibility": "incognito"}), zoe.Post(join, fields{"participation_visibility": "public"})
	}
	event, canceled := w.meeting(nil), w.meeting(nil)
	for range 2 {
		incognito, public := both(event)
		incognito.Want(200)
		public.Want(200)
	}
	zoe.Delete("/events/" + event + "/join").Want(200)
	w.org.Post("/events/"+canceled+"/cancel", nil).Want(200)
	for name, refused := range map[string]string{
		"full": w.meeting(fields{"capacity": 1}), "over": w.ending(func(string) {}), "private": w.published(fields{"visibility": "private"}),
		"canceled": canceled, "unknown": "01890a5d-ac96-774b-bcce-b302099a8057",
	} {
		incognito, public := both(refused)
		if incognito.Status < 400 || seen(incognito) != seen(public) {
			w.t.Errorf("%s: %s, openly %s", name, seen(incognito), seen(public))
		}
	}
}

// organizerView marks who goes incognito; the list by person is Uma's alone.
func organizerView(w *fixture) {
	event := w.meeting(nil)
	w.goes(event, "incognito")
	if page := w.org.Get("/events/" + event).Want(200); page.Number("social_proof.incognito_count") != 1 {
		w.t.Errorf("the page: %s", page.Body)
	}
	n := w.notices(w.org)
	if i := slices.IndexFunc(n, func(n notice) bool { return n.event == event && n.actor == w.uma.UserID }); i < 0 ||
		!strings.HasPrefix(n[i].body, "Incognito") {
		w.t.Errorf("told %+v", n)
	}
	for name, c := range w.observers {
		if c.Get("/events/"+event).Want(200).Get("social_proof.incognito_count") != nil {
			w.t.Errorf("%s counts who hides", name)
		}
	}
}

// formerHost: a host is not told who goes, waits or asks incognito, and later not even how many.
func formerHost(w *fixture) {
	w.full = w.meeting(fields{"capacity": 1, "waitlist": "automatic"})
	host, paths := w.as("host"), []string{}
	for _, event := range []string{w.meeting(nil), w.full, w.published(fields{"join_policy": "approval"})} {
		w.goes(event, "incognito")
		hosts := "/events/" + event + "/hosts"
		w.org.Post(hosts, fields{"user_id": host.UserID}).Want(200)
		host.Patch(hosts+"/"+host.UserID, fields{"status": "active"}).Want(200)
		for _, list := range []string{"/participants", "/participants?status=requested", "/participants.csv", "/waitlist/entries"} {
			paths = append(paths, "/events/"+event+list)
		}
	}
	w.unnamed("a host", host, paths...)
	for _, path := range paths {
		event := strings.Split(path, "/")[2]
		w.org.Delete("/events/" + event + "/hosts/" + host.UserID)
		host.Get(path).WantError(403, "forbidden")
	}
}
