package user

import (
	"context"
	"errors"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Listed is an account as operators see it.
type Listed struct {
	ID                    domain.UserID
	DisplayName, Username string
	Email, Phone          *string
	EmailVerified         bool
	Suspended             bool
	CreatedAt             time.Time
}

const listedSQL = `
	SELECT u.id, p.display_name, p.username, u.email, u.phone, u.email_verified, u.suspended_at IS NOT NULL, u.created_at
	FROM users u JOIN profiles p ON p.user_id = u.id `

var (
	listStmt = db.SQL("user.list", listedSQL+`WHERE u.id < $1 ORDER BY u.id DESC LIMIT $2`)
	showStmt = db.SQL("user.show", listedSQL+`WHERE u.id = $1`)
)

func (l *Listed) scan(row db.Row) error {
	return row.Scan(&l.ID, &l.DisplayName, &l.Username, &l.Email, &l.Phone, &l.EmailVerified, &l.Suspended, &l.CreatedAt)
}

// newest is larger than the id of any account.
var newest = domain.UserID{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}

// List returns at most limit accounts, the newest first: those created before another account, or all if before is zero.
func (s *Service) List(ctx context.Context, before domain.UserID, limit int) ([]Listed, error) {
	if before == (domain.UserID{}) {
		before = newest
	}
	return db.All(ctx, s.DB, func(row db.Row, l *Listed) error { return l.scan(row) }, listStmt, before, limit)
}

// Show returns an account. It returns domain.NotFound if there is none, or it is deleted.
func (s *Service) Show(ctx context.Context, id domain.UserID) (Listed, error) {
	all, err := db.All(ctx, s.DB, func(row db.Row, l *Listed) error { return l.scan(row) }, showStmt, id)
	if err == nil && len(all) == 0 {
		err = domain.NotFound
	}
	if err != nil {
		return Listed{}, err
	}
	return all[0], nil
}

// ErrExists means that an account has the e-mail address already.
var ErrExists = errors.New("there is an account with this address")

// Create creates an account for an address that nobody has verified yet. The person who reads its mails can sign in.
func (s *Service) Create(ctx context.Context, e Email) (id domain.UserID, err error) {
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		if found, err := tx.One(ctx, byEmailStmt, e.Key).Find(&id); err != nil {
			return err
		} else if found {
			return ErrExists
		}
		id, err = s.FindOrCreateByEmail(ctx, tx, e, false, s.Clock.Now())
		return err
	})
	return id, err
}
