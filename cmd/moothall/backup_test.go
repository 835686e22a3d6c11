package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"

	"moothall/internal/domain"
	"moothall/internal/ops/backup"
	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/pgtest"
)

// TestBackupCommands moves a database from SQLite to PostgreSQL: backup, verify, restore.
func TestBackupCommands(t *testing.T) {
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	postgres := pgtest.Database(t)
	folder := t.TempDir()
	plain, encrypted, keyFile := filepath.Join(folder, "plain"), filepath.Join(folder, "encrypted"), filepath.Join(folder, "key.txt")
	if err := os.WriteFile(keyFile, []byte("# a comment\n"+identity.String()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	newer := filepath.Join(folder, "newer")
	writeNewerBackup(t, newer)
	sqlite := map[string]string{"DATABASE_URL": "sqlite:" + folder + "/moothall.db", "MEDIA": folder + "/media",
		"SECRET_KEY": apptest.SecretKey}
	moved := map[string]string{"DATABASE_URL": postgres, "MEDIA": folder + "/moved", "SECRET_KEY": apptest.SecretKey}
	fresh := map[string]string{"DATABASE_URL": "sqlite:" + folder + "/fresh.db", "MEDIA": folder + "/fresh"}
	other := map[string]string{"DATABASE_URL": "sqlite:" + folder + "/other.db", "MEDIA": folder + "/other",
		"SECRET_KEY": "another key, which no backup contains"}
	for _, row := range []struct {
		environment map[string]string
		args        []string
		code        int
		out, err    string
	}{
		{sqlite, []string{"backup", plain}, exitFailed, "", "moothall.db: no such file"},
		{sqlite, []string{"migrate"}, exitOK, "", ""},
		{sqlite, []string{"user", "create", "--email", "anna@example.org"}, exitOK, "", ""},
		{sqlite, []string{"backup"}, exitUsage, "", "needs the path of the backup"},
		{sqlite, []string{"backup", ""}, exitUsage, "", "needs the path of the backup"},
		{sqlite, []string{"backup", folder}, exitFailed, "", "file already exists"},
		{sqlite, []string{"backup", "/dev/null"}, exitFailed, "", "file already exists"},
		{sqlite, []string{"backup", "--recipient", "x", plain}, exitUsage, "", "--help"},
		{sqlite, []string{"backup", plain}, exitOK, "", "--recipient encrypts it"},
		{sqlite, []string{"backup", plain}, exitFailed, "", "file already exists"},
		{sqlite, []string{"backup", "--recipient", identity.Recipient().String(), encrypted}, exitOK, "", "1 keys"},
		{sqlite, []string{"verify", plain}, exitOK, "The backup is complete: sqlite", ""},
		{sqlite, []string{"verify", encrypted}, exitFailed, "", "--identity names the file"},
		{sqlite, []string{"verify", "--identity", keyFile, encrypted}, exitOK, "The backup is complete: sqlite", ""},
		{sqlite, []string{"verify", keyFile}, exitFailed, "", "the file is not a backup of Moothall: check its name"},
		{fresh, []string{"restore", keyFile}, exitFailed, "", "the file is not a backup of Moothall: check its name"},
		{moved, []string{"restore", keyFile}, exitFailed, "", "the file is not a backup of Moothall: check its name"},
		{moved, []string{"jobs"}, exitFailed, "", "the database has no tables"},
		{fresh, []string{"restore", newer}, exitFailed, "", "newer than this program"},
		{other, []string{"restore", plain}, exitFailed, "", "SECRET_KEY differs from that of the backup"},
		{moved, []string{"restore", "--identity", keyFile, "--deletions", plain, encrypted}, exitFailed, "", "the list of deletions"},
		{moved, []string{"migrate"}, exitFailed, "", "a restore into this database has not ended"},
		{moved, []string{"restore", "--identity", keyFile, encrypted}, exitOK, "then are back.\n1 accounts that were deleted until 2031-05-02", ""},
		{moved, []string{"restore", "--identity", keyFile, encrypted}, exitFailed, "", "the database is not empty: name a new one in DATABASE_URL"},
		{moved, []string{"migrate"}, exitOK, "The database is up to date.", ""},
	} {
		if row.args[0] == "restore" {
			listDeletion(t, folder, sqlite["DATABASE_URL"])
		}
		var stderr bytes.Buffer
		code, out := invoke(t, t.Context(), row.environment, &stderr, row.args...)
		if code != row.code || !strings.Contains(out, row.out) || !strings.Contains(stderr.String(), row.err) {
			t.Errorf("%v: code %d, %q, %q", row.args, code, out, stderr.String())
		}
	}
	if info, err := os.Stat(plain); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup: %v %v", info, err)
	}
	for _, name := range []string{"/*.partial", "/fresh*"} {
		if left, _ := filepath.Glob(folder + name); len(left) > 0 {
			t.Errorf("left %v", left)
		}
	}
}

// writeNewerBackup writes the beginning of a backup that a newer version of the program has written.
func writeNewerBackup(t *testing.T, path string) {
	t.Helper()
	d, err := db.Open(t.Context(), dbtest.URL(t, db.SQLite), db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	applied, err := migrate.ReadApplied(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := json.Marshal(backup.Manifest{Format: backup.Format,
		Migrations: append(applied, migrate.Applied{Number: 9999, Name: "later"})})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	compressed, err := zstd.NewWriter(&file)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(compressed)
	err = w.WriteHeader(&tar.Header{Name: "manifest.json", Mode: 0o600, Size: int64(len(manifest))})
	_, writeErr := w.Write(manifest)
	if err := errors.Join(err, writeErr, w.Close(), compressed.Close(), os.WriteFile(path, file.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
}

var someUserStmt = db.SQL("main_test.some_user", `SELECT id FROM users ORDER BY id LIMIT 1`)

// listDeletion writes a list with one account that the backup contains, and one that it does not.
func listDeletion(t *testing.T, folder, database string) {
	t.Helper()
	d, err := db.Open(t.Context(), database, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var id domain.UserID
	if err := errors.Join(d.One(t.Context(), someUserStmt).Scan(&id), d.Close()); err != nil {
		t.Fatal(err)
	}
	list := fmt.Sprintf(`{"since": "2031-05-01T12:00:00Z", "as_of": "2031-05-02T12:00:00Z", "deletions": [{"user_id": %q, "deleted_at": "2031-05-02T12:00:00Z"},
		{"user_id": "00000000-0000-4000-8000-000000000000", "deleted_at": "2031-05-02T12:00:00Z"}]}`, id)
	if err := os.WriteFile(filepath.Join(folder, backup.DeletionsName), []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
}
