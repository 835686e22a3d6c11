package passkey

import (
	"context"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/idempotency"
	"moothall/internal/platform/text"
)

// StartRegistration returns the options of a new passkey of the viewer.
func (s *Service) StartRegistration(ctx context.Context, v domain.Viewer) (*protocol.CredentialCreation, error) {
	account, err := s.Users.Account(ctx, s.DB, v.UserID)
	if err != nil {
		return nil, err
	}
	o := owner{id: v.UserID, name: account.Profile.Username, displayName: account.Profile.DisplayName}
	for _, name := range []*string{account.Phone, account.Email} {
		if name != nil {
			o.name = *name
		}
	}
	existing, err := db.All(ctx, s.DB, func(r db.Row, d *protocol.CredentialDescriptor) error {
		d.Type = protocol.PublicKeyCredentialType
		return r.Scan((*[]byte)(&d.CredentialID))
	}, credentialsStmt, v.UserID)
	if err != nil {
		return nil, err
	}
	if len(existing) >= maxPasskeys {
		return nil, domain.Forbid(domain.BlockedByState)
	}
	options, began, err := s.RP.BeginRegistration(o, webauthn.WithExclusions(existing))
	if err == nil {
		err = s.begin(ctx, began.Challenge, challenge{userID: &v.UserID})
	}
	return options, err
}

// Create stores a new passkey of the viewer. A response that does not match the options is
// a domain.Invalid.
func (s *Service) Create(ctx context.Context, v domain.Viewer, name string, r protocol.CredentialCreationResponse) (Passkey, error) {
	name, err := cleanName(name)
	if err != nil {
		return Passkey{}, err
	}
	parsed, err := r.Parse()
	if err != nil {
		return Passkey{}, cause(errCredential, err)
	}
	now := s.Clock.Now()
	created := Passkey{ID: domain.NewID[domain.PasskeyKind](now), Name: name, CreatedAt: now}
	err = idempotency.InTx(ctx, s.DB, now, &created, func(tx db.Tx) error {
		credential, err := s.validate(ctx, tx, v, parsed)
		if err != nil {
			return err
		}
		created.Synced = credential.Flags.BackupState
		if err := s.insert(ctx, tx, v, created, credential); err != nil {
			return err
		}
		return notify.Put(ctx, tx, now, notify.Notification{To: v.UserID, Kind: notify.PasskeyAdded, Subject: created.ID.String()})
	})
	if err != nil { // a challenge works once, also for a response that is refused
		_, _ = s.DB.Exec(ctx, useUpStmt, challengeHash(parsed.Response.CollectedClientData.Challenge), v.UserID)
	}
	return created, err
}

var errCredential = domain.Invalid("/credential", "does not match the options, or they have expired")

// validate returns the credential of a response to the viewer's options.
func (s *Service) validate(ctx context.Context, tx db.Tx, v domain.Viewer,
	r *protocol.ParsedCredentialCreationData) (*webauthn.Credential, error) {
	text := r.Response.CollectedClientData.Challenge
	asked, err := s.consume(ctx, tx, text, errCredential)
	if err != nil {
		return nil, err
	}
	if asked.userID == nil || *asked.userID != v.UserID {
		return nil, errCredential
	}
	began := s.sessionOf(text)
	began.UserID, began.CredParams = v.UserID.Bytes()[:], webauthn.CredentialParametersDefault()
	credential, err := s.RP.CreateCredential(owner{id: v.UserID}, began, r)
	if err != nil {
		return nil, cause(errCredential, err)
	}
	return credential, nil
}

func (s *Service) insert(ctx context.Context, tx db.Tx, v domain.Viewer, p Passkey, c *webauthn.Credential) error {
	var count int
	if err := tx.One(ctx, countStmt, v.UserID).Scan(&count); err != nil {
		return err
	}
	if count >= maxPasskeys {
		return domain.Forbid(domain.BlockedByState)
	}
	n, err := tx.Exec(ctx, insertStmt, p.ID, v.UserID, c.ID, c.PublicKey, int64(c.Authenticator.SignCount), c.Flags.BackupEligible, p.Synced,
		p.Name, p.CreatedAt)
	if err == nil && n == 0 {
		err = errCredential
	}
	return err
}

