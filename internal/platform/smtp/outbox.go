package smtp

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Outbox is a Transport for development: it stores mails in the database, so that the Pages of every
// instance show them.
type Outbox struct {
	DB    *db.DB
	Clock domain.Clock
}

// maxStored is how many mails an Outbox stores. It deletes older ones.
const maxStored = 200

// Stored is a mail in the outbox.
type Stored struct {
	ID      domain.MailID
	To      string
	Subject string
	SentAt  time.Time
	Text    string
	HTML    string
	Source  string // the encoded mail
}

// Send implements Transport. It stores the mail.
func (o *Outbox) Send(ctx context.Context, m Message) error {
	source, err := m.encode()
	if err != nil {
		return err
	}
	now := o.Clock.Now()
	return o.DB.InTx(ctx, func(tx db.Tx) error {
		tx.Queue(ctx, insertStmt, domain.NewID[domain.MailKind](now), now, m.To, m.Subject, m.Text, m.HTML, string(source))
		tx.Queue(ctx, trimStmt, maxStored-1)
		return nil
	})
}

// List returns the stored mails without their content, the newest first.
func (o *Outbox) List(ctx context.Context) ([]Stored, error) {
	return db.All(ctx, o.DB, func(r db.Row, m *Stored) error {
		return r.Scan(&m.ID, &m.SentAt, &m.To, &m.Subject)
	}, listStmt)
}

// Read returns a mail, or domain.NotFound.
func (o *Outbox) Read(ctx context.Context, id domain.MailID) (Stored, error) {
	m := Stored{ID: id}
	err := o.DB.One(ctx, readStmt, id).ScanOr(domain.NotFound, &m.SentAt, &m.To, &m.Subject, &m.Text, &m.HTML, &m.Source)
	return m, err
}

// Erase empties the outbox when a user is deleted, because mails to others may also name the user.
func Erase(ctx context.Context, tx db.Tx, _ domain.UserID, _ time.Time) error {
	_, err := tx.Exec(ctx, eraseStmt)
	return err
}

var (
	insertStmt = db.SQL("smtp.insert", `
		INSERT INTO dev_mails (id, sent_at, recipient, subject, body_text, body_html, source) VALUES ($1, $2, $3, $4, $5, $6, $7)`)

	// trimStmt deletes the mails before the newest ones.
	trimStmt = db.SQL("smtp.trim", `
		DELETE FROM dev_mails WHERE id < (SELECT m.id FROM dev_mails m ORDER BY m.id DESC LIMIT 1 OFFSET $1)`)

	listStmt = db.SQL("smtp.list", `SELECT id, sent_at, recipient, subject FROM dev_mails ORDER BY id DESC`)

	readStmt = db.SQL("smtp.read", `
		SELECT sent_at, recipient, subject, body_text, body_html, source FROM dev_mails WHERE id = $1`)

	eraseStmt = db.SQL("smtp.erase", `DELETE FROM dev_mails`)
)
