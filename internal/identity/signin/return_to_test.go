package signin_test

import (
	"bufio"
	"encoding/json"
	"net/url"
	"os"
	"strings"
	"testing"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"moothall/internal/identity/signin"
)

const (
	webOrigin     = "https://service.example"
	maxReturnTo   = 512 // bytes
	defaultReturn = "/profile"
)

// wantLocal fails the test if a Location leads a browser out of the web client, as
// it is or decoded once more by an intermediary.
func wantLocal(t *testing.T, location string) {
	t.Helper()
	if len(location) > maxReturnTo || location[0] != '/' || strings.Trim(location, printable) != "" {
		t.Fatalf("%q is not a plain path", location)
	}
	for _, form := range []string{location, decodedOnce(location)} {
		got, err := whatwg.ParseRef(webOrigin+"/auth/idp/callback", form)
		if err != nil {
			t.Errorf("%q: %v", form, err)
			continue
		}
		if origin := got.Protocol() + "//" + got.Host(); origin != webOrigin {
			t.Errorf("%q leads to %s", form, origin)
		}
		path := strings.ToLower(got.Pathname())
		if strings.HasPrefix(path+"/", "/auth/") || strings.HasPrefix(path+"/", "/api/") {
			t.Errorf("%q leads into the API", form)
		}
	}
}

// printable is ASCII without space and backslash.
const printable = "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~"

func decodedOnce(s string) string {
	path, _, _ := strings.Cut(s, "?")
	if decoded, err := url.PathUnescape(path); err == nil {
		return decoded
	}
	return s
}

// TestReturnToStaysLocal tries every case as it is and escaped once more.
func TestReturnToStaysLocal(t *testing.T) {
	file, err := os.Open("testdata/return_to.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	rows := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		columns := strings.Split(lines.Text(), "\t")
		if strings.HasPrefix(columns[0], "#") || len(columns) < 3 {
			continue
		}
		var value string
		if err := json.Unmarshal([]byte(columns[1]), &value); err != nil {
			t.Fatalf("%s: %v", columns[1], err)
		}
		rows++
		got := signin.LocalPath(value)
		wantLocal(t, got)
		switch {
		case columns[0] == "keep" && got != value, columns[0] == "default" && got != defaultReturn,
			columns[0] == "either" && got != value && got != defaultReturn:
			t.Errorf("%q (%s): %q, want %s", value, columns[2], got, columns[0])
		}
		wantLocal(t, signin.LocalPath(url.QueryEscape(value)))
		wantLocal(t, signin.LocalPath("/"+url.PathEscape(value)))
	}
	if rows < 60 {
		t.Errorf("only %d rows", rows)
	}
	for asked, want := range map[string]string{
		"": defaultReturn, "/" + strings.Repeat("a", 511): "/" + strings.Repeat("a", 511), "/" + strings.Repeat("a", 512): defaultReturn,
		"/AUTH/logout": defaultReturn, "/%61uth/logout": defaultReturn, "/auth;x/logout": defaultReturn, "/author": "/author",
		"/auth":  defaultReturn,
		"/login": defaultReturn, "/a/../auth/x": defaultReturn, "/a/%2e%2e/auth/x": defaultReturn, "/a//b": defaultReturn,
		"/a%2f%2fb":          defaultReturn,
		"/%252fevil.example": defaultReturn, "/x%5c": defaultReturn, "/events?back=https://evil.example//": "/events?back=https://evil.example//",
		"/events?q=100%25": "/events?q=100%25", "/events?q=%0d%0a": defaultReturn, "/events?q=%zz": defaultReturn, "/events#%": defaultReturn,
		"/events/": "/events/", "/[x]": "/[x]", "/a\\b": defaultReturn, "/events?q=\\": defaultReturn,
	} {
		got := signin.LocalPath(asked)
		wantLocal(t, got)
		if got != want {
			t.Errorf("%q: %q, want %q", asked, got, want)
		}
	}
}

// FuzzReturnTo searches for a return_to that leads to another origin or the API.
func FuzzReturnTo(f *testing.F) {
	for _, seed := range []string{"/", "/events?city=Berlin#chat", "//evil.example", "/\\evil.example", "/%2f%2fevil.example", "/.//evil",
		"/%61uth/x", "/\t/evil"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, asked string) { wantLocal(t, signin.LocalPath(asked)) })
}
