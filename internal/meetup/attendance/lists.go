package attendance

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/question"
	"moothall/internal/platform/db"
)

// Attendee is a participant with their profile and answers, for the organizer.
type Attendee struct {
	Participant
	Profile *user.Public // nil if the account is deleted, or the guest is hidden
	Answers []question.Answer
}

// code returns the code of a hidden guest; nil for others.
func (p Participant) code() *string {
	if !p.hidden {
		return nil
	}
	return new(access.GuestCode(p.ID))
}

// Guests select participants of an event.
type Guests struct {
	Status   string // statusGoing, event.ParticipationRemoved or event.ParticipationRequested
	MinParty int64  // how many people come with a participant at least
	Answer   question.Filter
}

// The names of the cursors. The value of the first is a user id, or the id of a hidden participant; those of the second are the time and
// the id of an invitation.
const (
	participantsCursor = "participants.1"
	invitationsCursor  = "invitations.1"
)

// Participants returns a page of the users with a status in an event, limit of them (1 to 100): of those who go, those who were
// removed, or those who request to join. Incognito ones are included only for the organizer, and hidden from an API key. Those in a block
// with a host are hidden from the host. Returns NotFound if the viewer does not see the event, Forbidden if they do not host it, and
// Invalid for a wrong filter.
func (s *Service) Participants(ctx context.Context, v domain.Viewer, id domain.EventID, g Guests, limit int,
	cursor string) (page domain.Page[Attendee], err error) {
	if err := g.Answer.Check(); err != nil {
		return page, err
	}
	err = s.DB.Read(ctx, func(q db.Querier) error {
		f, err := hostedFacts(ctx, q, v, id, s.Clock.Now())
		if err != nil {
			return err
		}
		if page, err = s.participants(ctx, q, v, id, g, limit, cursor); err != nil || !f.HasQuestions {
			return err
		}
		return addAnswers(ctx, q, id, page.Items, func(a *Attendee) (domain.UserID, *[]question.Answer) {
			return answersFrom(f, v, a.UserID, a.Visibility), &a.Answers
		})
	})
	return page, err
}

func (s *Service) participants(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, g Guests, limit int,
	cursor string) (page domain.Page[Attendee], err error) {
	stmt := participantsStmt
	switch g.Status {
	case event.ParticipationRequested:
		return s.requests(ctx, q, v, id, g, limit, cursor)
	case statusRemoved:
		stmt = removedStmt
	}
	after, err := afterParticipant(cursor)
	if err != nil {
		return page, err
	}
	question, answer := g.Answer.Args()
	attendees, err := db.All(ctx, q, scanAttendee, stmt, id, v.UserID, access.SessionUser(v), after, g.MinParty, question, answer)
	return domain.NewPage(attendees, limit, func(last Attendee) string {
		return domain.Cursor(participantsCursor, last.shownID())
	}), err
}

// answersFrom returns the user whose answers the viewer may read: none of an incognito guest unless they see incognito guests.
func answersFrom(f access.EventFacts, v domain.Viewer, user domain.UserID, visibility string) domain.UserID {
	if visibility != Public && !f.SeesIncognito(v) {
		return domain.UserID{}
	}
	return user
}

// addAnswers adds the answers of guests by one statement. of returns the user of an item, none if the answers are hidden, and where they
// belong.
func addAnswers[T any](ctx context.Context, q db.Querier, id domain.EventID, items []T,
	of func(*T) (domain.UserID, *[]question.Answer)) error {
	users := make([]domain.UserID, len(items))
	for i := range items {
		users[i], _ = of(&items[i])
	}
	answers, err := question.Of(ctx, q, id, users)
	for i := range items {
		user, into := of(&items[i])
		*into = answers[user]
	}
	return err
}

// Messages are the numbers of invitations whose mails and push messages are sent, and of those that wait for the
// budget of the sender.
type Messages struct{ Sent, Later int }

// Invitations returns a page of the invitations to an event, limit of them (1 to 100),
// newest first, and the messages about all of them. An empty status means any. Its errors are those of Participants.
func (s *Service) Invitations(ctx context.Context, v domain.Viewer, id domain.EventID, status access.Invitation, limit int,
	cursor string) (page domain.Page[Invitation], m Messages, err error) {
	before, err := beforeInvitation(cursor)
	if err != nil {
		return page, m, err
	}
	invitations, err := listForHosts(ctx, s, v, id, scanInvitation, invitationsStmt, id, v.UserID, access.SessionUser(v), status,
		before.time, before.id)
	if err == nil {
		err = s.DB.One(ctx, messagesStmt, id, v.UserID).Scan(&m.Sent, &m.Later)
	}
	return domain.NewPage(invitations, limit, func(last Invitation) string {
		return domain.Cursor(invitationsCursor, last.CreatedAt, last.ID)
	}), m, err
}

// messagesStmt counts the invitations to an event of the sender $2. Package deliver writes outreach.
var messagesStmt = db.SQL("attendance.messages", `
	SELECT n.total - n.later, n.later FROM (
		SELECT (SELECT COUNT(*) FROM invitations i WHERE i.event_id = $1) AS total,
			(SELECT COUNT(*) FROM invitations i JOIN outreach o ON o.recipient_id = i.user_id AND o.event_id = i.event_id
				WHERE i.event_id = $1 AND o.sender_id = $2 AND o.kind = 'event_invitation' AND o.released_at IS NULL) AS later) AS n`)

// afterParticipant returns the user after whom a page starts, or the id of a hidden participant.
func afterParticipant(cursor string) (after domain.UserID, err error) {
	if cursor != "" {
		err = domain.ReadCursor(cursor, participantsCursor, &after)
	}
	return after, err
}

