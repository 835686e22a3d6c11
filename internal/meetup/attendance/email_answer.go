package attendance

import (
	"context"
	"errors"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/text"
)

// guestsEnd is how long after the event an account remains that an answer has made and in which nobody has signed in.
const guestsEnd = 30 * 24 * time.Hour

// maxGuestName is the length of a typed name in graphemes.
const maxGuestName = 50

// InvitedEvent is what the link of an e-mail invitation shows. It is the same whether the address has an account or not.
type InvitedEvent struct {
	EmailInvitation
	Title, Timezone string
	StartsAt        time.Time
	City            *string
	Paid            bool
	Private         bool
	Host            user.Public

	overAt  time.Time
	account *domain.UserID // with the verified address, or that attends
	claimed bool           // an account has the address, but has not verified it
}

// Account returns the account of the address; nil if there is none.
func (i InvitedEvent) Account() *domain.UserID { return i.account }

// OfToken returns what the link with a token shows. It returns NotFound for a forged token, and when the link has ended: the
// invitation was declined or withdrawn, the event has begun, is canceled or hidden, or the account of the address is blocked.
func (s *Service) OfToken(ctx context.Context, token string) (i InvitedEvent, err error) {
	id, ok := s.Addresses.parse(token)
	if !ok {
		return i, domain.NotFound
	}
	return s.EmailInvitation(ctx, id)
}

// EmailInvitation is OfToken for an id.
func (s *Service) EmailInvitation(ctx context.Context, id domain.InvitationID) (i InvitedEvent, err error) {
	err = s.DB.Read(ctx, func(q db.Querier) error {
		i, err = s.readInvited(ctx, q, invitedEventStmt, id)
		return err
	})
	return i, err
}

func (s *Service) readInvited(ctx context.Context, q db.Querier, stmt *db.Stmt, id domain.InvitationID) (i InvitedEvent, err error) {
	var host user.ProfileColumns
	all, err := db.All(ctx, q, func(r db.Row, one *InvitedEvent) error {
		return s.scanEmailAnd(r, &one.EmailInvitation, append([]any{&one.Title, &one.Timezone, &one.StartsAt, &one.overAt, &one.City, &one.Paid,
			&one.Private}, host.Dest()...)...)
	}, stmt, id, s.Clock.Now())
	if err != nil {
		return i, err
	}
	if len(all) == 0 || all[0].Email == nil || host.Public() == nil {
		return i, domain.NotFound
	}
	i = all[0]
	i.Host = *host.Public()
	var account domain.UserID
	var verified, usable bool
	found, err := q.One(ctx, accountOfStmt, i.Email.Key, i.user, i.InvitedBy).Find(&account, &verified, &usable)
	switch {
	case err != nil:
		return i, err
	case !found:
		return i, nil
	case !verified:
		i.claimed = true
		return i, nil
	case !usable:
		return i, domain.NotFound
	}
	i.account = &account
	return i, nil
}

// ErrSignIn means that the answer needs a session: the event has a price or required questions, or an account has the address without
// having verified it.
var ErrSignIn = errors.New("attendance: the answer needs a session")

// AnswerEmail answers the invitation of a token. access.Accepted makes a participant, and an account if the address has none. The
// other answers end the participation. An answer counts for the invited address, even if its owner has forwarded the mail.
// Returns NotFound as OfToken does, Forbidden if the event is full, and ErrSignIn.
func (s *Service) AnswerEmail(ctx context.Context, token string, status access.Invitation, name string) error {
	i, err := s.OfToken(ctx, token)
	if err != nil {
		return err
	}
	name, err = text.Line(0, maxGuestName)(name)
	if err != nil {
		return domain.Invalid("/name", "must be a line of at most 50 characters")
	}
	return s.withSeats(ctx, i.EventID, func(take takeSeats) error {
		return s.DB.InTx(ctx, func(tx db.Tx) error { return s.answerEmail(ctx, tx, i, status, name, take) })
	})
}

func (s *Service) answerEmail(ctx context.Context, tx db.Tx, i InvitedEvent, status access.Invitation, name string, take takeSeats) error {
	now := s.Clock.Now()
	user.Share(ctx, tx, i.InvitedBy)
	if i.account != nil {
		user.Lock(ctx, tx, *i.account)
	}
	if _, err := tx.Exec(ctx, lockEmailStmt, i.ID); err != nil {
		return err
	}
	i, err := s.readInvited(ctx, tx, invitedEventStmt, i.ID) // again, under the locks
	if err != nil {
		return err
	}
	account := i.user
	switch {
	case status == access.Accepted:
		if account, err = s.acceptEmail(ctx, tx, i, take, now); err != nil {
			return err
		}
	case account == nil: // has not accepted before
	case i.Private:
		err = s.rsvpIn(ctx, tx, domain.Viewer{UserID: *account}, i.EventID, RSVP{Status: status}, take, now)
	default:
		_, err = s.leaveIn(ctx, tx, domain.Viewer{UserID: *account}, i.EventID, now)
	}
	if err != nil && !errors.Is(err, domain.NotFound) {
		return err
	}
	var typed *string
	if name != "" {
		typed = &name
	}
	tx.Queue(ctx, answerEmailStmt, i.ID, status, typed, account, now)
	return nil
}

