package main

import (
	"bytes"
	"strings"
	"testing"

	"moothall/internal/platform/db"
)

// TestUserActions acts on one of the seeded users.
func TestUserActions(t *testing.T) {
	environment := map[string]string{"DATABASE_URL": "sqlite:" + t.TempDir() + "/moothall.db"}
	call := func(code int, out, complaint string, args ...string) string {
		t.Helper()
		var stderr bytes.Buffer
		got, stdout := invoke(t, t.Context(), environment, &stderr, args...)
		if got != code || !strings.Contains(stdout, out) || !strings.Contains(stderr.String(), complaint) {
			t.Errorf("%v: code %d, %q, %q", args, got, stdout, stderr.String())
		}
		return stdout
	}
	call(0, "", "", "seed", "--events", "5", "--users", "3")
	people := seededEmails(t, environment["DATABASE_URL"])
	email := []string{"--email", people[0]}
	with := func(work string, flags ...string) []string { return append([]string{"user", work}, flags...) }

	export := call(0, `"email": "`+people[0]+`"`, "", with("export", email...)...)
	_, rest, _ := strings.Cut(export, `"user_id": "`)
	id := []string{"--id", rest[:36]}
	call(0, " is suspended.\n", "", with("suspend", id...)...)
	call(0, " is suspended.\n", "", with("suspend", email...)...)
	call(0, " is not suspended.\n", "", with("restore", email...)...)
	call(0, rest[:36]+" is deleted.\n", "", with("delete", email...)...)
	for _, work := range []string{"export", "delete", "suspend", "restore"} {
		call(1, "", "there is no such account", with(work, id...)...)
		call(1, "", "there is no such account", with(work, email...)...)
	}
	call(0, "moothall user export --email", "", "user", "--help")
	call(0, "moothall user export --email", "", "user", "export", "--help")
	call(2, "", "the commands are delete, export, restore, suspend", "user")
	call(2, "", "unknown command \"rename\"", "user", "rename")
	call(2, "", "at least one of the flags in the group [id email] is required", "user", "export")
	call(2, "", "[email id] were all set", with("export", "--id", rest[:36], "--email", people[1])...)
	call(2, "", "unexpected argument \"now\"", with("export", append(id, "now")...)...)
	call(2, "", "--id", with("export", "--id", "anna")...)
	call(2, "", "--email", with("export", "--email", "anna")...)
	call(2, "", "unknown flag: --name", with("export", "--name", "anna")...)
}

var emailsStmt = db.SQL("main.test_emails", `SELECT email FROM users ORDER BY email`)

func seededEmails(t *testing.T, url string) []string {
	t.Helper()
	d, err := db.Open(t.Context(), url, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	emails, err := db.All(t.Context(), d, func(row db.Row, email *string) error { return row.Scan(email) }, emailsStmt)
	if err != nil || len(emails) != 3 {
		t.Fatalf("%q, %v", emails, err)
	}
	return emails
}
