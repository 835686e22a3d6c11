package email

import (
	"context"
	"encoding/hex"
	"errors"
	"net/netip"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/identity/signin"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/platform/text"
)

// Start is a request to start a sign-in.
type Start struct {
	Email     string
	ReturnTo  string // path of the web client; see signin.LocalPath
	Challenge string // of a sign-in to send again; may be empty
	Languages string // Accept-Language
	Client    session.Client
	Address   netip.Addr // of the client

	// Tokens of a session on the client, valid or expired; may be empty.
	AccessToken, RefreshToken string
}

// language returns the tag of the language of the mail.
func (r Start) language() string { return text.BestLanguage(languages, r.Languages).String() }

// Challenge is a sign-in that has started.
type Challenge struct {
	Secret    string // of the client
	Number    string // that the client shows
	ExpiresAt time.Time
	ExpiresIn time.Duration
}

// Start starts a sign-in and queues its mail. It does not look for the account of the
// address, so neither the response nor its time reveals whether there is one. The same holds
// when the budget of the day is used up, and only known clients and accounts get a mail.
//
// If the client repeats a start within renewAfter, the mail is sent again, with the same
// code: a mail that arrives late still works, and the repetition adds no attempts.
func (s *Service) Start(ctx context.Context, r Start) (Challenge, error) {
	e, err := signin.ParseEmail(r.Email)
	if err != nil {
		return Challenge{}, err
	}
	known, within, err := s.countStart(ctx, e, r)
	if err != nil {
		return Challenge{}, err
	}
	now := s.Clock.Now()
	c := Challenge{Secret: r.Challenge}
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		seed, err := s.repeat(ctx, tx, e, r, &c, now)
		if err == nil && seed == nil {
			seed, err = s.insert(ctx, tx, e, r, &c, now)
		}
		if err != nil {
			return err
		}
		c.Number = s.secrets(seed, e.Key).Number
		hash, _ := clientToken.Hash(c.Secret)
		send := sendJob{hash, domain.NewID[domain.MailKind](now), !within, known}
		return job.Put(ctx, tx, now, job.Job{Kind: sendKind, Key: hex.EncodeToString(hash), Payload: send})
	})
	c.ExpiresIn = c.ExpiresAt.Sub(now)
	return c, err
}

// countStart counts a start under every limit or under none. Other clients can use up the
// limits of an address, but not those of a client that has signed in with it: these count
// by account. known reports whether the client has, and within whether the budget of the day allows
// the mail. A start beyond it is not refused: send decides later whether it knows the address.
func (s *Service) countStart(ctx context.Context, e user.Email, r Start) (known, within bool, err error) {
	key := e.Mailbox()
	owner, found, err := s.Sessions.Owner(ctx, r.AccessToken, r.RefreshToken)
	if err != nil {
		return false, false, err
	}
	if found && owner.EmailKey != nil && *owner.EmailKey == e.Key {
		key, known = "account "+owner.ID.String(), true
	}
	_, network, err := s.Limits.TakeShares(ctx, StartsPerDay, r.Address,
		ratelimit.Count{Limit: StartPerEmail, Key: key}, ratelimit.Count{Limit: StartPerEmailDay, Key: key})
	if err != nil {
		return known, false, err
	}
	_, err = s.Limits.TakeBudget(ctx, StartsPerDay, network, false)
	if errors.Is(err, domain.RateLimited) {
		return known, false, nil
	}
	return known, err == nil, err
}

// repeat returns the seed of the client's recent sign-in for the address, or nil.
func (s *Service) repeat(ctx context.Context, tx db.Tx, e user.Email, r Start, c *Challenge, now time.Time) (seed []byte, err error) {
	hash, ok := clientToken.Hash(r.Challenge)
	if !ok {
		return nil, nil
	}
	_, err = tx.One(ctx, repeatStmt, hash, e.Key, now.Add(-renewAfter), r.language(), signin.LocalPath(r.ReturnTo)).Find(&seed, &c.ExpiresAt)
	return seed, err
}

// insert stores a new sign-in and returns its seed.
func (s *Service) insert(ctx context.Context, tx db.Tx, e user.Email, r Start, c *Challenge, now time.Time) ([]byte, error) {
	seed := newSeed()
	c.Secret, c.ExpiresAt = clientToken.New(), now.Add(lifetime)
	client, _ := clientToken.Hash(c.Secret)
	link, _ := linkToken.Hash(s.secrets(seed, e.Key).Link)
	_, err := tx.Exec(ctx, insertStmt, client, link, seed, e.Address, e.Key, r.language(), session.DeviceName(r.Client.UserAgent),
		signin.LocalPath(r.ReturnTo), tries, now, c.ExpiresAt)
	return seed, err
}

var (
	repeatStmt = db.SQL("email.repeat", `
		UPDATE email_sign_ins SET language = $4, return_to = $5
		WHERE client_hash = $1 AND email_key = $2 AND created_at > $3 AND tries_left > 0 AND confirmed_at IS NULL
		RETURNING seed, expires_at`)

	insertStmt = db.SQL("email.insert", `
		INSERT INTO email_sign_ins (client_hash, link_hash, seed, email, email_key, language, device, return_to, tries_left, created_at,
			expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`)
)
