package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"moothall/internal/test/apptest"
	"moothall/internal/test/maptest"
)

// TestMapFetch fetches streets, and looks at what doctor says before and after.
func TestMapFetch(t *testing.T) {
	city := maptest.City(14)
	planet := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(city))
	}))
	defer planet.Close()
	folder := t.TempDir()
	environment := map[string]string{"DATABASE_URL": "sqlite:" + folder + "/moothall.db", "SECRET_KEY": apptest.SecretKey}
	doctor := func(want string) {
		t.Helper()
		if _, out := invoke(t, t.Context(), environment, io.Discard, "doctor"); !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("doctor says %s", out)
		}
	}
	doctor(`(?m)^skipped  map +the map has no streets: .*streets.pmtiles is missing\n +-> "moothall map fetch --near CITY`)
	var stderr bytes.Buffer
	code, out := invoke(t, t.Context(), environment, &stderr, "map", "fetch", "--near", "Berlin", "--radius", "20km", "--source", planet.URL)
	file := filepath.Join(folder, "streets.pmtiles")
	if code != exitOK || !strings.HasPrefix(out, file+": ") || !strings.Contains(stderr.String(), "[##############################] 100 %") {
		t.Fatalf("code %d, %q, %q", code, out, stderr.String())
	}
	doctor(`(?m)^ok       map +.*streets.pmtiles has streets from 52\.3`)
	if err := os.WriteFile(file, []byte("<html>"), 0o600); err != nil {
		t.Fatal(err)
	}
	doctor(`(?m)^failed   map +the map has no streets: .*no valid PMTiles archive`)
}

func TestMapFetchArguments(t *testing.T) {
	for _, c := range []struct {
		args []string
		err  string
	}{
		{nil, "needs one of --near, --bbox and --country"},
		{[]string{"--near", "Berlin", "--country", "DE"}, "needs one of"},
		{[]string{"--near", "Berlin", "--radius", "-5km"}, `--radius "-5km" must be`},
		{[]string{"--bbox", "1,2,3"}, "--bbox must be west,south,east,north"},
		{[]string{"--country", "Germany"}, `--country "Germany"`},
		{[]string{"--near", "Berlin", "--maxzoom", "3"}, "--maxzoom must be 7 to 15"},
		{[]string{"--near", "Berlin", "--max-size", "0"}, "--max-size at least 1"},
	} {
		var stderr bytes.Buffer
		code, _ := invoke(t, t.Context(), map[string]string{}, &stderr, append([]string{"map", "fetch"}, c.args...)...)
		if code != exitUsage || !strings.Contains(stderr.String(), c.err) {
			t.Errorf("%v: code %d, %q", c.args, code, stderr.String())
		}
	}
}
