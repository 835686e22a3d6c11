package apptest

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	osexec "os/exec"
	"path/filepath"
	"testing"
)

// NodeProject copies a Node project into the user's cache, installs its
// dependencies there, and returns the folder. It does so once per content.
func NodeProject(t *testing.T, project string) string {
	t.Helper()
	for _, program := range []string{"node", "npm"} {
		if _, err := osexec.LookPath(program); err != nil {
			t.Fatalf("%s is missing: install it (Debian: apt-get install nodejs npm), or run make test, which does", program)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "moothall-test-"+filepath.Base(project)+"-"+sumOf(t, project))
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	draft, err := os.MkdirTemp(cache, "moothall-test-draft-")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(draft) }()
	if err := os.CopyFS(draft, os.DirFS(project)); err != nil {
		t.Fatal(err)
	}
	install := osexec.CommandContext(t.Context(), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir = draft
	if said, err := install.CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, said)
	}
	if err := os.Rename(draft, dir); err != nil && !os.IsExist(err) {
		if _, err := os.Stat(dir); err != nil { // otherwise another process was first
			t.Fatal(err)
		}
	}
	return dir
}

// sumOf returns a hash of the files of a folder.
func sumOf(t *testing.T, folder string) string {
	t.Helper()
	files, err := os.ReadDir(folder) // by name
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.New()
	for _, f := range files {
		content, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = sum.Write(content)
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}
