package browser

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestPagesOfOperator opens the pages of PAGES_DIR, which all other pages link to, and changes one of them.
func TestPagesOfOperator(t *testing.T) {
	folder := t.TempDir()
	write := func(name, source string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("imprint.md", "# Imprint\n\nMoothall Club, **Berlin**")
	write("imprint.de.md", "# Impressum\n\nVerein <b>Moothall</b>")
	a := apptest.New(t, db.SQLite, append(settings, apptest.Setting("PAGES_DIR", folder))...)
	nobody := visitor(t, a)
	german := []string{"Accept-Language", "de"}
	nobody.open("/").want(t, http.StatusOK, `href="/pages/imprint"`, "<bdi>Imprint</bdi>")
	nobody.open("/", german...).want(t, http.StatusOK, "<bdi>Impressum</bdi>")
	nobody.open("/pages/imprint").want(t, http.StatusOK, "<h1>Imprint</h1>", "<strong>Berlin</strong>", "<title>Imprint")
	nobody.open("/pages/imprint", german...).want(t, http.StatusOK, `lang="de"`, "<h1>Impressum</h1>", "Verein", "not", "<b>Moothall")
	signedIn(t, a, "ann").open("/pages/imprint").want(t, http.StatusOK, "<h1>Imprint</h1>")
	for _, path := range []string{"/pages/terms", "/pages/imprint.de", "/pages/..%2fimprint", "/pages/"} {
		nobody.open(path).want(t, http.StatusNotFound)
	}
	write("imprint.md", "# About this site")
	a.Clock.Advance(time.Minute)
	nobody.open("/").want(t, http.StatusOK, "About this site", "not", "<bdi>Imprint</bdi>")
}
