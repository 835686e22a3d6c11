package email

import (
	"context"
	"crypto/subtle"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/platform/db"
)

// Link is the sign-in of a link.
type Link struct {
	Here     bool // the browser is the client that started
	Device   *string
	Age      time.Duration
	ReturnTo string // path of the web client

	client, seed []byte
	emailKey     string
}

// FindLink returns the sign-in of a link for a browser with a challenge, or
// domain.NotFound. It changes nothing: programs that scan mails open links.
func (s *Service) FindLink(ctx context.Context, link, challenge string) (Link, error) {
	var l Link
	hash, ok := linkToken.Hash(link)
	if !ok {
		return l, domain.NotFound
	}
	now := s.Clock.Now()
	var createdAt time.Time
	err := s.DB.One(ctx, linkStmt, hash, now).ScanOr(domain.NotFound, &l.client, &l.seed, &l.emailKey, &l.Device, &l.ReturnTo, &createdAt)
	client, ok := clientToken.Hash(challenge)
	l.Here = ok && subtle.ConstantTimeCompare(client, l.client) == 1
	l.Age = now.Sub(createdAt)
	return l, err
}

// SignInHere exchanges a link for a session in the browser that started. It returns
// domain.Unauthorized if the sign-in has ended, and for a suspended account.
func (s *Service) SignInHere(ctx context.Context, l Link, c session.Client) (session.SignedIn, error) {
	now := s.Clock.Now()
	return s.signIn(ctx, c, now, func(tx db.Tx) (found bool, as user.Email, err error) {
		found, err = tx.One(ctx, redeemOpenStmt, l.client, now).Find(&as.Address, &as.Key)
		return found, as, err
	})
}

// Confirm confirms a link outside of the client that started, if the number is the one that
// this client shows. The client then gets the session by Poll.
//
// A wrong number ends the sign-in and is domain.Unauthorized: the user may be about to let
// a stranger in, and must not be able to guess.
func (s *Service) Confirm(ctx context.Context, l Link, number string) error {
	now := s.Clock.Now()
	if subtle.ConstantTimeCompare([]byte(number), []byte(s.secrets(l.seed, l.emailKey).Number)) != 1 {
		if _, err := s.DB.Exec(ctx, redeemStmt, l.client); err != nil {
			return err
		}
		return domain.Unauthorized
	}
	confirmed, err := s.DB.Exec(ctx, confirmStmt, l.client, now)
	if err == nil && confirmed == 0 {
		return domain.NotFound
	}
	return err
}

var (
	linkStmt = db.SQL("email.link", `
		SELECT client_hash, seed, email_key, device, return_to, created_at FROM email_sign_ins WHERE link_hash = $1 AND `+open)

	confirmStmt = db.SQL("email.confirm", `UPDATE email_sign_ins SET confirmed_at = $2 WHERE client_hash = $1 AND `+open)

	redeemOpenStmt = db.SQL("email.redeem_open", `
		DELETE FROM email_sign_ins WHERE client_hash = $1 AND `+open+` RETURNING email, email_key`)
)
