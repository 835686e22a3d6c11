package blob_test

import (
	"errors"
	"slices"
	"syscall"
	"testing"

	"moothall/internal/platform/blob"
	"moothall/internal/test/disktest"
)

// TestFullDiskLeavesNothing fills a file system of 256 KiB.
func TestFullDiskLeavesNothing(t *testing.T) {
	t.Parallel()
	disktest.OnSmall(t, 256<<10, func(t *testing.T, dir string) {
		s := open(t, blob.Location{Dir: dir})
		if err := s.Put(t.Context(), "ab/first.jpg", make([]byte, 100<<10)); err != nil {
			t.Fatal(err)
		}
		if err := s.Put(t.Context(), "ab/second.jpg", make([]byte, 200<<10)); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("Put on a full disk: %v", err)
		}
		if got := files(t, dir); !slices.Equal(got, []string{"ab/first.jpg"}) {
			t.Errorf("files %q", got)
		}
		if err := s.Put(t.Context(), "ab/third.jpg", make([]byte, 100<<10)); err != nil {
			t.Errorf("the space of the failed object is still used: %v", err)
		}
	})
}
