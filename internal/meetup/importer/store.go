package importer

import (
	"context"
	"encoding/json"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ical"
)

var (
	putImportStmt = db.SQL("importer.put", `
		INSERT INTO imports (id, user_id, name, host, past, left_out, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`)

	putRowStmt = db.SQL("importer.put_row", `
		INSERT INTO import_rows (import_id, position, uid, draft, hash, why) VALUES ($1, $2, $3, $4, $5, $6)`)

	importStmt = db.SQL("importer.import", `
		SELECT id, name, host, past, left_out, created_at FROM imports WHERE id = $1 AND user_id = $2 AND created_at > $3`)

	rowsStmt = db.SQL("importer.rows", `
		SELECT r.position, r.uid, r.draft, r.hash, r.why, i.event_id, i.hash, i.updated_at, e.updated_at, e.status
		FROM import_rows r
			LEFT JOIN imported_events i ON i.source_id = $2 AND i.uid = r.uid
			LEFT JOIN events e ON e.id = i.event_id
		WHERE r.import_id = $1 ORDER BY r.position`)

	// olderStmt lists the imports of a user beyond the newest ones.
	olderStmt = db.SQL("importer.older", `SELECT id FROM imports WHERE user_id = $1 ORDER BY id DESC LIMIT 100 OFFSET $2`)

	endedStmt = db.SQL("importer.ended", `SELECT id FROM imports WHERE created_at <= $1 ORDER BY created_at LIMIT 100`)

	ofUserStmt = db.SQL("importer.of_user", `SELECT id FROM imports WHERE user_id = $1 ORDER BY id`)

	deleteRowsStmt = db.SQL("importer.delete_rows", `DELETE FROM import_rows WHERE import_id = $1`)

	deleteStmt = db.SQL("importer.delete", `DELETE FROM imports WHERE id = $1`)

	claimStmt = db.SQL("importer.claim", `
		INSERT INTO imported_events (source_id, uid, event_id, hash, updated_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (source_id, uid) DO NOTHING`)

	appliedStmt = db.SQL("importer.applied", `
		UPDATE imported_events SET hash = $3, updated_at = $4 WHERE source_id = $1 AND uid = $2`)
)

// store stores the events of a calendar as an import of the viewer, in place of the oldest one beyond maxImports. It returns the first
// page.
func (s *Service) store(ctx context.Context, v domain.Viewer, c ical.Calendar, host *string, now time.Time) (Import, error) {
	i := Import{ID: domain.NewIDIn[domain.ImportKind](ctx, now), Name: optional(line(c.Name, maxTitle)), Host: host, Past: c.Past,
		LeftOut: c.More, CreatedAt: now}
	rows := s.rowsFor(c, &i)
	err := s.DB.InTx(ctx, func(tx db.Tx) error {
		older, err := allIDs(ctx, tx, olderStmt, v.UserID, maxImports-1)
		if err != nil {
			return err
		}
		remove(ctx, tx, older)
		tx.Queue(ctx, putImportStmt, i.ID, v.UserID, i.Name, i.Host, i.Past, i.LeftOut, i.CreatedAt)
		for _, r := range rows {
			tx.Queue(ctx, putRowStmt, i.ID, r.Position, r.UID, string(r.stored), r.hash, (*string)(r.Why))
		}
		return nil
	})
	if err != nil {
		return Import{}, err
	}
	return s.Get(ctx, v, i.ID, domain.DefaultLimit, "")
}

// rowsFor returns the rows of a calendar. Of several events with one uid, it returns the last. It counts events beyond maxDrafts.
func (s *Service) rowsFor(c ical.Calendar, i *Import) []Row {
	var rows []Row
	at, bytes := map[string]int{}, 0
	for _, e := range c.Events {
		r := s.NewRow(e)
		r.stored = r.Draft.json()
		if bytes += len(r.stored); bytes > maxDrafts {
			i.LeftOut++
			continue
		}
		if earlier, twice := at[r.UID]; twice {
			r.Position = earlier + 1
			rows[earlier] = r
			continue
		}
		at[r.UID] = len(rows)
		r.Position = len(rows) + 1
		rows = append(rows, r)
	}
	return rows
}

func allIDs(ctx context.Context, q db.Querier, stmt *db.Stmt, args ...any) ([]domain.ImportID, error) {
	return db.Values[domain.ImportID](ctx, q, stmt, args...)
}

// remove deletes imports.
func remove(ctx context.Context, tx db.Tx, imports []domain.ImportID) {
	for _, id := range imports {
		tx.Queue(ctx, deleteRowsStmt, id)
		tx.Queue(ctx, deleteStmt, id)
	}
}

// Purge deletes the imports that are older than 7 days.
func (s *Service) Purge(ctx context.Context) error {
	for {
		ended, err := allIDs(ctx, s.DB, endedStmt, s.Clock.Now().Add(-lifetime))
		if err != nil || len(ended) == 0 {
			return err
		}
		err = s.DB.InTx(ctx, func(tx db.Tx) error {
			remove(ctx, tx, ended)
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// read returns an import of a user without its rows.
func read(ctx context.Context, q db.Querier, user domain.UserID, id domain.ImportID, now time.Time) (i Import, err error) {
	err = q.One(ctx, importStmt, id, user, now.Add(-lifetime)).ScanOr(domain.NotFound, &i.ID, &i.Name, &i.Host, &i.Past, &i.LeftOut,
		&i.CreatedAt)
	return i, err
}

// rowsOf returns all rows of an import of a user. Their drafts are not decoded.
func rowsOf(ctx context.Context, q db.Querier, id domain.ImportID, user domain.UserID) ([]Row, error) {
	return db.All(ctx, q, func(row db.Row, r *Row) error {
		var stored string
		var why, imported, status *string
		var edited *time.Time
		err := row.Scan(&r.Position, &r.UID, &stored, &r.hash, &why, &r.EventID, &imported, &r.updatedAt, &edited, &status)
		r.stored, r.Why = []byte(stored), (*Why)(why)
		r.setState(imported, edited, status)
		return err
	}, rowsStmt, id, user)
}

// setState sets the state by the draft that was imported last, and by the event that it became: nil if there is none.
func (r *Row) setState(imported *string, edited *time.Time, status *string) {
	skip := func(why Why) { r.State, r.Why = StateSkipped, &why }
	switch {
	case r.Why != nil:
		r.State = StateSkipped
	case r.EventID == nil:
		r.State = StateNew
	case access.Status(*status) == access.Canceled:
		skip(Canceled)
	case *imported == r.hash:
		r.State = StateSame
	case !edited.Equal(*r.updatedAt) || access.Status(*status) != access.Draft:
		skip(Edited)
	default:
		r.State = StateChanged
	}
}

func (r *Row) decode() error { return json.Unmarshal(r.stored, &r.Draft) }
