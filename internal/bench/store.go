package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"zombiezen.com/go/sqlite"

	"moothall/internal/platform/db"
	"moothall/internal/seed"
)

// store keeps seeded databases by name, and copies of them to be thrown away.
// A name is of letters, digits and underscores.
type store interface {
	url(name string) string
	has(ctx context.Context, name string) (bool, error)
	create(ctx context.Context, name string) error   // empty
	copy(ctx context.Context, from, to string) error // nobody may be connected
	rename(ctx context.Context, from, to string) error
	drop(ctx context.Context, name string) error // also one that is not there
	version(ctx context.Context) (string, error)
	process(ctx context.Context) (pid int, err error) // parent of the engine's own ones; 0: none here
}

// usersOf is how many people belong to so many events.
func usersOf(events int) int { return max(events/5, 500) }

// seeded gives the name of a database with that many events, which is made
// when it is not there yet.
func seeded(ctx context.Context, s store, events int, progress io.Writer) (name string, err error) {
	name = fmt.Sprintf("moothall_bench_%d", events)
	if there, err := s.has(ctx, name); there || err != nil {
		return name, err
	}
	fmt.Fprintf(progress, "seeding %d events, once\n", events)
	part := name + "_part" // until it is complete
	if err := s.drop(ctx, part); err != nil {
		return "", err
	}
	if err := s.create(ctx, part); err != nil {
		return "", err
	}
	if err := fill(ctx, s.url(part), events, progress); err != nil {
		return "", errors.Join(err, s.drop(context.WithoutCancel(ctx), part))
	}
	return name, s.rename(ctx, part, name)
}

func fill(ctx context.Context, address string, events int, progress io.Writer) error {
	world, err := seed.NewWorld(seed.Plan{Seed: 1, Users: usersOf(events), Events: events, Now: epoch})
	if err != nil {
		return err
	}
	d, err := db.Open(ctx, address, db.Options{})
	if err != nil {
		return err
	}
	if err = d.Migrate(ctx); err == nil {
		err = seed.Fill(ctx, seed.Into(d, epoch), world, seed.Options{Progress: progress})
	}
	return errors.Join(err, d.Close())
}

// files are SQLite databases in one directory.
type files struct{ dir string }

func (f files) path(name string) string { return filepath.Join(f.dir, name+".db") }

func (f files) url(name string) string { return "sqlite:" + f.path(name) }

func (f files) has(_ context.Context, name string) (bool, error) {
	_, err := os.Stat(f.path(name))
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// create leaves it to the first connection.
func (f files) create(context.Context, string) error { return os.MkdirAll(f.dir, 0o750) }

// copy copies the one file that a closed database is.
func (f files) copy(_ context.Context, from, to string) error {
	source, err := os.Open(f.path(from))
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }() // it was only read
	target, err := os.Create(f.path(to))
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Sync(), target.Close())
}

func (f files) rename(_ context.Context, from, to string) error {
	return os.Rename(f.path(from), f.path(to))
}

func (f files) drop(_ context.Context, name string) error {
	var errs []error
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(f.path(name) + suffix); !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (f files) version(context.Context) (string, error) { return "SQLite " + sqlite.Version, nil }

func (f files) process(context.Context) (pid int, err error) { return 0, nil }

// postgresStore is the databases of one server; its user must be allowed to
// make some.
type postgresStore struct{ server string }

func (p *postgresStore) url(name string) string {
	u, err := url.Parse(p.server)
	if err != nil {
		return "" // ParseConfig has said so before
	}
	u.Path = "/" + name
	return u.String()
}

// run runs one statement outside of the databases measured.
func (p *postgresStore) run(ctx context.Context, sql string, into ...any) error {
	conn, err := pgx.Connect(ctx, p.server)
	if err != nil {
		return err
	}
	if len(into) > 0 {
		err = conn.QueryRow(ctx, sql).Scan(into...)
	} else {
		_, err = conn.Exec(ctx, sql)
	}
	return errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
}

func (p *postgresStore) has(ctx context.Context, name string) (there bool, err error) {
	err = p.run(ctx, "SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = '"+name+"')", &there)
	return there, err
}

func (p *postgresStore) create(ctx context.Context, name string) error {
	return p.run(ctx, "CREATE DATABASE "+name)
}

func (p *postgresStore) copy(ctx context.Context, from, to string) error {
	return p.run(ctx, "CREATE DATABASE "+to+" TEMPLATE "+from)
}

func (p *postgresStore) rename(ctx context.Context, from, to string) error {
	return p.run(ctx, "ALTER DATABASE "+from+" RENAME TO "+to)
}

func (p *postgresStore) drop(ctx context.Context, name string) error {
	return p.run(ctx, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
}

func (p *postgresStore) version(ctx context.Context) (version string, err error) {
	err = p.run(ctx, "SHOW server_version", &version)
	version, _, _ = strings.Cut(version, " ")
	return "PostgreSQL " + version, err
}

// process knows the parent of the process behind a connection, if that is one
// of this machine.
func (p *postgresStore) process(ctx context.Context) (pid int, err error) {
	conn, err := pgx.Connect(ctx, p.server)
	if err != nil {
		return 0, err
	}
	var behind int
	err = conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&behind)
	if name, fields := stat(behind); name == "postgres" {
		pid, _ = strconv.Atoi(fields[1])
	}
	return pid, errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
}