// invitationPosition is the key of an invitation in the list of an event.
type invitationPosition struct {
	time time.Time
	id   domain.InvitationID
}

// beforeInvitation returns the position before which a page starts.
func beforeInvitation(cursor string) (before invitationPosition, err error) {
	before.time = domain.EndOfTime
	if cursor != "" {
		err = domain.ReadCursor(cursor, invitationsCursor, &before.time, &before.id)
	}
	return before, err
}

// organizerSQL is the organizer of the event $1.
const organizerSQL = `(SELECT own.organizer_id FROM events own WHERE own.id = $1)`

// unlessHidden returns a column of an invitation of the user parameter, in lists for the access.SessionUser $3. To hosts and API keys, an
// invitation of a user who goes incognito looks as if nobody had answered it: its columns have other values.
func unlessHidden(user, column, instead string) string {
	return `CASE WHEN (SELECT COUNT(*) FROM participants g WHERE g.event_id = $1 AND g.user_id = ` + user + ` AND g.status = 'going'
		AND g.visibility = 'incognito') > 0 AND ` + organizerSQL + ` <> $3 THEN ` + instead + ` ELSE ` + column + ` END`
}

var shownStatus = unlessHidden("i.user_id", "i.status", "'pending'")

// listForHosts runs a statement if the viewer hosts the event.
func listForHosts[T any](ctx context.Context, s *Service, v domain.Viewer, id domain.EventID,
	scan func(db.Row, *T) error, stmt *db.Stmt, args ...any,
) (list []T, err error) {
	err = s.DB.Read(ctx, func(q db.Querier) error {
		if _, err := hostedFacts(ctx, q, v, id, s.Clock.Now()); err != nil {
			return err
		}
		list, err = db.All(ctx, q, scan, stmt, args...)
		return err
	})
	return list, err
}

// hostedFacts returns the facts of an event that the viewer hosts. Returns NotFound if they do not see it, and else Forbidden.
func hostedFacts(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, now time.Time) (access.EventFacts, error) {
	f, err := access.Event(ctx, q, v, id, now)
	if err == nil {
		err = f.MustHost()
	}
	return f, err
}

// The lists read the maximum size of a page and the look-ahead row. Invitations omit users in a block with the viewer (policy "Block").
var (
	participantsStmt = db.SQL("attendance.participants", participantsOf(statusGoing))
	removedStmt      = db.SQL("attendance.removed", participantsOf(statusRemoved))

	invitationsStmt = db.SQL("attendance.invitations", `
		SELECT i.id, i.event_id, i.user_id, i.invited_by, `+shownStatus+`, i.message, `+
		unlessHidden("i.user_id", "i.responded_at", "NULL")+`, i.created_at, `+unlessHidden("i.user_id", "i.updated_at", "i.created_at")+`, `+
		user.Columns("o")+`
		FROM invitations i LEFT JOIN profiles o ON o.user_id = i.user_id
		WHERE i.event_id = $1 AND (CAST($4 AS TEXT) = '' OR `+shownStatus+` = $4) AND (i.created_at, i.id) < ($5, $6)
			AND `+access.NotBlocked("i.user_id", "$2")+`
		ORDER BY i.created_at DESC, i.id DESC LIMIT 101`)
)

func participantsOf(status string) string {
	return `
		SELECT p.*, ` + user.Columns("o") + ` FROM (
			SELECT ` + participantColumns + `, ` + namesGuest("participants") + ` AS named FROM participants
			WHERE event_id = $1 AND user_id > COALESCE((SELECT h.user_id FROM participants h WHERE h.event_id = $1 AND h.id = $4), $4)
				AND status = '` + status + `' AND ` + listsGuest("participants") + ` AND party >= $5 AND ` + matchSQL("participants", "$6", "$7") + `
			ORDER BY user_id LIMIT 101) AS p
		LEFT JOIN profiles o ON o.user_id = p.user_id AND p.named ORDER BY p.user_id`
}

// listsGuest and namesGuest are the conditions of package access for a table of guests of the event $1, the viewer $2 and the
// access.SessionUser $3.
func listsGuest(table string) string {
	return access.ListsGuest(table+".user_id", table+".visibility", "$2", organizerSQL)
}

func namesGuest(table string) string {
	return access.NamesGuest(table+".user_id", table+".visibility", "$2", "$3", organizerSQL)
}

// matchSQL is question.MatchSQL for a table of guests. A filter by an answer omits the incognito guests whose answers answersFrom hides.
func matchSQL(table, of, value string) string {
	return question.MatchSQL(table+".event_id", table+".user_id", of, value) + ` AND (CAST(` + of + ` AS UUID) IS NULL
		OR ` + table + `.visibility = 'public' OR ` + organizerSQL + ` = $3)`
}

// shownID is the key of the participant in cursors: it hides who it is, too.
func (p Participant) shownID() domain.UserID {
	if p.hidden {
		return domain.UserID(p.ID)
	}
	return p.UserID
}

func scanAttendee(row db.Row, a *Attendee) error {
	var named bool
	var profile user.ProfileColumns
	err := row.Scan(append(append(a.columns(), &named), profile.Dest()...)...)
	a.hidden, a.Profile = !named, profile.Public()
	return err
}

func scanInvitation(row db.Row, i *Invitation) error {
	var profile user.ProfileColumns
	err := row.Scan(append(i.columns(), profile.Dest()...)...)
	i.Invited = profile.Public()
	return err
}
