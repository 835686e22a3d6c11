package importer

import (
	"context"
	"encoding/json"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// exported is the section of imports in an account export.
type exported struct {
	Imports []exportedImport `json:"imports"`
	Events  []exportedEvent  `json:"events"`
}

type exportedImport struct {
	ID        domain.ImportID   `json:"id"`
	Name      *string           `json:"name"`
	Host      *string           `json:"host"`
	CreatedAt time.Time         `json:"created_at"`
	Rows      []json.RawMessage `json:"rows"`
}

type exportedEvent struct {
	UID     string         `json:"uid"`
	EventID domain.EventID `json:"event_id"`
}

var (
	exportStmt = db.SQL("importer.export", `SELECT id, name, host, created_at FROM imports WHERE user_id = $1 ORDER BY id`)

	exportRowsStmt = db.SQL("importer.export_rows", `SELECT draft FROM import_rows WHERE import_id = $1 ORDER BY position`)

	exportEventsStmt = db.SQL("importer.export_events", `SELECT uid, event_id FROM imported_events WHERE source_id = $1 ORDER BY uid`)

	eraseEventsStmt = db.SQL("importer.erase_events", `DELETE FROM imported_events WHERE source_id = $1`)
)

// Export returns the imports of a user, and the events that imports of the user made.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	x := exported{Imports: []exportedImport{}, Events: []exportedEvent{}}
	var err error
	if x.Imports, err = db.Append(ctx, q, x.Imports, func(row db.Row, i *exportedImport) error {
		return row.Scan(&i.ID, &i.Name, &i.Host, &i.CreatedAt)
	}, exportStmt, user); err != nil {
		return nil, err
	}
	for at := range x.Imports {
		rows := []json.RawMessage{}
		if x.Imports[at].Rows, err = db.Append(ctx, q, rows, func(row db.Row, draft *json.RawMessage) error {
			var text string
			err := row.Scan(&text)
			*draft = json.RawMessage(text)
			return err
		}, exportRowsStmt, x.Imports[at].ID); err != nil {
			return nil, err
		}
	}
	x.Events, err = db.Append(ctx, q, x.Events, func(row db.Row, e *exportedEvent) error { return row.Scan(&e.UID, &e.EventID) },
		exportEventsStmt, user)
	return x, err
}

// Erase deletes the imports of a user who deletes their account. Package event erases the events.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	imports, err := allIDs(ctx, tx, ofUserStmt, user)
	if err != nil {
		return err
	}
	remove(ctx, tx, imports)
	tx.Queue(ctx, eraseEventsStmt, user)
	return nil
}
