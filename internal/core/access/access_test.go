package access_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

var now = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// world is one combination of facts.
type world struct {
	status, visibility string
	invitation         string // status or "" for none
	participation      string
	block              string // "", "viewer blocks", "organizer blocks"
	viewer             string // "organizer", "host", "pending_host", "former host", "other", "anonymous"
	over               bool   // the end has passed
	waits, asks        bool   // in the waiting list, with a request to join
}

// worlds returns all combinations.
func worlds() []world {
	var all []world
	for _, status := range []string{"draft", "published", "canceled", "canceled draft"} {
		for _, visibility := range []string{"public", "private", "members"} {
			for _, invitation := range []string{"", "pending", "accepted", "declined", "tentative"} {
				for _, participation := range []string{"", "going", "left"} {
					for _, block := range []string{"", "viewer blocks", "organizer blocks"} {
						for _, viewer := range []string{"organizer", "host", "pending_host", "former host", "group owner", "group host",
							"group member", "group invited", "group banned", "other", "anonymous"} {
							for _, over := range []bool{false, true} {
								w := world{status: status, visibility: visibility, invitation: invitation, participation: participation, block: block,
									viewer: viewer, over: over, waits: participation == "left" && !over, asks: participation == "" && over}
								rare := over || participation == "left" || invitation == "accepted" || invitation == "tentative"
								if rare && (w.inTeam() || visibility == "members") {
									continue // what these worlds have in common with others
								}
								all = append(all, w)
							}
						}
					}
				}
			}
		}
	}
	return all
}

// inTeam reports whether the viewer is or was a host, or has a membership of the group.
func (w world) inTeam() bool {
	return strings.HasSuffix(w.viewer, "host") || strings.HasPrefix(w.viewer, "group ")
}

// sees is the table of policy.md, "Seeing an event".
func (w world) sees() bool {
	others := map[string]bool{
		"draft public": false, "draft private": w.invitation != "",
		"published public": true, "published private": w.invitation != "" || w.participation == "going",
		"canceled public": true, "canceled private": w.invitation != "" || w.participation == "going",
		"canceled draft public": false, "canceled draft private": w.invitation != "",
		"draft members": false, "canceled draft members": false, "published members": w.inMembers(), "canceled members": w.inMembers(),
	}
	switch w.viewer {
	case "organizer":
		return true
	case "host", "pending_host", "group owner", "group host":
		return w.block == ""
	case "anonymous":
		return w.shown() && w.visibility == "public"
	default:
		return w.block == "" && others[w.status+" "+w.visibility]
	}
}

// inMembers reports whether a viewer who is no host sees a published event for members.
func (w world) inMembers() bool {
	return w.viewer == "group member" || w.invitation != "" || w.participation == "going"
}

func (w world) shown() bool { return !strings.HasSuffix(w.status, "draft") }

var (
	addUser        = db.SQL("test.add_user", `INSERT INTO users (id, email_verified, test_profile, created_at) VALUES ($1, FALSE, FALSE, $2)`)
	addParticipant = db.SQL("test.add_participant", `INSERT INTO participants (event_id, user_id, id, status, visibility, slot, joined_at,
		created_at, updated_at)
		VALUES ($1, $2, $3, $4, 'public', 0, $5, $5, $5)`)
	addInvitation = db.SQL("test.add_invitation", `INSERT INTO invitations (event_id, user_id, id, invited_by, status, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $6)`)
	addEntry = db.SQL("test.add_entry", `INSERT INTO waitlist_entries (event_id, user_id, id, status, party, visibility, missed, place,
		created_at, updated_at) VALUES ($1, $2, $3, 'waiting', 1, 'public', 0, 1, $4, $4)`)
	addRequest = db.SQL("test.add_request", `INSERT INTO join_requests (event_id, user_id, id, status, party, visibility, declines,
		created_at, updated_at) VALUES ($1, $2, $3, 'pending', 1, 'public', 0, $4, $4)`)
	addBlock = db.SQL("test.add_block", `INSERT INTO blocks (blocker_id, blocked_id, id, created_at) VALUES ($1, $2, $3, $4)`)
	addEvent = db.SQL("test.add_event", `INSERT INTO events (id, organizer_id, status, visibility, listed, swept, title, starts_at, over_at,
		starts_key,
		timezone, date_mode, price, sequence, created_at, updated_at, published_at)
		VALUES ($1, $2, $3, $4, $5, FALSE, 'Chess', $6, $7, $8, 'UTC', 'fixed', 'free', 0, $6, $6, $9)`)
	addHost  = db.SQL("test.add_host", `INSERT INTO event_hosts (event_id, user_id, role, status, created_at) VALUES ($1, $2, 'host', $3, $4)`)
	addGroup = db.SQL("test.add_group", `INSERT INTO groups (id, owner_id, slug, name, visibility, join_policy, member_list, member_count,
		name_key, city_key, words, created_at, updated_at) VALUES ($1, $2, 'g', 'Group', 'private', 'open', 'members', 1, '', '', '', $3, $3)`)
	addMember = db.SQL("test.add_member", `INSERT INTO group_members (group_id, user_id, role, status, visibility, since)
		VALUES ($1, $2, $3, $4, 'public', $5)`)
	setGroup  = db.SQL("test.set_group", `UPDATE events SET group_id = $2 WHERE id = $1`)
	setTeam   = db.SQL("test.set_team", `UPDATE events SET has_team = TRUE WHERE id = $1`)
	policySQL = db.SQL("test.policy", `SELECT `+access.SeesEvent("e", "$2")+`, `+access.SeesEvent("e", access.Anonymous)+`,
		`+access.StatusSQL("e", "$3")+`, COALESCE(`+access.HostsSQL("e", "$2")+`, FALSE), `+readsSQL+`
		FROM events e WHERE e.id = $1`)
)

