package backup

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"

	"moothall/internal/platform/blob"
	"moothall/internal/platform/db"
)

// Destination is the destination of a restore.
type Destination struct {
	DB    *db.DB // without a schema, or with a part of the same backup
	Store blob.Store
	// Key stores a secret. A repeated restore calls it again for the same secret.
	Key func(name string, data []byte) error
	// Finish is called after all rows and pictures are restored; may be nil. A repeated restore calls it again.
	Finish   func(context.Context) error
	Progress io.Writer // receives a line every few seconds; nil: none
}

// Restore writes an unencrypted backup into an empty database of either engine and into a store of
// pictures. Until Finish has returned nil, the service refuses to start. If an interrupted restore is
// repeated with the same backup, it skips the tables that are complete.
//
// It returns db.ErrNotEmpty if the database has a schema, and ErrDamaged as Verify does.
func Restore(ctx context.Context, from io.Reader, d Destination) (Manifest, Contents, error) {
	m, contents, err := read(ctx, from, &restore{Destination: d}, d.Progress)
	if err == nil {
		err = d.end(ctx)
	}
	if err != nil {
		return m, contents, fmt.Errorf("restore: %w", err)
	}
	return m, contents, nil
}

// end runs Finish and makes the database ready. All rows are restored.
func (d Destination) end(ctx context.Context) error {
	if err := d.DB.CompleteLoad(ctx); err != nil {
		return err
	}
	if d.Finish != nil {
		if err := d.Finish(ctx); err != nil {
			return err
		}
	}
	return d.DB.EndLoad(ctx)
}

// restore is the target of Restore.
type restore struct {
	Destination
	state db.LoadState
}

func (r *restore) begin(ctx context.Context, m Manifest) (err error) {
	if err := r.mustKnow(m.Tables); err != nil {
		return err
	}
	r.state, err = r.DB.BeginLoad(ctx, m.ID, m.Migrations)
	return err
}

// mustKnow refuses tables and columns that the program does not define: their names become
// part of statements.
func (r *restore) mustKnow(tables []Table) error {
	known, err := r.DB.Tables()
	if err != nil {
		return err
	}
	for _, t := range tables {
		i := slices.IndexFunc(known, func(k db.Table) bool { return k.Name == t.Name })
		if i < 0 {
			return damaged(fmt.Errorf("unknown table %q", t.Name))
		}
		for _, c := range t.Columns {
			if !slices.Contains(known[i].Columns, c) {
				return damaged(fmt.Errorf("unknown column %q of table %s", c.Name, t.Name))
			}
		}
	}
	return nil
}

func (r *restore) key(_ context.Context, name string, data []byte) error {
	if r.Key == nil {
		return nil
	}
	return r.Key(name, data)
}

func (r *restore) table(ctx context.Context, t Table, rows iter.Seq2[[]any, error]) error {
	table := db.Table{Name: t.Name, Columns: t.Columns}
	loaded, err := r.isLoaded(ctx, table)
	if err != nil {
		return err
	}
	if loaded {
		return discard{}.table(ctx, t, rows)
	}
	_, err = r.DB.LoadTable(ctx, table, rows)
	return err
}

// isLoaded reports whether an earlier restore has loaded a table. One transaction wrote all of its rows.
func (r *restore) isLoaded(ctx context.Context, t db.Table) (bool, error) {
	if r.state != db.LoadResumed {
		return r.state == db.LoadComplete, nil
	}
	n, err := db.Count(ctx, r.DB, t)
	return n > 0, err
}

func (r *restore) picture(ctx context.Context, key string, data []byte) error {
	if r.state == db.LoadComplete { // Finish may have deleted it
		return nil
	}
	return r.Store.Put(ctx, key, data)
}
