package blob_test

import (
	"errors"
	"slices"
	"syscall"
	"testing"

	"moothall/internal/platform/blob"
)

// TestFullDiskLeavesNothing fills a file system of 256 KiB.
func TestFullDiskLeavesNothing(t *testing.T) {
	t.Parallel()
	l := blob.Location{Dir: t.TempDir()}
	if err := syscall.Mount("tmpfs", l.Dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("cannot mount a file system: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(l.Dir, syscall.MNT_DETACH) })
	s := open(t, l)
	if err := s.Put(t.Context(), "ab/first.jpg", make([]byte, 100<<10)); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(t.Context(), "ab/second.jpg", make([]byte, 200<<10)); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("Put on a full disk: %v", err)
	}
	if got := files(t, l.Dir); !slices.Equal(got, []string{"ab/first.jpg"}) {
		t.Errorf("files %q", got)
	}
	if err := s.Put(t.Context(), "ab/third.jpg", make([]byte, 100<<10)); err != nil {
		t.Errorf("the space of the failed object is still used: %v", err)
	}
}
