package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"moothall/internal/meetup/event"
	"moothall/internal/meetup/postings"
	"moothall/internal/platform/blob"
	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
	"moothall/internal/platform/files"
)

// Destination is what Restore writes to.
type Destination struct {
	DB         *db.DB          // without a schema, or after an interrupted restore of the same backup
	Migrations migrate.Options // of the program
	Store      blob.Store
	// Key stores a secret. A repeated restore calls it again for the same secret.
	Key func(name string, data []byte) error
	// Finish is called after all rows and pictures are restored; may be nil. A repeated restore calls it again.
	Finish   func(context.Context, Manifest) error
	Progress io.Writer // receives a line every few seconds; nil: none
	// Temporary opens a folder for temporary files; nil: that of the system.
	Temporary func() (*files.TempFolder, error)
}

// Restore writes an unencrypted backup into an empty database of either engine and into a store of
// pictures. Until Finish has returned nil, the service refuses to start. If an interrupted restore is
// repeated with the same backup, it skips the tables that are complete.
//
// It returns migrate.ErrNotEmpty if the database has a schema, and ErrDamaged as Verify does.
func Restore(ctx context.Context, from io.Reader, d Destination) (Manifest, Contents, error) {
	ctx, cancel := context.WithTimeout(ctx, maxDuration)
	defer cancel()
	r := &restore{Destination: d}
	m, contents, err := read(ctx, from, r, d.Progress)
	if err == nil {
		err = r.end(ctx, m)
	}
	if err != nil {
		return m, contents, fmt.Errorf("restore: %w", err)
	}
	return m, contents, nil
}

// restore is the target of Restore.
type restore struct {
	Destination
	state migrate.LoadState
	build bool // the backup leaves out tables that postings.Build fills
}

// end builds the tables that the backup leaves out, runs Finish, and then lets the service start.
func (r *restore) end(ctx context.Context, m Manifest) error {
	if err := r.migrator().CompleteLoad(ctx); err != nil {
		return err
	}
	if r.build {
		if err := r.buildPostings(ctx, m); err != nil {
			return err
		}
	}
	if r.Finish != nil {
		if err := r.Finish(ctx, m); err != nil {
			return err
		}
	}
	return r.migrator().EndLoad(ctx)
}

func (r *restore) buildPostings(ctx context.Context, m Manifest) (err error) {
	var folder *files.TempFolder
	if r.Temporary != nil {
		if folder, err = r.Temporary(); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, folder.Close()) }()
	}
	return postings.Build(ctx, r.DB, folder.Path(), event.Documents(ctx, r.DB), newProgress(r.Progress, m).built)
}

func (d Destination) migrator() *migrate.Migrator {
	return migrate.New(d.DB, d.Migrations)
}

func (r *restore) begin(ctx context.Context, m Manifest) (err error) {
	if err := r.checkTables(m); err != nil {
		return err
	}
	r.state, err = r.migrator().BeginLoad(ctx, m.ID, m.Migrations)
	return err
}

// checkTables refuses a backup whose tables and columns differ from those that its migrations create: their
// names become part of statements, and a missing table would stay empty, unless Restore builds it.
func (r *restore) checkTables(m Manifest) error {
	created, err := r.migrator().Tables(m.Migrations)
	if err != nil {
		return err
	}
	for _, t := range m.Tables {
		i := slices.IndexFunc(created, func(c migrate.Table) bool { return c.Name == t.Name })
		if i < 0 {
			return damaged(fmt.Errorf("unexpected table %q", t.Name))
		}
		if !slices.Equal(byName(created[i].Columns), byName(t.Columns)) {
			return damaged(fmt.Errorf("unexpected columns of table %s", t.Name))
		}
		created = slices.Delete(created, i, i+1)
	}
	for _, t := range created {
		if !isBuilt(t.Name) {
			return damaged(fmt.Errorf("table %s is missing", t.Name))
		}
		r.build = true
	}
	return nil
}

// byName sorts columns: their order may differ.
func byName(columns []migrate.Column) []migrate.Column {
	return slices.SortedFunc(slices.Values(columns), func(a, b migrate.Column) int { return strings.Compare(a.Name, b.Name) })
}

func (r *restore) key(_ context.Context, name string, data []byte) error {
	if r.Key == nil {
		return nil
	}
	return r.Key(name, data)
}

func (r *restore) table(ctx context.Context, t Table, rows iter.Seq2[[]any, error]) error {
	table := migrate.Table{Name: t.Name, Columns: t.Columns}
	loaded, err := r.isLoaded(ctx, table)
	if err != nil {
		return err
	}
	if loaded {
		return discard{}.table(ctx, t, rows)
	}
	_, err = r.migrator().LoadTable(ctx, table, rows)
	return err
}

// isLoaded reports whether an earlier restore has loaded a table. One transaction wrote all of its rows.
func (r *restore) isLoaded(ctx context.Context, t migrate.Table) (bool, error) {
	if r.state != migrate.LoadResumed {
		return r.state == migrate.LoadComplete, nil
	}
	n, err := migrate.Count(ctx, r.DB, t)
	return n > 0, err
}

func (r *restore) picture(ctx context.Context, key string, data []byte) error {
	if r.state == migrate.LoadComplete { // Finish may have deleted it
		return nil
	}
	return r.Store.Put(ctx, key, data)
}
