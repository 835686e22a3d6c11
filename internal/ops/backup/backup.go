// Package backup writes everything that the service stores into one file, checks such a
// file, and restores it into an empty database of either engine.
//
// A backup is a tar archive, compressed by zstd and, if recipients are given, encrypted
// by age. It contains, in this order:
//
//	manifest.json        tables, columns and migrations: see Manifest
//	keys/NAME            secrets that the data depend on
//	tables/NAME/000001   rows in the order of the primary key, one JSON array each
//	pictures/KEY         uploaded pictures
//	end.json             counts and checksums: see Contents
//
// The rows are one snapshot, which does not block writers. Both engines write the same bytes. The tables that
// postings.Build fills are left out: Restore builds them from the events.
package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/postings"
	"moothall/internal/platform/blob"
	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
)

// Format is the version of the format that Write writes. Verify and Restore also read all earlier versions, and refuse later
// ones. Backups of version 1 have the tables that postings.Build fills.
const Format = 2

// Manifest describes the contents of a backup. It is at the beginning of the file.
type Manifest struct {
	Format     int               `json:"format"`
	ID         string            `json:"id"` // unique
	CreatedAt  time.Time         `json:"created_at"`
	Program    string            `json:"program"` // the version that wrote the backup
	Engine     string            `json:"engine"`  // of the database that it read
	Migrations []migrate.Applied `json:"migrations"`
	Tables     []Table           `json:"tables"` // each after the tables that it references
}

// Table is a table of a backup.
type Table struct {
	Name    string           `json:"name"`
	Columns []migrate.Column `json:"columns"`
	Rows    int64            `json:"rows"`
}

// Contents describes the contents of a backup. It is at the end of the file, so that Verify detects a
// truncated file.
type Contents struct {
	Tables   map[string]Digest `json:"tables"`
	Keys     []string          `json:"keys"`
	Pictures Digest            `json:"pictures"`
	// Missing is the number of pictures that the store did not have.
	Missing int `json:"missing_pictures"`
}

// Digest is the number of rows or pictures, and the SHA-256 of their bytes, hexadecimal.
type Digest struct {
	Count  int64  `json:"count"`
	SHA256 string `json:"sha256"`
}

// Source is what Write reads.
type Source struct {
	DB         *db.DB
	Migrations migrate.Options // of the program
	Now        time.Time
	Program    string
	Keys       map[string][]byte // by the name of the file
	// Pictures returns the keys of the pictures to which the rows refer; nil: none.
	Pictures func(ctx context.Context, q db.Querier) iter.Seq2[string, error]
	Store    blob.Store
	Progress io.Writer // receives a line every few seconds; nil: none
}

// maxDuration limits a backup or a restore. On PostgreSQL, a statement without any limit gets only 30 seconds, but
// reading a table or all pictures may take longer.
const maxDuration = 24 * time.Hour

// Write writes a backup that is compressed but not encrypted.
func Write(ctx context.Context, to io.Writer, s Source) (Contents, error) {
	ctx, cancel := context.WithTimeout(ctx, maxDuration)
	defer cancel()
	var contents Contents
	err := s.DB.Snapshot(ctx, func(q db.Querier) error { // the destination may be slow
		manifest, tables, err := s.manifest(ctx, q)
		if err != nil {
			return err
		}
		a, err := newArchive(to, manifest)
		if err != nil {
			return err
		}
		if err := s.write(ctx, q, a, manifest, tables); err != nil {
			return err
		}
		contents = a.contents()
		return a.close()
	})
	if err != nil {
		return contents, fmt.Errorf("backup: %w", err)
	}
	return contents, nil
}

// isBuilt reports whether the rows of a table follow from others, so that a backup need not have them.
func isBuilt(table string) bool { return slices.Contains(postings.Tables, table) }

func (s Source) manifest(ctx context.Context, q db.Querier) (m Manifest, tables []migrate.Table, err error) {
	m = Manifest{
		Format: Format, ID: domain.NewID[any](s.Now).String(), CreatedAt: s.Now.UTC(), Program: s.Program, Engine: q.Engine().String(),
	}
	if m.Migrations, tables, err = migrate.New(s.DB, s.Migrations).Schema(ctx, q); err != nil {
		return m, nil, err
	}
	tables = slices.DeleteFunc(tables, func(t migrate.Table) bool { return isBuilt(t.Name) })
	for _, t := range tables {
		rows, err := migrate.Count(ctx, q, t)
		if err != nil {
			return m, nil, err
		}
		m.Tables = append(m.Tables, Table{t.Name, t.Columns, rows})
	}
	return m, tables, nil
}

func (s Source) write(ctx context.Context, q db.Querier, a *archive, m Manifest, tables []migrate.Table) error {
	for _, name := range slices.Sorted(maps.Keys(s.Keys)) {
		if err := a.key(name, s.Keys[name]); err != nil {
			return err
		}
	}
	p := newProgress(s.Progress, m)
	for _, t := range tables {
		w := a.table(t.Name, t.Columns)
		for row, err := range migrate.ReadTable(ctx, q, t) {
			if err == nil {
				err = w.row(row)
			}
			if err != nil {
				return fmt.Errorf("table %s: %w", t.Name, err)
			}
			p.row(t.Name)
		}
		if err := w.close(); err != nil {
			return err
		}
	}
	return s.writePictures(ctx, q, a, p)
}

// writePictures writes the pictures. It leaves out pictures that are not in the store: the service may
// have deleted them since the snapshot.
func (s Source) writePictures(ctx context.Context, q db.Querier, a *archive, p *progress) error {
	if s.Pictures == nil {
		return nil
	}
	for key, err := range s.Pictures(ctx, q) {
		if err != nil {
			return err
		}
		p.picture()
		data, err := readObject(ctx, s.Store, key)
		if errors.Is(err, fs.ErrNotExist) {
			a.missing++
			continue
		}
		if err != nil {
			return fmt.Errorf("picture %s: %w", key, err)
		}
		if err := a.picture(key, data); err != nil {
			return err
		}
	}
	return nil
}

func readObject(ctx context.Context, store blob.Store, key string) (data []byte, err error) {
	object, err := store.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, object.Close()) }()
	return io.ReadAll(object)
}
