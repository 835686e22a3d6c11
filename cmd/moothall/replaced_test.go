package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"moothall/internal/ops/backup"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/pgtest"
)

var (
	migrationRowsStmt   = db.SQL("main_test.migration_rows", `SELECT number, name, checksum, applied_at FROM schema_migrations ORDER BY number`)
	forgetMigrationStmt = db.SQL("main_test.forget_migrations", `DELETE FROM schema_migrations`)
	addMigrationStmt    = db.SQL("main_test.add_migration", `INSERT INTO schema_migrations (number, name, checksum, applied_at) VALUES ($1, $2, $3, 1)`)
)

// TestDatabaseFromBeforeIsCarriedOver runs the program on a database from before version 0.1.0. No command changes it, and
// each one says how to carry its data over, which then succeeds.
func TestDatabaseFromBeforeIsCarriedOver(t *testing.T) {
	for _, engine := range []db.Engine{db.SQLite, db.PostgreSQL} {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			target := "sqlite:" + folder + "/moothall.db"
			if engine == db.PostgreSQL {
				target = pgtest.Database(t)
			}
			before := map[string]string{"DATABASE_URL": dbtest.URL(t, engine), "MEDIA": folder + "/media", "SECRET_KEY": apptest.SecretKey}
			after := map[string]string{"DATABASE_URL": target, "MEDIA": folder + "/media", "SECRET_KEY": apptest.SecretKey}
			run := func(environment map[string]string, code int, want string, args ...string) {
				t.Helper()
				var stderr bytes.Buffer
				got, stdout := invoke(t, t.Context(), environment, &stderr, args...)
				if said := stdout + stderr.String(); got != code || !strings.Contains(said, want) {
					t.Errorf("%v: code %d, %s", args, got, said)
				}
			}
			run(before, exitOK, "", "user", "create", "--email", "ann@example.org")
			rows := replaceMigrations(t, before["DATABASE_URL"])
			const steps = `"moothall backup moothall.backup", then, with a new database in DATABASE_URL, "moothall restore moothall.backup"`
			for _, args := range []string{"serve", "migrate", "migrate status", "doctor"} {
				run(before, exitFailed, steps, strings.Fields(args)...)
			}
			run(before, exitOK, "rows in", "backup", folder+"/moothall.backup")
			if left := migrationRows(t, before["DATABASE_URL"]); !slices.Equal(rows, left) {
				t.Errorf("migrations before %v, after %v", rows, left)
			}
			run(after, exitOK, "rows in", "restore", folder+"/moothall.backup")
			run(after, exitOK, "ann@example.org", "user", "show", "--email", "ann@example.org")
			run(after, exitOK, "up to date", "migrate")
		})
	}
}

// replaceMigrations gives a database the migrations from before version 0.1.0, which create the same tables, and returns
// the rows.
func replaceMigrations(t *testing.T, url string) []string {
	t.Helper()
	file, err := os.Open("../../internal/test/meetup/testdata/releases/before-0.1.0.backup")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	m, _, err := backup.Verify(t.Context(), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := db.Open(t.Context(), url, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	err = d.InTx(t.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), forgetMigrationStmt)
		for i := 0; i < len(m.Migrations) && err == nil; i++ {
			_, err = tx.Exec(t.Context(), addMigrationStmt, m.Migrations[i].Number, m.Migrations[i].Name, m.Migrations[i].Checksum)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return migrationRows(t, url)
}

func migrationRows(t *testing.T, url string) []string {
	t.Helper()
	d, err := db.Open(t.Context(), url, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	rows, err := db.All(t.Context(), d, func(r db.Row, row *string) error {
		var number, at int64
		var name, checksum string
		err := r.Scan(&number, &name, &checksum, &at)
		*row = fmt.Sprint(number, name, checksum, at)
		return err
	}, migrationRowsStmt)
	if err != nil || len(rows) == 0 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	return rows
}