// readsSQL are conditions that the viewer may read what is written to each audience.
var readsSQL = func() string {
	var all []string
	for _, a := range access.Audiences {
		all = append(all, `COALESCE(`+access.ReadsSQL("e", "$2", "'"+string(a)+"'")+`, FALSE)`)
	}
	return strings.Join(all, ", ")
}()

// reads is who may read messages to an audience: hosts, and its members while they see the event.
func (w world) reads(a access.Audience) bool {
	if !w.sees() || w.viewer == "anonymous" {
		return false
	}
	member := w.viewer != "organizer" && map[access.Audience]bool{
		access.AudienceGoing: w.participation == "going", access.AudienceWaiting: w.waits, access.AudienceRequested: w.asks,
		access.AudienceUnanswered: w.invitation == "pending" && w.participation != "going",
	}[a]
	return w.viewer == "organizer" || w.role() == access.Host || member
}

type actors struct{ organizer, other domain.UserID }

func (w world) viewerOf(a actors) domain.Viewer {
	switch w.viewer {
	case "organizer":
		return domain.Viewer{UserID: a.organizer}
	case "anonymous":
		return domain.Viewer{}
	default:
		return domain.Viewer{UserID: a.other}
	}
}

// role is what the viewer may do.
func (w world) role() access.Role {
	return map[string]access.Role{"organizer": access.Owner, "host": access.Host, "pending_host": access.PendingHost,
		"group owner": access.Host, "group host": access.Host}[w.viewer]
}

// TestGoAndSQLAgreeWithPolicy compares the policy, the Go function and the SQL for every
// combination of facts.
func TestGoAndSQLAgreeWithPolicy(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, w := range build(t, d, worlds()...) {
			id, v := w.event, w.viewerOf(w.actors)
			facts, err := access.Event(t.Context(), d, v, id, now)
			if w.sees() != (err == nil) {
				t.Errorf("%+v: Event returns %v", w, err)
			}
			guest, failed := access.Guest(t.Context(), d, v, id, now)
			var sees, seesAnonymous, hosts bool
			reads := make([]bool, len(access.Audiences))
			var status access.Status
			if err := d.One(t.Context(), policySQL, id, v.UserID, now).Scan(&sees, &seesAnonymous, &status, &hosts, &reads[0],
				&reads[1], &reads[2], &reads[3]); err != nil {
				t.Fatal(err)
			}
			if sees != w.sees() {
				t.Errorf("%+v: in SQL the viewer sees %v", w, sees)
			}
			if err == nil && (facts.Role != w.role() || hosts != facts.Hosts()) {
				t.Errorf("%+v: the role is %q, and hosts in SQL is %v", w, facts.Role, hosts)
			}
			for i, a := range access.Audiences {
				if reads[i] != w.reads(a) || (failed == nil && guest.Reads(a)) != w.reads(a) {
					t.Errorf("%+v: reads messages to %s: %v in SQL, %v in Go", w, a, reads[i], failed == nil && guest.Reads(a))
				}
			}
			if err == nil && facts.Status != status {
				t.Errorf("%+v: the status is %s in Go and %s in SQL", w, facts.Status, status)
			}
			if err == nil && facts.IsPublic() != seesAnonymous {
				t.Errorf("%+v: IsPublic is %v", w, facts.IsPublic())
			}
			if w.viewer == "anonymous" && seesAnonymous != sees {
				t.Errorf("%+v: the SQL for Anonymous and for the nil id differ", w)
			}
		}
	})
}

// builtWorld is a world in a database.
type builtWorld struct {
	world
	event  domain.EventID
	actors actors
}

