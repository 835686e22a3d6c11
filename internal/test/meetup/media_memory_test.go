package meetup_test

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"runtime"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// TestDecodingMemoryIsBounded uploads the largest pictures at the same time. The memory of
// the process, the test and its clients included, stays within a bound.
func TestDecodingMemoryIsBounded(t *testing.T) {
	testutil.OnlyLong(t)
	a := apptest.New(t, db.SQLite)
	largest := encoded(t, func(b *bytes.Buffer) error {
		return jpeg.Encode(b, image.NewYCbCr(image.Rect(0, 0, 8000, 5000), image.YCbCrSubsampleRatio444), nil)
	})
	flat := asPNG(t, image.NewNRGBA(image.Rect(0, 0, 8000, 5000)))
	users := make([]*apptest.Client, 8)
	for i := range users {
		users[i] = a.As(fmt.Sprint("user", i))
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	base, most := m.HeapAlloc, m.HeapAlloc
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			}
		}
	}()
	begin := time.Now()
	apptest.Concurrently(len(users), func(i int) {
		for range 3 {
			users[i].Put("/me/avatar", [][]byte{largest, flat}[i%2]).Want(200)
		}
	})
	took := time.Since(begin)
	close(stop)
	<-stopped
	grown := (int64(most) - int64(base)) >> 20
	t.Logf("the heap grew by %d MiB; %d pictures of 40 megapixels took %v", grown, 3*len(users), took)
	if grown > 512 {
		t.Errorf("the heap grew by %d MiB", grown)
	}
}
