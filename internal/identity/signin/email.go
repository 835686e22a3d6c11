package signin

import (
	"context"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/platform/db"
)

// Limits of an e-mail code (contract §2.1).
const (
	codeLength   = 6
	codeLifetime = 10 * time.Minute
	codeTries    = 5
	resendAfter  = time.Minute
)

// Challenge is a code that was sent to an e-mail address.
type Challenge struct {
	ExpiresAt time.Time
	Code      string // empty unless ExposeCode is set
}

// StartEmail sends a code to an address, in the best available language for
// languages (an Accept-Language header). It does not look for an account, so the
// response cannot reveal whether there is one.
//
// Within resendAfter it sends the same code with the remaining tries: a repeated
// start adds no guesses and does not replace a code that the user is typing.
// Later, or after the last try, it sends a new code.
func (s *Service) StartEmail(ctx context.Context, address, languages string) (Challenge, error) {
	e, err := ParseEmail(address)
	if err != nil {
		return Challenge{}, err
	}
	if err := s.Limits.Spend(ctx, DevStartPerEmail, e.Mailbox()); err != nil {
		return Challenge{}, err
	}
	now := s.Clock.Now()
	c := Challenge{ExpiresAt: now.Add(codeLifetime)}
	var seed []byte
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		return tx.One(ctx, startCodeStmt, e.Key, newSeed(), codeTries, c.ExpiresAt, now, now.Add(-resendAfter)).Scan(&seed)
	})
	if err != nil {
		return Challenge{}, err
	}
	code := s.emailCode(seed, e)
	if err := s.mailCode(ctx, e, code, languages); err != nil {
		return Challenge{}, err
	}
	if s.ExposeCode {
		c.Code = code
	}
	return c, nil
}

// emailCode derives the code from its seed and the address. The database stores only
// the seed, which does not reveal the code.
func (s *Service) emailCode(seed []byte, e user.Email) string {
	mac := s.mac("dev e-mail code", seed, []byte(e.Key))
	return fmt.Sprintf("%0*d", codeLength, binary.BigEndian.Uint64(mac)%1_000_000)
}

// VerifyEmail exchanges a code for a session and creates the account if there is
// none. It returns domain.Unauthorized for a code that is wrong, used, expired
// or of another address, and for a suspended account.
func (s *Service) VerifyEmail(ctx context.Context, address, code string, c session.Client) (session.SignedIn, error) {
	e, err := ParseEmail(address)
	if err != nil {
		return session.SignedIn{}, err
	}
	now := s.Clock.Now()
	var in *session.SignedIn
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		in = nil
		ok, err := s.redeemCode(ctx, tx, e, code, now)
		if err != nil || !ok {
			return err // nil for a wrong code, so that the spent try is committed
		}
		user, err := s.Users.FindOrCreateByEmail(ctx, tx, e, true, now)
		if err != nil {
			return err
		}
		in, err = s.Sessions.Start(ctx, tx, user, session.DevEmail, session.NewPair(), c, now)
		return err
	})
	return signedIn(in, err)
}

// signedIn returns domain.Unauthorized for a sign-in without a session.
func signedIn(in *session.SignedIn, err error) (session.SignedIn, error) {
	if err == nil && in == nil {
		err = domain.Unauthorized
	}
	if err != nil {
		return session.SignedIn{}, err
	}
	return *in, nil
}

// redeemCode spends a try and deletes the code if it is right. The row stays
// locked until the transaction ends, so a code is used once.
func (s *Service) redeemCode(ctx context.Context, tx db.Tx, e user.Email, code string, now time.Time) (ok bool, err error) {
	var seed []byte
	found, err := tx.One(ctx, tryCodeStmt, e.Key, now).Find(&seed)
	if err != nil || !found || subtle.ConstantTimeCompare([]byte(code), []byte(s.emailCode(seed, e))) != 1 {
		return false, err
	}
	_, err = tx.Exec(ctx, redeemCodeStmt, e.Key)
	return err == nil, err
}

// recent matches a code that is younger than resendAfter and has tries left.
const recent = `(email_challenges.created_at > $6 AND email_challenges.tries_left > 0)`

var (
	// startCodeStmt keeps a recent code and replaces any other.
	startCodeStmt = db.SQL("signin.start_code", `
		INSERT INTO email_challenges (email_key, seed, tries_left, expires_at, created_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (email_key) DO UPDATE SET
			seed = CASE WHEN `+recent+` THEN email_challenges.seed ELSE excluded.seed END,
			tries_left = CASE WHEN `+recent+` THEN email_challenges.tries_left ELSE excluded.tries_left END,
			created_at = CASE WHEN `+recent+` THEN email_challenges.created_at ELSE excluded.created_at END,
			expires_at = excluded.expires_at
		RETURNING seed`)

	// tryCodeStmt spends the try before the code is compared, so that concurrent
	// tries cannot compare more than codeTries codes.
	tryCodeStmt = db.SQL("signin.try_code", `
		UPDATE email_challenges SET tries_left = tries_left - 1
		WHERE email_key = $1 AND tries_left > 0 AND expires_at > $2 RETURNING seed`)

	redeemCodeStmt = db.SQL("signin.redeem_code", `DELETE FROM email_challenges WHERE email_key = $1`)

	purgeCodesStmt = db.SQL("signin.purge_codes", `
		DELETE FROM email_challenges WHERE email_key IN (
			SELECT c.email_key FROM email_challenges c WHERE c.expires_at <= $1 LIMIT 1000)`)
)
