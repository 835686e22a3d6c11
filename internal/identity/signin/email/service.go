// Package emailsignin signs users in by a mail with a code and a link. A sign-in belongs to
// the browser or app that started it: only that client gets the session, whether the user
// types the code or opens the link (docs/security.md, "Sign-in by e-mail").
package email

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
	"moothall/internal/platform/mailtemplate"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/platform/smtp"
)

// Limits of a sign-in.
const (
	codeLength  = 6
	lifetime    = 10 * time.Minute
	tries       = 5
	resendAfter = time.Minute
	renewAfter  = 5 * time.Minute // age from which a repeated start makes a new code
	pollEvery   = 2 * time.Second // recommended to clients
)

// Limits that count by a value in the request. While the store is down they refuse
// requests, so that codes cannot be guessed without limit.
var (
	StartPerEmail = ratelimit.Limit{Name: "email_start_per_email",
		What:    "sign-in mails to one address; clients that have signed in with it count separately",
		Default: ratelimit.Quota{N: 5, Window: 10 * time.Minute}}
	StartPerEmailDay = ratelimit.Limit{Name: "email_start_per_email_day",
		What:    "sign-in mails to one address; clients that have signed in with it count separately",
		Default: ratelimit.Quota{N: 20, Window: 24 * time.Hour}}
	StartsPerDay = ratelimit.Limit{Name: "email_starts_per_day",
		What: "sign-in mails to all users together. One network (IPv4 /24, IPv6 /48) gets at most a twentieth, an IPv6 /32 at most a fifth. Half is for known clients and accounts, a quarter for networks with at most 5 starts. Starts beyond it get the same response, but no mail", Default: ratelimit.Quota{N: 5000, Window: 24 * time.Hour}}
	StatusPerSignIn = ratelimit.Limit{Name: "email_status_per_sign_in", What: "status requests about one sign-in by e-mail",
		Default: ratelimit.Quota{N: 60, Window: time.Minute}}
	ConfirmsPerAddress = ratelimit.Limit{Name: "email_confirms_per_address", What: "links in sign-in mails confirmed from one client address",
		Default: ratelimit.Quota{N: 30, Window: 10 * time.Minute}}
)

// Service implements sign-in by e-mail.
type Service struct {
	DB       *db.DB
	Clock    domain.Clock
	Users    *user.Service
	Sessions *session.Service
	Limits   *ratelimit.Limits // nil: attempts are not limited

	Key       []byte         // makes codes and links; the same on all instances
	Transport smtp.Transport // nil: the operations are disabled
	From      string
	Brand     mailtemplate.Brand
	PageURL   string // address of the page that links open
	WebOrigin string // origin of the web client
}

// clientToken is the secret of the client that starts, and linkToken that of the link.
const (
	clientToken session.TokenKind = "es_"
	linkToken   session.TokenKind = "el_"
)

// secrets are what the server derives for one sign-in. Neither the database nor the
// address alone reveals them.
type secrets struct{ Code, Number, Link string }

func (s *Service) secrets(seed []byte, emailKey string) secrets {
	mac := func(purpose string) []byte {
		h := hmac.New(sha256.New, s.Key)
		h.Write([]byte("sign-in by e-mail\x00" + purpose + "\x00"))
		h.Write(seed)
		h.Write([]byte(emailKey))
		return h.Sum(nil)
	}
	return secrets{
		Code:   fmt.Sprintf("%0*d", codeLength, binary.BigEndian.Uint64(mac("code"))%1_000_000),
		Number: fmt.Sprintf("%02d", binary.BigEndian.Uint64(mac("number"))%100),
		Link:   linkToken.Of(mac("link")),
	}
}

func newSeed() []byte {
	seed := make([]byte, 16)
	_, _ = rand.Read(seed) // never fails
	return seed
}

// Purge deletes sign-ins that have expired. Several instances may run it at once.
func (s *Service) Purge(ctx context.Context) error {
	return db.Drain(ctx, s.DB, purgeStmt, s.Clock.Now())
}

// parallelMails is how many mails an instance sends at the same time.
const parallelMails = 2

// RegisterJobs registers the job that sends the mails. An instance that cannot send leaves
// it to others. A mail server that does not answer delays no other jobs.
func (s *Service) RegisterJobs(w *job.Workers) {
	if s.Transport != nil {
		job.Leased(w, sendKind, s.send)
		w.Separate(sendKind, parallelMails)
	}
}

var purgeStmt = db.SQL("email.purge", `
	DELETE FROM email_sign_ins WHERE client_hash IN (
		SELECT e.client_hash FROM email_sign_ins e WHERE e.expires_at <= $1 LIMIT 1000)`)