// acceptEmail makes the account of the address a participant.
func (s *Service) acceptEmail(ctx context.Context, tx db.Tx, i InvitedEvent, take takeSeats, now time.Time) (*domain.UserID, error) {
	if i.Paid || i.claimed {
		return nil, ErrSignIn
	}
	account := i.account
	if account == nil {
		created, err := s.Users.FindOrCreateByEmail(ctx, tx, *i.Email, true, now)
		if err != nil {
			return nil, err
		}
		account = &created
		tx.Queue(ctx, putGuestStmt, created, i.overAt.Add(guestsEnd), now) // unless its owner has just signed up
	}
	tx.Queue(ctx, liftStmt, i.EventID, account, i.CreatedAt, now)
	v := domain.Viewer{UserID: *account}
	var err error
	if i.Private {
		tx.Queue(ctx, inviteEmailStmt, i.EventID, account, domain.NewID[domain.InvitationKind](now), i.InvitedBy, now)
		err = s.rsvpIn(ctx, tx, v, i.EventID, RSVP{Status: access.Accepted}, take, now)
	} else {
		err = s.joinIn(ctx, tx, &Participant{EventID: i.EventID, UserID: *account}, v, Terms{approved: true}, take, now)
	}
	if errors.Is(err, domain.Forbid(domain.AnswersRequired)) {
		return nil, ErrSignIn
	}
	return account, err
}

var (
	invitedEventStmt = db.SQL("attendance.invited_event", `
		SELECT `+emailColumns+`, e.title, e.timezone, e.starts_at, e.over_at, e.city, e.price = 'paid', e.visibility <> 'public', `+
		user.Columns("o")+`
		FROM email_invitations m JOIN events e ON e.id = m.event_id JOIN profiles o ON o.user_id = m.invited_by
		JOIN users h ON h.id = m.invited_by AND h.suspended_at IS NULL
		WHERE m.id = $1 AND m.address IS NOT NULL AND e.status = 'published' AND e.starts_at > $2`)

	// accountOfStmt reads the account that attends, or else that of the address $1.
	accountOfStmt = db.SQL("attendance.account_of", `
		SELECT u.id, u.email_verified OR u.id = $2, u.suspended_at IS NULL AND u.id <> $3 AND `+access.NotBlocked("u.id", "$3")+`
		FROM users u WHERE u.id = $2 OR CAST($2 AS UUID) IS NULL AND u.email_key = $1`)

	lockEmailStmt = db.SQL("attendance.lock_email_invitation", `UPDATE email_invitations SET status = status WHERE id = $1`)

	answerEmailStmt = db.SQL("attendance.answer_email_invitation", `
		UPDATE email_invitations SET status = $2, name = COALESCE($3, name), user_id = $4, responded_at = $5,
			address = CASE WHEN $2 = 'declined' THEN NULL ELSE address END WHERE id = $1`)

	putGuestStmt = db.SQL("attendance.put_guest", `
		INSERT INTO mail_guests (user_id, delete_at) SELECT u.id, $2 FROM users u WHERE u.id = $1 AND u.created_at = $3`)

	inviteEmailStmt = db.SQL("attendance.invite_accepted", `
		INSERT INTO invitations (event_id, user_id, id, invited_by, status, created_at, updated_at)
		VALUES ($1, $2, $3, $4, 'pending', $5, $5) ON CONFLICT (event_id, user_id) DO NOTHING`)
)

var recipientStmt = db.SQL("attendance.recipient", `SELECT `+emailColumns+` FROM email_invitations m WHERE m.id = $1`)

// RecipientOf returns the invitation of a token, also if its link has ended. It returns NotFound for a forged token.
func (s *Service) RecipientOf(ctx context.Context, token string) (i EmailInvitation, err error) {
	id, ok := s.Addresses.parse(token)
	if !ok {
		return i, domain.NotFound
	}
	all, err := db.All(ctx, s.DB, s.scanEmail, recipientStmt, id)
	if err == nil && len(all) == 0 {
		err = domain.NotFound
	}
	if err != nil {
		return i, err
	}
	return all[0], nil
}