// build stores worlds in few transactions.
func build(t *testing.T, d *db.DB, worlds ...world) (all []builtWorld) {
	t.Helper()
	for some := range slices.Chunk(worlds, 200) {
		err := d.InTx(t.Context(), func(tx db.Tx) error {
			for _, w := range some {
				id, a := w.queue(t, tx, int64(len(all)))
				all = append(all, builtWorld{world: w, event: id, actors: a})
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// queue adds the statements that store the world to a transaction.
func (w world) queue(t *testing.T, tx db.Tx, i int64) (domain.EventID, actors) {
	t.Helper()
	a := actors{domain.NewID[domain.UserKind](now), domain.NewID[domain.UserKind](now)}
	id := domain.NewID[domain.EventKind](now)
	start := now.Add(time.Hour)
	if w.over {
		start = now.Add(-5 * time.Hour)
	}
	run := func(s *db.Stmt, args ...any) { tx.Queue(t.Context(), s, args...) }
	run(addUser, a.organizer, now)
	run(addUser, a.other, now)
	var published *time.Time
	if w.shown() {
		published = &now
	}
	status, _, _ := strings.Cut(w.status, " ")
	run(addEvent, id, a.organizer, status, w.visibility, w.status == "published" && w.visibility == "public",
		start, start.Add(3*time.Hour), start.UnixNano()+i, published)
	if w.participation != "" {
		run(addParticipant, id, a.other, domain.RandomID[domain.ParticipantKind](), w.participation, now)
	}
	if w.invitation != "" {
		run(addInvitation, id, a.other, domain.RandomID[domain.InvitationKind](), a.organizer, w.invitation, now)
	}
	if role, of := strings.CutPrefix(w.viewer, "group "); of || w.visibility == "members" {
		group := domain.NewID[domain.GroupKind](now)
		run(addGroup, group, a.organizer, now)
		run(setGroup, id, group)
		if of {
			membership := map[string]string{"invited": "invited", "banned": "banned"}[role]
			if membership == "" {
				membership = "active"
			} else {
				role = "member"
			}
			run(addMember, group, a.other, role, membership, now)
		}
	}
	if w.waits {
		run(addEntry, id, a.other, domain.RandomID[domain.WaitlistEntryKind](), now)
	}
	if w.asks {
		run(addRequest, id, a.other, domain.RandomID[domain.ParticipantKind](), now)
	}
	status = map[string]string{"host": "active", "pending_host": "pending", "former host": "ended"}[w.viewer]
	if status != "" {
		run(setTeam, id)
		run(addHost, id, a.other, status, now)
	}
	switch w.block {
	case "viewer blocks":
		run(addBlock, a.other, a.organizer, domain.RandomID[domain.UserKind](), now)
	case "organizer blocks":
		run(addBlock, a.organizer, a.other, domain.RandomID[domain.UserKind](), now)
	}
	return id, a
}

// TestPrecheckHidesMalformedRequests checks that 404 comes before 400: viewers who do not
// see an event, or an operation of its organizer, do not learn that a request is malformed.
func TestPrecheckHidesMalformedRequests(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := build(t, d, world{status: "published", visibility: "public"})[0]
		id, a := w.event, w.actors
		for _, row := range []struct {
			name, operation string
			viewer          domain.UserID
			event           domain.EventID
			want            error
		}{
			{"a guest may learn that the body is wrong", "joinEvent", a.other, id, nil},
			{"an unknown event is missing", "joinEvent", a.other, domain.RandomID[domain.EventKind](), domain.NotFound},
			{"the organizer may learn it of an update", "updateEvent", a.organizer, id, nil},
			{"for others the update is missing", "updateEvent", a.other, id, domain.NotFound},
		} {
			t.Run(row.name, func(t *testing.T) {
				if err := access.Precheck(t.Context(), d, domain.Viewer{UserID: row.viewer}, row.operation, row.event, now); !errors.Is(err, row.want) {
					t.Errorf("got %v, want %v", err, row.want)
				}
			})
		}
	})
}

func TestMustBeJoinable(t *testing.T) {
	usual := access.EventFacts{Status: access.Published, Visibility: access.Public}
	change := func(changes ...func(*access.EventFacts)) access.EventFacts {
		f := usual
		for _, apply := range changes {
			apply(&f)
		}
		return f
	}
	draft := func(f *access.EventFacts) { f.Status = access.Draft }
	private := func(f *access.EventFacts) { f.Visibility = access.Private }
	organizer := func(f *access.EventFacts) { f.Role = access.Owner }
	invited := func(f *access.EventFacts) { f.Invitation = access.Pending }
	canceled := func(f *access.EventFacts) { f.Status = access.Canceled }
	for _, row := range []struct {
		name  string
		facts access.EventFacts
		want  error
	}{
		{"a published public event", usual, nil},
		{"the viewer's own event", change(organizer), nil},
		{"a draft", change(draft), domain.NotFound},
		{"the viewer's own draft", change(draft, organizer), domain.NotFound},
		{"a private draft with an invitation", change(draft, private, invited), domain.NotFound},
		{"a canceled event", change(canceled), domain.Forbid(domain.EventCanceled)},
		{"a completed event", change(func(f *access.EventFacts) { f.Status = access.Completed }), domain.Forbid(domain.EventEnded)},
		{"a private event with an invitation", change(private, invited), domain.Forbid(domain.EventPrivate)},
		{"the viewer's own private event", change(private, organizer), domain.Forbid(domain.EventPrivate)},
		{"a canceled private event", change(private, canceled), domain.Forbid(domain.EventCanceled)},
	} {
		if got := row.facts.MustBeJoinable(); !errors.Is(got, row.want) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
}
