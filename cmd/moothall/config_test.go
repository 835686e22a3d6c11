package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConfigFile reads settings from a file. Variables of the environment win, and mistakes are
// named with the file.
func TestConfigFile(t *testing.T) {
	for name, row := range map[string]struct {
		file     string
		variable string // LOG_LEVEL in the environment
		code     int
		out, err string
	}{
		"file":              {"# a comment\nLOG_LEVEL=warn\n", "", exitOK, "LOG_LEVEL=warn # FILE", ""},
		"quotes":            {"MAIL_FROM=\"Moothall <no-reply@example.org>\"\n", "", exitOK, "MAIL_FROM=Moothall <no-reply@example.org> # FILE", ""},
		"environment wins":  {"LOG_LEVEL=warn\n", "error", exitOK, "LOG_LEVEL=error # environment", ""},
		"default":           {"", "", exitOK, "LOG_LEVEL=info # default", ""},
		"secret":            {"SECRET_KEY=hSb1zN0YQ2o5cJxX3rWm8tqv7Lk4DeFgPaUi0123456789\n", "", exitOK, "SECRET_KEY=(secret) # FILE", ""},
		"password":          {"SMTP_URL=smtps://u:0123456789@mail.example.org\nMAIL_FROM=a@example.org\n", "", exitOK, "SMTP_URL=smtps://u:xxxxx@mail.example.org # FILE", ""},
		"earlier version":   {"RATE_LIMIT_WRITES_PER_USER=5/1m\n", "", exitUsage, "", "RATE_LIMIT_WRITES_PER_USER must be replaced by RATE_LIMITS=writes_per_user=5/1m"},
		"identity provider": {"IDP_PROVIDERS=acme\nIDP_ACME_ISSUER=https://id.example\nIDP_ACME_CLIENT_ID=web\n", "", exitOK, "IDP_ACME_ISSUER=https://id.example # FILE", ""},
		"dollar":            {"MAIL_FROM=\"a$LOG_LEVEL <no-reply@example.org>\"\n", "", exitOK, "MAIL_FROM=a$LOG_LEVEL <no-reply@example.org> # FILE", ""},
		"misspelt":          {"LOG_LEVE=warn\n", "", exitUsage, "", "did you mean LOG_LEVEL?"},
		"unknown":           {"COLOR=red\n", "", exitUsage, "", "COLOR is not a setting"},
		"wrong value":       {"LOG_LEVEL=loud\n", "", exitUsage, "LOG_LEVEL=loud # FILE", "LOG_LEVEL"},
		"misspelt, line":    {"# levels\n\nLOG_LEVE=warn\n", "", exitUsage, "", "FILE: line 3: LOG_LEVE is not a setting"},
		"no line":           {"# a comment\nLOG_LEVEL\n", "", exitUsage, "", "FILE: line 2: must be NAME=value, or a comment that begins with #"},
	} {
		path := filepath.Join(t.TempDir(), "moothall.env")
		if err := os.WriteFile(path, []byte(row.file), 0o600); err != nil {
			t.Fatal(err)
		}
		environment := map[string]string{}
		if row.variable != "" {
			environment["LOG_LEVEL"] = row.variable
		}
		var stderr bytes.Buffer
		code, out := invoke(t, t.Context(), environment, &stderr, "config", "--config", path)
		out = strings.Join(strings.Fields(out), " ") // without the alignment
		if code != row.code || !strings.Contains(out, strings.ReplaceAll(row.out, "FILE", path)) ||
			!strings.Contains(stderr.String(), strings.ReplaceAll(row.err, "FILE", path)) {
			t.Errorf("%s: code %d, %q, %q", name, code, out, stderr.String())
		}
		if strings.Contains(out, "0123456789") {
			t.Errorf("%s: the secret is printed", name)
		}
	}
}

func TestParseConfig(t *testing.T) {
	for text, want := range map[string]string{
		"A=b":                  "b",
		"  A = b c  ":          "b c",
		"export A=b":           "b",
		"A=":                   "",
		"A=b # comment":        "b",
		"A=b#c":                "b#c",
		"A=b\r\n# c\r\n":       "b",
		`A="b # c" # comment`:  "b # c",
		`A="b \"c\" \\ $A\nd"`: "b \"c\" \\ $A\nd",
		`A='b \n "c"'`:         `b \n "c"`,
		"A=b=c==":              "b=c==",
		"A=b\nA=c":             "c",
	} {
		got, err := parseConfig(text, func(string) error { return nil })
		if value, is := got["A"]; err != nil || !is || value != want || len(got) != 1 {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"\nA":              "line 2: must be NAME=value, or a comment that begins with #",
		"=secret":          "line 1: must be NAME=value, or a comment that begins with #",
		"A B=secret":       "line 1: must be NAME=value, or a comment that begins with #",
		"#\n#\nA=\"secret": "line 3: the closing quote is missing",
		"A='secret'x":      "line 1: something follows the closing quote",
	} {
		if got, err := parseConfig(text, func(string) error { return nil }); err == nil || err.Error() != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}
