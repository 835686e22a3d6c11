package attendance

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"strings"
	"sync"
	"unicode/utf8"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/seal"
)

// Addresses seals the addresses of e-mail invitations, finds them again by an HMAC, and makes the tokens of their links.
type Addresses struct {
	DB   *db.DB
	Keys seal.Keys

	mu     sync.Mutex
	secret []byte // of the HMACs; nil: not read yet
}

const (
	mailboxKeyPurpose = "mailbox key"
	addressPurpose    = "invited address"
	emailLinkPurpose  = "email invitation"
)

var (
	mailboxKeyStmt    = db.SQL("attendance.mailbox_key", `SELECT secret FROM mailbox_keys WHERE id = 1`)
	putMailboxKeyStmt = db.SQL("attendance.put_mailbox_key", `
		INSERT INTO mailbox_keys (id, secret) VALUES (1, $1) ON CONFLICT (id) DO NOTHING`)
	renewMailboxKeyStmt = db.SQL("attendance.renew_mailbox_key", `UPDATE mailbox_keys SET secret = $2 WHERE id = 1 AND secret = $1`)

	sealedAddressesStmt = db.SQL("attendance.sealed_addresses", `
		SELECT id, address FROM email_invitations WHERE address IS NOT NULL AND id > $1 ORDER BY id LIMIT 1000`)
	renewAddressStmt = db.SQL("attendance.renew_address", `UPDATE email_invitations SET address = $3 WHERE id = $1 AND address = $2`)
)

// Mailbox returns the id of the mailbox of an address: an HMAC of the address without "+suffix". It is a UUID of version 8, so it
// differs from the ids of users. Call it outside of transactions.
func (a *Addresses) Mailbox(ctx context.Context, e user.Email) (id domain.UserID, err error) {
	secret, err := a.mailboxSecret(ctx)
	if err != nil {
		return id, err
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(e.Mailbox()))
	copy(id[:], mac.Sum(nil))
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	return id, nil
}

// IsMailbox reports whether the id of a recipient is that of a mailbox, not of a user.
func IsMailbox(id domain.UserID) bool { return id[6]>>4 == 8 }

// mailboxSecret returns the secret of the HMACs, and makes it if there is none.
func (a *Addresses) mailboxSecret(ctx context.Context) ([]byte, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.secret != nil {
		return a.secret, nil
	}
	var stored []byte
	found, err := a.DB.One(ctx, mailboxKeyStmt).Find(&stored)
	if err == nil && !found {
		if _, err = a.DB.Exec(ctx, putMailboxKeyStmt, a.Keys.New(mailboxKeyPurpose)); err == nil {
			err = a.DB.One(ctx, mailboxKeyStmt).Scan(&stored)
		}
	}
	if err != nil {
		return nil, err
	}
	a.secret, err = a.Keys.Secret(mailboxKeyPurpose, stored)
	return a.secret, err
}

func (a *Addresses) seal(e user.Email) []byte { return a.Keys.Seal(addressPurpose, []byte(e.Address)) }

func (a *Addresses) open(sealed []byte) (user.Email, error) {
	address, err := a.Keys.Open(addressPurpose, sealed)
	if err != nil {
		return user.Email{}, err
	}
	return user.ParseEmail(string(address))
}

// Token returns the token of the link of an invitation.
func (a *Addresses) Token(id domain.InvitationID) string {
	return a.Keys.Token(emailLinkPurpose, id[:])
}

// parse returns the invitation of a token; ok is false if the token is forged.
func (a *Addresses) parse(token string) (id domain.InvitationID, ok bool) {
	data, ok := a.Keys.OpenToken(emailLinkPurpose, token)
	return id, ok && copy(id[:], data) == len(id)
}

// RenewSecrets seals with the key of the service what belongs to its predecessor, and returns the number of rows.
func (a *Addresses) RenewSecrets(ctx context.Context) (renewed int, err error) {
	if len(a.Keys.Previous) == 0 {
		return 0, nil
	}
	var stored []byte
	if found, err := a.DB.One(ctx, mailboxKeyStmt).Find(&stored); err != nil {
		return 0, err
	} else if found {
		if renewed, err = a.renew(ctx, mailboxKeyPurpose, stored, renewMailboxKeyStmt); err != nil {
			return 0, err
		}
	}
	type row struct {
		id     domain.InvitationID
		sealed []byte
	}
	for after := (domain.InvitationID{}); ; {
		batch, err := db.All(ctx, a.DB, func(r db.Row, one *row) error { return r.Scan(&one.id, &one.sealed) }, sealedAddressesStmt, after)
		if err != nil || len(batch) == 0 {
			return renewed, err
		}
		for _, one := range batch {
			n, err := a.renew(ctx, addressPurpose, one.sealed, renewAddressStmt, one.id)
			if err != nil {
				return renewed, err
			}
			renewed += n
			after = one.id
		}
	}
}

// renew runs a statement with the key of a row, its sealed secret, and the same secret under the current key.
func (a *Addresses) renew(ctx context.Context, purpose string, stored []byte, stmt *db.Stmt, key ...any) (int, error) {
	sealed, changed, err := a.Keys.Renew(purpose, stored)
	if err != nil || !changed {
		return 0, err
	}
	n, err := a.DB.Exec(ctx, stmt, append(key, stored, sealed)...)
	return int(n), err
}

// Mask returns an address of which only the first character and the domain can be read.
func Mask(e user.Email) string {
	first, _ := utf8.DecodeRuneInString(e.Address)
	return string(first) + "…" + e.Address[strings.LastIndexByte(e.Address, '@'):]
}
