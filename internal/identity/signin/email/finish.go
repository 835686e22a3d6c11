package email

import (
	"context"
	"crypto/subtle"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/identity/signin"
	"moothall/internal/platform/db"
)

// Verify exchanges the code of a sign-in for a session and creates the account if there is
// none. It returns domain.Unauthorized for a code that is wrong, used or expired, for a
// client or an address that did not start, and for a suspended account.
func (s *Service) Verify(ctx context.Context, address, code, challenge string, c session.Client) (session.SignedIn, error) {
	e, err := signin.ParseEmail(address)
	if err != nil {
		return session.SignedIn{}, err
	}
	client, ok := clientToken.Hash(challenge)
	if !ok {
		return session.SignedIn{}, domain.Unauthorized
	}
	now := s.Clock.Now()
	return s.signIn(ctx, c, now, func(tx db.Tx) (found bool, as user.Email, err error) {
		var seed []byte
		found, err = tx.One(ctx, tryStmt, client, e.Key, now).Find(&seed)
		if err != nil || !found || subtle.ConstantTimeCompare([]byte(code), []byte(s.secrets(seed, e.Key).Code)) != 1 {
			return false, as, err // the spent try is committed
		}
		found, err = tx.One(ctx, redeemStmt, client).Find(&as.Address, &as.Key)
		return found, as, err
	})
}

// signIn starts a session for the address that redeem returns. redeem deletes the sign-in
// in the same transaction, so that it leads to one session.
func (s *Service) signIn(ctx context.Context, c session.Client, now time.Time,
	redeem func(tx db.Tx) (bool, user.Email, error)) (session.SignedIn, error) {
	var in *session.SignedIn
	err := s.DB.InTx(ctx, func(tx db.Tx) error {
		in = nil
		found, e, err := redeem(tx)
		if err != nil || !found {
			return err
		}
		user, err := s.Users.FindOrCreateByEmail(ctx, tx, e, true, now)
		if err != nil {
			return err
		}
		in, err = s.Sessions.Start(ctx, tx, user, session.Email, session.NewPair(), c, now)
		return err
	})
	if err == nil && in == nil {
		err = domain.Unauthorized
	}
	if err != nil {
		return session.SignedIn{}, err
	}
	return *in, nil
}

// State is the state of a sign-in.
type State int

// The states of a sign-in.
const (
	Pending State = iota
	Verified
	Expired
)

// Status is the response to a poll.
type Status struct {
	State     State
	ExpiresAt time.Time        // of the sign-in, unless it is verified
	SignedIn  session.SignedIn // if it is verified
}

// Poll returns the state of a sign-in and, once the link was confirmed, its session. It
// returns domain.Unauthorized for an unknown sign-in and for a suspended account.
func (s *Service) Poll(ctx context.Context, challenge string, c session.Client) (Status, error) {
	client, ok := clientToken.Hash(challenge)
	if !ok {
		return Status{}, domain.Unauthorized
	}
	now := s.Clock.Now()
	var confirmedAt *time.Time
	var left int
	var status Status
	err := s.DB.One(ctx, statusStmt, client).ScanOr(domain.Unauthorized, &confirmedAt, &left, &status.ExpiresAt)
	if err != nil {
		return Status{}, err
	}
	if err := s.Limits.Spend(ctx, StatusPerSignIn, string(client)); err != nil {
		return Status{}, err
	}
	switch {
	case !now.Before(status.ExpiresAt) || left == 0:
		status.State = Expired
		return status, nil
	case confirmedAt == nil:
		return status, nil
	}
	in, err := s.signIn(ctx, c, now, func(tx db.Tx) (found bool, as user.Email, err error) {
		found, err = tx.One(ctx, redeemConfirmedStmt, client, now).Find(&as.Address, &as.Key)
		return found, as, err
	})
	return Status{State: Verified, SignedIn: in}, err
}

// open matches a sign-in that can still succeed.
const open = `expires_at > $2 AND tries_left > 0`

var (
	// tryStmt spends the try before the code is compared, so that concurrent tries cannot
	// compare more codes.
	tryStmt = db.SQL("email.try", `
		UPDATE email_sign_ins SET tries_left = tries_left - 1
		WHERE client_hash = $1 AND email_key = $2 AND tries_left > 0 AND expires_at > $3 RETURNING seed`)

	redeemStmt = db.SQL("email.redeem", `DELETE FROM email_sign_ins WHERE client_hash = $1 RETURNING email, email_key`)

	redeemConfirmedStmt = db.SQL("email.redeem_confirmed", `
		DELETE FROM email_sign_ins WHERE client_hash = $1 AND confirmed_at IS NOT NULL AND `+open+`
		RETURNING email, email_key`)

	statusStmt = db.SQL("email.status", `
		SELECT confirmed_at, tries_left, expires_at FROM email_sign_ins WHERE client_hash = $1`)
)
