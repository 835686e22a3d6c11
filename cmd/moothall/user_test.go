package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestUserActions acts on one of two users.
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
	people := []string{"anna@example.org", "ben@example.org"}
	call(0, "", "", "migrate")
	for _, address := range people {
		call(0, " is created.", "", "user", "create", "--email", address)
	}
	email := []string{"--email", people[0]}
	with := func(work string, flags ...string) []string { return append([]string{"user", work}, flags...) }

	export := call(0, `"email": "`+people[0]+`"`, "", with("export", email...)...)
	_, rest, _ := strings.Cut(export, `"user_id": "`)
	id := []string{"--id", rest[:36]}
	call(0, " is suspended.\n", "", with("suspend", id...)...)
	call(0, " is suspended.\n", "", with("suspend", email...)...)
	call(0, " is not suspended.\n", "", with("restore", email...)...)
	call(0, "e-mail      "+people[0]+" (not verified)\n", "", with("show", id...)...)
	call(0, "state       active\n", "", with("show", email...)...)
	// an empty standard input
	call(1, "Type yes: ", "nothing is deleted: answer yes, or repeat the command with --yes", with("delete", email...)...)
	answer := func(code int, text, out string) {
		t.Helper()
		var stderr bytes.Buffer
		if got, stdout := invokeWith(t, t.Context(), environment, text, &stderr, with("delete", email...)...); got != code ||
			!strings.HasSuffix(stdout, out) {
			t.Errorf("%q: code %d, %q, %q", text, got, stdout, stderr.String())
		}
	}
	answer(1, "no\n", "Type yes: ")
	answer(0, "yes\n", rest[:36]+" is deleted.\n")
	call(0, "", "", with("delete", "--email", people[1], "--yes")...)
	for _, work := range []string{"show", "export", "delete", "suspend", "restore"} {
		call(1, "", "there is no such account", with(work, id...)...)
		call(1, "", "there is no such account", with(work, email...)...)
	}
	call(0, "moothall user export --email", "", "user", "--help")
	call(0, "moothall user export --email", "", "user", "export", "--help")
	call(2, "", "the commands are create, delete, export, list, restore, show, suspend", "user")
	call(2, "", "unknown command \"rename\"", "user", "rename")
	call(2, "", "at least one of the flags in the group [id email] is required", "user", "export")
	call(2, "", "[email id] were all set", with("export", "--id", rest[:36], "--email", people[1])...)
	call(2, "", "unexpected argument \"now\"", with("export", append(id, "now")...)...)
	call(2, "", "--id", with("export", "--id", "anna")...)
	call(2, "", "--email", with("export", "--email", "anna")...)
	call(2, "", "unknown flag: --name", with("export", "--name", "anna")...)
}

// TestUserCreateAndList creates accounts and lists them by pages.
func TestUserCreateAndList(t *testing.T) {
	environment := map[string]string{"DATABASE_URL": "sqlite:" + t.TempDir() + "/moothall.db"}
	call := func(code int, args ...string) (stdout, stderr string) {
		t.Helper()
		var log bytes.Buffer
		got, out := invoke(t, t.Context(), environment, &log, args...)
		if got != code {
			t.Errorf("%v: code %d, %q, %q", args, got, out, log.String())
		}
		return out, log.String()
	}
	call(0, "migrate")
	if out, _ := call(0, "user", "list"); !strings.HasPrefix(out, "No accounts.") {
		t.Errorf("%q", out)
	}
	created := map[string]string{}
	for _, name := range []string{"anna", "bert", "cleo"} {
		out, _ := call(0, "user", "create", "--email", name+"@example.com")
		created[name], _, _ = strings.Cut(out, " is created.")
	}
	if _, complaint := call(1, "user", "create", "--email", "Anna@example.com"); !strings.Contains(complaint,
		`"moothall user show --email Anna@example.com" shows it`) {
		t.Errorf("%q", complaint)
	}
	call(2, "user", "create")
	call(2, "user", "create", "--email", "anna")
	call(2, "user", "list", "--limit", "0")
	call(2, "user", "list", "--before", "anna")
	call(0, "user", "suspend", "--email", "bert@example.com")
	first, _ := call(0, "user", "list", "--limit", "2")
	if !strings.Contains(first, created["cleo"]) || strings.Contains(first, created["anna"]) ||
		!strings.HasSuffix(first, "--before "+created["bert"]+"\n") {
		t.Errorf("%q", first)
	}
	if rest, _ := call(0, "user", "list", "--before", created["bert"]); !strings.Contains(rest, created["anna"]) ||
		strings.Contains(rest, created["bert"]) {
		t.Errorf("%q", rest)
	}
	if out, _ := call(0, "user", "show", "--id", created["bert"]); !strings.Contains(out, "suspended\n") ||
		!strings.Contains(out, "bert@example.com (not verified)\n") {
		t.Errorf("%q", out)
	}
}
