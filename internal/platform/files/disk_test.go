package files_test

import (
	"os"
	"path/filepath"
	"testing"

	"moothall/internal/platform/files"
)

func TestFreeOfMissingFolder(t *testing.T) {
	free, err := files.Free(filepath.Join(t.TempDir(), "missing", "folder"))
	if err != nil || free < 0 || free > 1 {
		t.Errorf("%v %v", free, err)
	}
}

func TestHardLinksAreCounted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if _, err := files.HardLinks(path); !os.IsNotExist(err) {
		t.Errorf("missing file: %v", err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := files.HardLinks(path); n != 1 || err != nil {
		t.Errorf("a new file has %d links: %v", n, err)
	}
	if err := os.Link(path, path+"2"); err != nil {
		t.Fatal(err)
	}
	if n, err := files.HardLinks(path); n != 2 || err != nil {
		t.Errorf("after a link, it has %d: %v", n, err)
	}
}
