package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// TestNewFilesAreFlushed creates a file in new folders. It is complete on the disk before it
// has its name, and each name before the call returns.
func TestNewFilesAreFlushed(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "a", "b", "secret.key")
	var flushed []string
	flush = func(f *os.File) error {
		info, err := f.Stat()
		_, missing := os.Stat(path)
		switch {
		case err != nil || info.IsDir():
			flushed = append(flushed, filepath.Base(f.Name()))
		case missing == nil || info.Size() != 7:
			t.Errorf("%d bytes were flushed, the file has its name: %v", info.Size(), missing == nil)
		default:
			flushed = append(flushed, "draft")
		}
		return err
	}
	defer func() { flush = (*os.File).Sync }()
	if err := errors.Join(MkdirAll(filepath.Dir(path), 0o700), Create(path, []byte("content"))); err != nil {
		t.Fatal(err)
	}
	if want := []string{filepath.Base(root), "a", "draft", "b"}; !slices.Equal(flushed, want) {
		t.Errorf("flushed %q, want %q", flushed, want)
	}
}

func TestOneOfManyCreatesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	var creators sync.WaitGroup
	won := make(chan string, 20)
	for i := range cap(won) {
		creators.Go(func() {
			content := string(rune('a' + i))
			switch err := Create(path, []byte(content)); {
			case err == nil:
				won <- content
			case !errors.Is(err, fs.ErrExist):
				t.Error(err)
			}
		})
	}
	creators.Wait()
	content, err := os.ReadFile(path)
	if err != nil || len(won) != 1 || <-won != string(content) {
		t.Errorf("%q, %v, %d more winners", content, err, len(won))
	}
	if names, _ := filepath.Glob(path + "*"); len(names) != 1 {
		t.Errorf("drafts remain: %q", names)
	}
}
