package main

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

	"moothall/bench/bulk"
	"moothall/bench/dataset"
)

// store creates, copies and drops databases by name: letters, digits and
// underscores.
type store interface {
	url(name string) string
	exists(ctx context.Context, name string) (bool, error)
	create(ctx context.Context, name string) error
	copy(ctx context.Context, from, to string) error // needs a database without connections
	rename(ctx context.Context, from, to string) error
	// beside creates a database and returns the statement that makes the tables of
	// another one, which has no connections, visible in it as schema src.
	beside(ctx context.Context, from, to string) (statement string, err error)
	drop(ctx context.Context, name string) error // also when it does not exist
	version(ctx context.Context) (string, error)
	process(ctx context.Context) (pid int, err error) // parent of the engine's processes; 0: none on this machine
}

// usersOf returns how many users a dataset has.
func usersOf(events int) int { return max(events/5, 500) }

// seeded returns the name of a seeded database. It creates the database if there
// is none.
func seeded(ctx context.Context, s store, events int, progress io.Writer) (name string, err error) {
	name = fmt.Sprintf("moothall_bench_%d", events)
	if exists, err := s.exists(ctx, name); exists || err != nil {
		return name, err
	}
	fmt.Fprintf(progress, "seeding %d events, once\n", events)
	partial := name + "_part"
	if err := errors.Join(s.drop(ctx, partial), s.create(ctx, partial)); err != nil {
		return "", err
	}
	data, err := dataset.New(dataset.Plan{Seed: 1, Users: usersOf(events), Events: events, Now: epoch})
	if err != nil {
		return "", err
	}
	if err := fill(ctx, s.url(partial), data, bulk.Options{Progress: progress}); err != nil {
		return "", errors.Join(err, s.drop(context.WithoutCancel(ctx), partial))
	}
	return name, s.rename(ctx, partial, name)
}

// files are SQLite databases in one directory.
type files struct{ dir string }

func (f files) path(name string) string { return filepath.Join(f.dir, name+".db") }

func (f files) url(name string) string { return "sqlite:" + f.path(name) }

func (f files) exists(_ context.Context, name string) (bool, error) {
	_, err := os.Stat(f.path(name))
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// create does nothing: the first connection creates the file.
func (f files) create(context.Context, string) error { return nil }

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

func (f files) beside(_ context.Context, from, _ string) (string, error) {
	return "ATTACH '" + f.path(from) + "' AS src", nil
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

// postgresStore is the databases of one server. Its user needs CREATEDB.
type postgresStore struct{ server string }

func (p postgresStore) url(name string) string {
	u, err := url.Parse(p.server)
	if err != nil {
		return "" // pgx.Connect has reported it
	}
	u.Path = "/" + name
	return u.String()
}

// run runs one statement on the server's default database.
func (p postgresStore) run(ctx context.Context, sql string, into ...any) error {
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

func (p postgresStore) exists(ctx context.Context, name string) (exists bool, err error) {
	err = p.run(ctx, "SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = '"+name+"')", &exists)
	return exists, err
}

func (p postgresStore) create(ctx context.Context, name string) error {
	return p.run(ctx, "CREATE DATABASE "+name)
}

func (p postgresStore) copy(ctx context.Context, from, to string) error {
	return p.run(ctx, "CREATE DATABASE "+to+" TEMPLATE "+from)
}

func (p postgresStore) beside(ctx context.Context, from, to string) (string, error) {
	return "ALTER SCHEMA public RENAME TO src; CREATE SCHEMA public", p.copy(ctx, from, to)
}

func (p postgresStore) rename(ctx context.Context, from, to string) error {
	return p.run(ctx, "ALTER DATABASE "+from+" RENAME TO "+to)
}

func (p postgresStore) drop(ctx context.Context, name string) error {
	return p.run(ctx, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
}

func (p postgresStore) version(ctx context.Context) (version string, err error) {
	err = p.run(ctx, "SHOW server_version", &version)
	version, _, _ = strings.Cut(version, " ")
	return "PostgreSQL " + version, err
}

// process returns the parent of the process behind a connection.
func (p postgresStore) process(ctx context.Context) (pid int, err error) {
	conn, err := pgx.Connect(ctx, p.server)
	if err != nil {
		return 0, err
	}
	var backend int
	err = conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&backend)
	if name, fields := processStat(backend); name == "postgres" {
		pid, _ = strconv.Atoi(fields[1])
	}
	return pid, errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
}