// List returns the viewer's passkeys, the oldest first.
func (s *Service) List(ctx context.Context, v domain.Viewer) ([]Passkey, error) {
	return list(ctx, s.DB, v.UserID)
}

func list(ctx context.Context, q db.Querier, user domain.UserID) ([]Passkey, error) {
	return db.All(ctx, q, scan, listStmt, user)
}

func scan(r db.Row, p *Passkey) error {
	return r.Scan(&p.ID, &p.Name, &p.Synced, &p.CreatedAt, &p.LastUsedAt)
}

// Rename renames one of the viewer's passkeys. It returns domain.NotFound for any other.
func (s *Service) Rename(ctx context.Context, v domain.Viewer, id domain.PasskeyID, name string) (p Passkey, err error) {
	if name, err = cleanName(name); err != nil {
		return p, err
	}
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		return tx.One(ctx, renameStmt, id, v.UserID, name).ScanOr(domain.NotFound, &p.ID, &p.Name, &p.Synced, &p.CreatedAt, &p.LastUsedAt)
	})
	return p, err
}

var nameLine = text.Line(1, 80)

func cleanName(name string) (string, error) {
	name, err := nameLine(name)
	if err != nil {
		err = domain.Invalid("/name", err.Error())
	}
	return name, err
}

// ways are the ways in which a user can sign in.
type ways struct {
	passkeys               int
	email, phone, identity bool
}

// mayRemovePasskey reports whether the user can still sign in without one of the passkeys.
func (w ways) mayRemovePasskey(offered Others) bool {
	return w.passkeys > 1 || w.email && offered.Email || w.phone && offered.Phone || w.identity
}

// Delete removes one of the viewer's passkeys. It returns domain.NotFound for any other, and
// domain.Forbidden if it is the only way to sign in. The viewer's account is locked, so two
// requests cannot remove the last two passkeys.
func (s *Service) Delete(ctx context.Context, v domain.Viewer, id domain.PasskeyID) error {
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		var w ways
		err := tx.One(ctx, waysStmt, id, v.UserID, s.Others.Issuers).ScanOr(domain.NotFound, &w.passkeys, &w.email, &w.phone, &w.identity)
		if err != nil {
			return err
		}
		if !w.mayRemovePasskey(s.Others) {
			return domain.Forbid(domain.BlockedByState)
		}
		_, err = tx.Exec(ctx, deleteStmt, id)
		return err
	})
}

var (
	useUpStmt = db.SQL("passkey.use_up", `DELETE FROM passkey_challenges WHERE challenge_hash = $1 AND user_id = $2`)

	credentialsStmt = db.SQL("passkey.credentials", `SELECT credential_id FROM passkeys WHERE user_id = $1 ORDER BY created_at, id`)

	countStmt = db.SQL("passkey.count", `SELECT COUNT(*) FROM passkeys WHERE user_id = $1`)

	insertStmt = db.SQL("passkey.insert", `
		INSERT INTO passkeys (id, user_id, credential_id, public_key, sign_count, backup_eligible, backed_up, name, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (credential_id) DO NOTHING`)

	listStmt = db.SQL("passkey.list", `
		SELECT id, name, backed_up, created_at, last_used_at FROM passkeys WHERE user_id = $1 ORDER BY created_at, id`)

	renameStmt = db.SQL("passkey.rename", `
		UPDATE passkeys SET name = $3 WHERE id = $1 AND user_id = $2 RETURNING id, name, backed_up, created_at, last_used_at`)

	// waysStmt counts the passkeys and the other ways of the user whose passkey it is.
	waysStmt = db.SQL("passkey.ways", `
		SELECT (SELECT COUNT(*) FROM passkeys o WHERE o.user_id = u.id), u.email_key IS NOT NULL, u.phone IS NOT NULL,
			EXISTS (SELECT 1 FROM identities i WHERE i.user_id = u.id AND i.issuer IN (SELECT t.value FROM texts($3) AS t))
		FROM passkeys p JOIN users u ON u.id = p.user_id WHERE p.id = $1 AND p.user_id = $2`)

	deleteStmt = db.SQL("passkey.delete", `DELETE FROM passkeys WHERE id = $1`)
)
