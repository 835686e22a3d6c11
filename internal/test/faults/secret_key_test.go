package faults

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

// TestSecretKeySurvivesPowerCuts starts services without SECRET_KEY: what a power cut can
// leave of secret.key is refused, two first starts use one key, and a restart uses it again.
func TestSecretKeySurvivesPowerCuts(t *testing.T) {
	t.Parallel()
	path := strings.TrimPrefix(dbtest.URL(t, db.SQLite), "sqlite:")
	folder, other := filepath.Dir(path), strings.TrimPrefix(dbtest.URL(t, db.SQLite), "sqlite:")
	must(t, os.Rename(other, folder+"/other.db"))
	key, none := filepath.Join(folder, "secret.key"), map[string]string{"SECRET_KEY": ""}
	for _, left := range []string{"", "short\n", strings.Repeat("\x00", 64)} {
		must(t, os.WriteFile(key, []byte(left), 0o600))
		expectRefused(t, path, none, "secret.key is empty or too short")
		if content, err := os.ReadFile(key); err != nil || string(content) != left {
			t.Errorf("the file %q has become %q, %v", left, content, err)
		}
	}
	must(t, os.Remove(key))
	first, second := newService(t, "sqlite:"+path, none), newService(t, "sqlite:"+folder+"/other.db", none)
	first.launch()
	second.launch()
	first.awaitServing()
	second.awaitServing()
	if files, err := filepath.Glob(key + "*"); err != nil || len(files) != 1 {
		t.Errorf("%v %v", files, err)
	}
	content, err := os.ReadFile(key)
	must(t, err)
	c := newClient(t)
	code := c.mustCall(t, http.MethodPost, first.url()+"/auth/dev/start", "", `{"email":"ann@example.org"}`).text("dev_code")
	first.kill()
	first.start()
	c.mustCall(t, http.MethodPost, first.url()+"/auth/dev/verify", "", `{"email":"ann@example.org","code":"`+code+`"}`)
	if again, err := os.ReadFile(key); err != nil || string(again) != string(content) {
		t.Error("the key has changed")
	}
	testutil.Fault(t, "power cut, secret.key", "an empty, short or zeroed key is refused, a flushed one is used again")
}
