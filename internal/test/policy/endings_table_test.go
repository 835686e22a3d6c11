package policy

import (
	"path"
	"slices"
	"strings"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// ending is a rule "end also ends write".
type ending struct {
	end, write act
	left       string // FROM clause of the rows that the rule forbids; empty if the write leaves none
	late       bool   // the write must not succeed after the end
}

// act is a request of the table.
type act struct {
	name  string
	user  string         // ann or bob
	given func(p *trial) // creates what the request needs
	send  func(p *trial) *apptest.Reply
	stops string // the statement before which a gate stops the request
}

// short returns the name for an e-mail address.
func (a act) short() string { return strings.NewReplacer(" ", "_", "-", "_").Replace(a.name) }

// by returns the sender.
func (a act) by(p *trial) domain.UserID { return p.client(a.user).ID() }

func (p *trial) client(name string) *apptest.Client {
	if name == "ann" {
		return p.ann
	}
	return p.bob
}

// stmt counts the rows that the rule forbids.
func (e ending) stmt() *db.Stmt {
	if e.left == "" {
		return db.SQL("policytest.nothing_left", `SELECT 0`)
	}
	return db.SQL("policytest.left_"+e.end.short()+"_"+e.write.short(), `SELECT COUNT(*) FROM `+e.left)
}

// The requests that end something.
var (
	blocking = act{"block", "ann", nil, func(p *trial) *apptest.Reply {
		if p.round%2 == 0 {
			return p.ann.Post("/users/"+p.bob.UserID+"/block", nil)
		}
		return p.bob.On(p.round).Post("/users/"+p.ann.UserID+"/block", nil)
	}, "calendar.decline_between"}
	suspension = act{"suspension", "moderator", func(p *trial) {
		p.ids["report"] = p.bob.Post("/reports", apptest.Fields{"target_type": "user", "target_id": p.ann.UserID,
			"reason": "spam"}).Want(201).Text("id")
	}, func(p *trial) *apptest.Reply {
		return p.a.As("moderator").On(p.round).Patch("/admin/reports/"+p.ids["report"],
			apptest.Fields{"status": "resolved", "action": "suspend_user"})
	}, "moderation.record"}
	deletion  = act{"deletion", "ann", nil, func(p *trial) *apptest.Reply { return p.ann.Delete("/me") }, "user.erase_user"}
	canceling = act{"cancel", "ann", nil, func(p *trial) *apptest.Reply { return p.ann.Post(p.event()+"/cancel", nil) }, "attendance.close"}
	leaving   = act{"leave", "bob", func(p *trial) { publish(p); p.bob.Join(p.ids["event"]) },
		func(p *trial) *apptest.Reply { return p.bob.On(p.round).Delete(p.event() + "/join") }, "attendance.free_seats"}
	withdrawal = act{"withdrawal", "bob", nil,
		func(p *trial) *apptest.Reply { return p.bob.On(p.round).Delete(p.event() + "/join") }, "attendance.withdraw_request"}
	removal = act{"removal", "ann", func(p *trial) {
		publish(p)
		p.ids["guest"] = p.bob.Post(p.event()+"/join", nil).Want(200).Text("id")
	}, func(p *trial) *apptest.Reply { return p.ann.On(p.round).Delete(p.guest()) }, "attendance.free_seats"}
	incognitoJoin = act{"incognito", "bob", func(p *trial) {
		p.ann.Follow(p.bob)
		publish(p)
		p.bob.Join(p.ids["event"])
	}, func(p *trial) *apptest.Reply {
		return p.bob.On(p.round).Post(p.event()+"/join", apptest.Fields{"participation_visibility": "incognito"})
	}, "notify.retract_from_all"}
	replacing = act{"new questions", "ann", questioned, func(p *trial) *apptest.Reply {
		return p.ann.On(p.round).Put(p.event()+"/questions", apptest.Fields{"items": []any{
			apptest.Fields{"id": p.ids["question"], "kind": "choice", "label": "Tea?", "options": []string{"coffee"}}}})
	}, "question.put"}
	unfollowing = act{"unfollow", "bob", func(p *trial) { p.bob.Follow(p.ann) },
		func(p *trial) *apptest.Reply { return p.bob.On(p.round).Delete("/users/" + p.ann.UserID + "/follow") }, "notify.retract"}
)

func (p *trial) event() string { return "/events/" + p.ids["event"] }

// publish publishes an event of ann, once.
func publish(p *trial) {
	if p.ids["event"] == "" {
		p.ids["event"] = p.ann.Publish(nil)
	}
}

// asking publishes an event of ann that needs approval, and requested lets bob ask to join it.
func asking(p *trial) { p.ids["event"] = p.ann.Publish(apptest.Fields{"join_policy": "approval"}) }

func requested(p *trial) {
	asking(p)
	p.ids["guest"] = p.bob.Post(p.event()+"/join", nil).Want(200).Text("id")
}

func (p *trial) guest() string { return p.event() + "/participants/" + p.ids["guest"] }

// questioned lets ann ask the guests of an event what they drink.
func questioned(p *trial) {
	publish(p)
	if p.ids["question"] == "" {
		p.ids["question"] = p.ann.Put(p.event()+"/questions", apptest.Fields{"items": []any{
			apptest.Fields{"kind": "choice", "label": "Tea?", "options": []string{"tea", "coffee"}}}}).Want(200).Text("items.0.id")
	}
}

// full publishes an event of ann that has a waiting list, and no seat left.
func full(p *trial) {
	p.ids["event"] = p.ann.Publish(apptest.Fields{"capacity": 1, "waitlist": "offer"})
	p.ann.Join(p.ids["event"])
}

func private(p *trial) { p.ids["event"] = p.ann.Publish(apptest.Fields{"visibility": "private"}) }

func invited(p *trial) { private(p); invite(p).Want(201) }

func invite(p *trial) *apptest.Reply {
	return p.ann.On(p.round+1).Post(p.event()+"/invitations", apptest.Fields{"email": p.bobEmail})
}

// posted adds a post to an event of ann.
func posted(p *trial) {
	publish(p)
	p.ids["post"] = p.ann.Post(p.event()+"/posts", apptest.Fields{"body": "Welcome"}).Want(201).Text("id")
}

// joined lets bob join an event of ann with a vote.
func joined(p *trial) {
	publish(p)
	p.bob.Join(p.ids["event"])
	p.ann.Patch(p.event()+"/date-mode", apptest.Fields{"mode": "vote"}).Want(204)
	p.ids["option"] = p.ann.Post(p.event()+"/date-options", apptest.Fields{"starts_at": "2026-06-10T13:00:00Z"}).Want(201).Text("id")
}

// The writes of bob in an event of ann.
var (
	joining   = act{"join", "bob", publish, func(p *trial) *apptest.Reply { return p.bob.Post(p.event()+"/join", nil) }, "attendance.join"}
	answering = act{"answer", "bob", questioned, func(p *trial) *apptest.Reply {
		return p.bob.Post(p.event()+"/join", apptest.Fields{"answers": []any{apptest.Fields{"question_id": p.ids["question"], "value": "tea"}}})
	}, "question.forget_current"}
	waiting  = act{"wait", "bob", full, func(p *trial) *apptest.Reply { return p.bob.Post(p.event()+"/waitlist", nil) }, "attendance.enter"}
	request  = act{"request", "bob", asking, func(p *trial) *apptest.Reply { return p.bob.Post(p.event()+"/join", nil) }, "attendance.ask"}
	approval = act{"approval", "ann", requested, func(p *trial) *apptest.Reply {
		return p.ann.On(p.round+1).Post(p.guest()+"/approve", nil)
	}, "attendance.join"}
	inviting  = act{"invitation", "ann", private, invite, "attendance.invite"}
	accepting = act{"RSVP", "bob", invited, func(p *trial) *apptest.Reply {
		return p.bob.Patch(p.event()+"/rsvp", apptest.Fields{"status": "accepted"})
	}, "attendance.join"}
	linking = act{"invitation by link", "bob", func(p *trial) {
		private(p)
		p.ids["link"] = path.Base(p.ann.Post(p.event()+"/invite-links", nil).Want(201).Text("url"))
	}, func(p *trial) *apptest.Reply { return p.bob.Post("/invite-links/"+p.ids["link"]+"/accept", nil) }, "attendance.join"}
	commenting = act{"comment", "bob", posted, func(p *trial) *apptest.Reply {
		return p.bob.Post(p.event()+"/posts/"+p.ids["post"]+"/comments", apptest.Fields{"body": "Great"})
	}, "post.number_comment"}
	liking = act{"like", "bob", posted, func(p *trial) *apptest.Reply {
		return p.bob.Post(p.event()+"/posts/"+p.ids["post"]+"/like", nil)
	}, "post.count_post_likes"}
	reposting = act{"repost", "bob", posted, func(p *trial) *apptest.Reply {
		return p.bob.Post(p.event()+"/posts/"+p.ids["post"]+"/repost", nil)
	}, "post.count_reposts"}
	messaging = act{"message", "bob", joined, func(p *trial) *apptest.Reply {
		return p.bob.Post(p.event()+"/messages", apptest.Fields{"body": "Hello"})
	}, "chat.next_time"}
	reading = act{"read position", "bob", func(p *trial) {
		joined(p)
		p.bob.Post(p.event()+"/messages", apptest.Fields{"body": "Hello"}).Want(201)
	}, func(p *trial) *apptest.Reply {
		return p.bob.Post(p.event()+"/messages/read", apptest.Fields{"position": "999999999999999999"})
	}, "chat.mark_read"}
	voting = act{"vote", "bob", joined, func(p *trial) *apptest.Reply {
		return p.bob.Post(p.event()+"/date-options/"+p.ids["option"]+"/votes", nil)
	}, "datevote.approve"}
	following = act{"follow", "bob", nil, func(p *trial) *apptest.Reply {
		return p.bob.Post("/users/"+p.ann.UserID+"/follow", nil)
	}, "relation.follow"}
	inPublic = act{"join", "bob", nil, func(p *trial) *apptest.Reply {
		return p.bob.Post(p.event()+"/join", apptest.Fields{"participation_visibility": "public"})
	}, "attendance.rejoin"}
	receiving = act{"notifications", "ann", func(p *trial) {
		p.ann.Follow(p.bob)
		publish(p)
		p.bob.Join(p.ids["event"])
		p.bob.Delete(p.event() + "/join").Want(200) // the join before the follow
		p.bob.Join(p.ids["event"])
	}, func(p *trial) *apptest.Reply { return p.ann.Get("/notifications") }, "notify.joins_received"}
	calendarInvite = act{"calendar invite", "bob", nil, func(p *trial) *apptest.Reply {
		return p.bob.Post("/calendar/entries", entry(p.ann.UserID))
	}, "calendar.insert_invites"}
	blockingBack = act{"block", "bob", nil, func(p *trial) *apptest.Reply { return p.bob.Post("/users/"+p.ann.UserID+"/block", nil) },
		"relation.block"}
)

func entry(invitees ...string) apptest.Fields {
	return apptest.Fields{"title": "Dinner", "starts_at": "2026-06-09T18:00:00Z", "invitee_user_ids": invitees}
}

// own returns a write of ann, with her as the guest of an event of bob.
func own(a act) act {
	swap := func(p *trial) *trial {
		swapped := *p
		swapped.ann, swapped.bob, swapped.annEmail, swapped.bobEmail = p.bob, p.ann, p.bobEmail, p.annEmail
		return &swapped
	}
	given := a.given
	if given != nil {
		a.given = func(p *trial) { given(swap(p)) }
	}
	send := a.send
	a.send = func(p *trial) *apptest.Reply { return send(swap(p)) }
	a.user = map[string]string{"ann": "bob", "bob": "ann"}[a.user]
	return a
}

// as returns a request under another name.
func (a act) as(name string) act {
	a.name = name
	return a
}

// The other writes of ann, on another instance.
var (
	creating = act{"event", "ann", nil, func(p *trial) *apptest.Reply {
		return p.ann.On(p.round+1).Post("/events", apptest.Fields{"title": "Tea", "starts_at": "2026-06-05T16:00:00Z"})
	}, "event.insert"}
	publishing = act{"publish", "ann", func(p *trial) { p.ids["event"] = p.ann.Draft(nil) },
		func(p *trial) *apptest.Reply { return p.ann.On(p.round+1).Post(p.event()+"/publish", nil) }, "event.update"}
	renaming = act{"profile change", "ann", nil, func(p *trial) *apptest.Reply {
		return p.ann.On(p.round+1).Patch("/me/profile", apptest.Fields{"display_name": "Annabel"})
	}, "user.update"}
	uploading = act{"picture", "ann", nil, func(p *trial) *apptest.Reply {
		return p.ann.On(p.round+1).Put("/me/avatar", apptest.Pixel)
	}, "media.keep"}
	preferring = act{"feed preferences", "ann", nil, func(p *trial) *apptest.Reply {
		return p.ann.On(p.round+1).Post("/feed/preferences", apptest.Fields{"city": "Moscow"})
	}, "feed.begin_preferences"}
	choosing = act{"notification preferences", "ann", nil, func(p *trial) *apptest.Reply {
		return p.ann.On(p.round+1).Patch("/me/notification-preferences", apptest.Fields{"language": "de"})
	}, "mail.save_settings"}
	addingEntry = act{"calendar entry", "ann", nil, func(p *trial) *apptest.Reply {
		return p.ann.On(p.round+1).Post("/calendar/entries", entry())
	}, "calendar.insert"}
	openingFeed = act{"calendar feed", "ann", nil, func(p *trial) *apptest.Reply {
		return p.ann.On(p.round+1).Post("/calendar/feed", nil)
	}, "calendar.open_feed"}
	signingIn = act{"sign-in", "ann", func(p *trial) {
		email := p.annEmail
		p.ids["code"] = p.a.Anonymous().Post("/auth/dev/start", apptest.Fields{"email": email}).Want(200).Text("dev_code")
	}, func(p *trial) *apptest.Reply {
		return p.a.Anonymous().On(p.round+1).Post("/auth/dev/verify", apptest.Fields{"email": p.annEmail, "code": p.ids["code"]})
	}, ""}
)

// between joins rows with the blocks between the two users that they name.
func between(table, one, other string) string {
	return table + ` JOIN blocks b ON b.blocker_id = ` + one + ` AND b.blocked_id = ` + other + ` OR b.blocked_id = ` + one +
		` AND b.blocker_id = ` + other
}

// of joins rows with the users whom they name and who are deleted.
func of(table, user string) string {
	return table + ` x JOIN users u ON u.id = x.` + user + ` WHERE u.deleted_at IS NOT NULL`
}

const (
	goingTo     = `participants p JOIN events e ON e.id = p.event_id AND p.status = 'going'`
	invitedTo   = `invitations i JOIN events e ON e.id = i.event_id AND i.status <> 'declined'`
	waitsFor    = `waitlist_entries w JOIN events e ON e.id = w.event_id AND w.status IN ('waiting', 'offered')`
	notNotified = ` AND NOT EXISTS (SELECT 1 FROM notifications n WHERE n.event_id = e.id AND n.user_id = %s AND n.kind = 'event_canceled')`
	asksFor     = `join_requests j JOIN events e ON e.id = j.event_id AND j.status = 'pending'`
	announced   = `notifications n JOIN participants p ON p.event_id = n.event_id AND p.user_id = n.actor_id
		WHERE n.kind = 'followed_user_going' AND n.read_at IS NULL AND `
)

var (
	unread = between(`notifications n`, `n.user_id`, `n.actor_id`) + ` WHERE n.read_at IS NULL
		AND n.kind NOT IN ('post_liked', 'post_reposted')`
	blockedGuests      = between(goingTo, `p.user_id`, `e.organizer_id`)
	blockedInvitees    = between(invitedTo, `i.user_id`, `e.organizer_id`)
	blockedHosts       = between(`event_hosts h JOIN events e ON e.id = h.event_id AND h.status <> 'ended'`, `h.user_id`, `e.organizer_id`)
	blockedMemberships = between(`group_members m JOIN groups g ON g.id = m.group_id`, `m.user_id`, `g.owner_id`)
	// Coming events of deleted users.
	ownerless       = of(`events`, `organizer_id`) + ` AND x.status <> 'canceled'`
	canceledGuests  = goingTo + ` WHERE e.status = 'canceled'` + strings.ReplaceAll(notNotified, "%s", "p.user_id")
	canceledInvites = invitedTo + ` WHERE e.status = 'canceled'` + strings.ReplaceAll(notNotified, "%s", "i.user_id")
)

// The answers of those who do not go, and those to questions that nobody asks.
const (
	guestless = `event_answers a WHERE NOT EXISTS (
		SELECT 1 FROM participants p WHERE p.event_id = a.event_id AND p.user_id = a.user_id AND p.status = 'going')`
	questionless = `event_answers a WHERE NOT EXISTS (SELECT 1 FROM event_questions q WHERE q.event_id = a.event_id AND q.id = a.question_id)`
)

// endings is the table of docs/concurrency.md.
var endings = slices.Concat(accountEndings, seriesEndings)

var accountEndings = []ending{
	{blocking, following, between(`follows f`, `f.follower_id`, `f.followed_id`), true},
	{blocking, joining, blockedGuests, true},
	{blocking, receiving, unread, false},
	{blocking, waiting, between(waitsFor, `w.user_id`, `e.organizer_id`), true},
	{blocking, request, between(asksFor, `j.user_id`, `e.organizer_id`), true},
	{blocking, approval, blockedGuests, true},
	{blocking, inviting, blockedInvitees, true},
	{blocking, accepting, blockedInvitees, true},
	{blocking, linking, blockedInvitees, true},
	{blocking, calendarInvite, between(`calendar_invites i`, `i.user_id`, `i.invited_by`) + ` WHERE i.status = 'pending'`, true},
	{blocking, commenting, unread, true},
	{blocking, liking, ``, true},
	{blocking, reposting, ``, true},
	{blocking, messaging, ``, true},
	{blocking, voting, ``, true},

	{blocking, askingHost, blockedHosts, true},
	{blocking, acceptingHost, blockedHosts, true},
	{blocking, editing, ``, true},

	{blocking, joiningGroup, blockedMemberships, true},
	{blocking, approvingInto, blockedMemberships, true},
	{blocking, invitingInto, blockedMemberships, true},

	{suspension, publishing, `events e JOIN users u ON u.id = e.organizer_id WHERE e.listed AND u.suspended_at IS NOT NULL`, true},
	{suspension, renaming, `people x JOIN users u ON u.id = x.user_id WHERE u.suspended_at IS NOT NULL`, true},
	{suspension, signingIn, `sessions s JOIN users u ON u.id = s.user_id WHERE s.revoked_at IS NULL AND u.suspended_at IS NOT NULL`, true},
	{suspension, own(joining), ``, true},
	{suspension, own(waiting), ``, true},
	{suspension, own(request), ``, true},
	{suspension, own(commenting), ``, true},
	{suspension, own(messaging), ``, true},
	{suspension, following.as("follow by another"), ``, true},

	{deletion, creating, of(`events`, `organizer_id`) + ` AND x.status <> 'canceled'`, true},
	{deletion, publishing, of(`events`, `organizer_id`) + ` AND x.status <> 'canceled'`, true},
	{deletion, own(joining), of(`participants`, `user_id`), true},
	{deletion, own(waiting), of(`waitlist_entries`, `user_id`), true},
	{deletion, own(request), of(`join_requests`, `user_id`), true},
	{deletion, own(approval).as("approval by another"), of(`participants`, `user_id`), true},
	{deletion, own(accepting), of(`participants`, `user_id`), true},
	{deletion, own(inviting).as("invitation by another"), of(`invitations`, `user_id`), true},
	{deletion, own(linking), of(`participants`, `user_id`), true},
	{deletion, own(following), of(`follows`, `follower_id`), true},
	{deletion, following.as("follow by another"), of(`follows`, `followed_id`), true},
	{deletion, blockingBack.as("block by another"), of(`blocks`, `blocked_id`), true},
	{deletion, own(commenting), of(`comments`, `author_id`) + ` AND x.body <> ''`, true},
	{deletion, own(liking), of(`post_likes`, `user_id`), true},
	{deletion, own(reposting), of(`reposts`, `user_id`), true},
	{deletion, own(messaging), of(`messages`, `author_id`) + ` AND x.body <> ''`, true},
	{deletion, own(reading), of(`chat_reads`, `user_id`), true},
	{deletion, own(voting), of(`date_votes`, `user_id`), true},
	{deletion, addingEntry, of(`calendar_entries`, `owner_id`), true},
	{deletion, calendarInvite.as("calendar invite by another"), of(`calendar_invites`, `user_id`), true},
	{deletion, openingFeed, of(`calendar_feeds`, `user_id`), true},
	{deletion, preferring, of(`feed_preferences`, `user_id`), true},
	{deletion, choosing, of(`notification_settings`, `user_id`), true},
	{deletion, uploading, of(`media`, `owner_id`), true},
	{deletion, renaming, of(`people`, `user_id`), true},
	{deletion, signingIn, of(`sessions`, `user_id`), true},

	{deletion, own(askingHost).as("invitation of a host"), of(`event_hosts`, `user_id`), true},
	{deletion, own(acceptingHost), of(`event_hosts`, `user_id`), true},
	{deletion, acceptingHost.as("new host of another"), ownerless, false},
	{deletion, handingOver, ownerless, true},
	{deletion, own(handingOver).as("transfer to the user"), ownerless, true},

	{deletion, founding, of(`groups`, `owner_id`), true},
	{deletion, own(joiningGroup), of(`group_members`, `user_id`), true},
	{deletion, own(approvingInto).as("approval as a member"), of(`group_members`, `user_id`), true},
	{deletion, own(invitingInto).as("invitation as a member"), of(`group_members`, `user_id`), true},
	{deletion, handingGroup, of(`groups`, `owner_id`), true},
	{deletion, own(handingGroup).as("group of another"), of(`groups`, `owner_id`), true},

	{banning, joiningMembers, `participants p JOIN events e ON e.id = p.event_id AND p.status = 'going' AND e.visibility = 'members'
		JOIN group_members m ON m.group_id = e.group_id AND m.user_id = p.user_id WHERE m.status = 'banned'`, true},
	{banning, joiningGroup.as("membership"), ``, true},

	{removing, editing, ``, true},
	{removing, announcing, ``, true},
	{handingOver, askingThird, ``, true},

	{canceling, joining, canceledGuests, true},
	{canceling, waiting, ``, true},
	{canceling, request, asksFor + ` WHERE e.status = 'canceled'` + strings.ReplaceAll(notNotified, "%s", "j.user_id"), true},
	{canceling, approval, canceledGuests, true},
	{canceling, accepting, canceledGuests, true},
	{canceling, linking, canceledGuests, true},
	{canceling, inviting, canceledInvites, true},
	{canceling, voting, ``, true},

	{blocking, answering, guestless, true},
	{deletion, answering, questionless, true},
	{leaving, answering, guestless, false},
	{removal, answering, guestless, true},
	{replacing, answering, `event_answers a JOIN event_questions q ON q.event_id = a.event_id AND q.id = a.question_id
		WHERE NOT q.retired AND q.options = 'coffee' AND a.value = 'tea'`, true},

	{leaving, inPublic, announced + `p.status = 'left'`, false},
	{leaving, receiving, announced + `p.status = 'left'`, false},
	{leaving, messaging, ``, true},
	{leaving, voting, ``, true},
	{withdrawal, approval, goingTo, true},
	{removal, inPublic, goingTo, true},
	{removal, receiving, announced + `p.status = 'removed'`, false},
	{removal, messaging, ``, true},
	{incognitoJoin, inPublic, announced + `p.visibility = 'incognito'`, false},
	{incognitoJoin, receiving, announced + `p.visibility = 'incognito'`, false},
	{unfollowing, following, `notifications n WHERE n.kind = 'user_followed' AND NOT EXISTS (
		SELECT 1 FROM follows f WHERE f.follower_id = n.actor_id AND f.followed_id = n.user_id)`, false},
}
