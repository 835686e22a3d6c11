package imageproxy

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/test/testutil"
)

func made(t *testing.T, encode func(*bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// stored writes an image in the format of the cache.
func stored(t *testing.T, image []byte) *os.File {
	t.Helper()
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	if _, err := file.WriteAt(image, headerSize); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestUnresizableImagesAreCopied(t *testing.T) {
	t.Parallel()
	frame := image.NewPaletted(image.Rect(10, 10, 12, 12), color.Palette{color.Black})
	small := &gif.GIF{Image: []*image.Paletted{frame}, Delay: []int{0}, Config: image.Config{Width: 100, Height: 100,
		ColorModel: frame.Palette}}
	for name, picture := range map[string][]byte{
		"a frame smaller than its GIF": made(t, func(b *bytes.Buffer) error { return gif.EncodeAll(b, small) }),
		"taller than a JPEG can be": made(t,
			func(b *bytes.Buffer) error { return png.Encode(b, image.NewGray(image.Rect(0, 0, 17, 70_000))) }),
		"work without end": testutil.ManyScans(400_000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, original := stored(t, nil), &Picture{File: stored(t, picture), Entry: Entry{Type: "as it is"}}
			entry, err := testService().resize(t.Context(), out, original, 16, source{})
			if err != nil || entry != original.Entry {
				t.Errorf("%+v %v", entry, err)
			}
		})
	}
}

// TestDecoderPanicIsRecovered checks that every waiter gets an error, and that no file is
// left.
func TestDecoderPanicIsRecovered(t *testing.T) {
	t.Parallel()
	c, err := openCache(t.TempDir(), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	s := &Service{cache: c}
	_, err = s.flights.open(t.Context(), "key", source{}, func(context.Context) (string, error) {
		return s.store("key", func(*os.File) (Entry, error) { panic("a surprise") })
	})
	if err == nil || !strings.Contains(err.Error(), "a surprise") {
		t.Errorf("%v", err)
	}
	if left, err := os.ReadDir(c.incoming.Path()); err != nil || len(left) > 1 { // its lock
		t.Errorf("%v %v", left, err)
	}
}

// TestAbandonedFilesAreRemoved checks that a start removes the incomplete files of a killed process, also of an earlier version.
func TestAbandonedFilesAreRemoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	killed := filepath.Join(dir, "incoming", "KILLED")
	err := errors.Join(os.MkdirAll(killed, 0o700), os.WriteFile(filepath.Join(killed, "1"), nil, 0o600),
		os.WriteFile(filepath.Join(dir, "2.partial"), nil, 0o600))
	if err != nil {
		t.Fatal(err)
	}
	c, err := openCache(dir, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%v %v", left, err)
	}
	if _, err := os.Stat(killed); err == nil {
		t.Error("the folder of the killed process is still there")
	}
	if err := c.incoming.Close(); err != nil {
		t.Error(err)
	}
}

func TestLifetimeOfCacheControl(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		control  []string
		lifetime time.Duration
		private  bool
	}{
		{nil, defaultLifetime, false},
		{[]string{"no-cache, no-store, must-revalidate"}, 0, true},
		{[]string{"no-cache", "private"}, 0, true},
		{[]string{"max-age=300", "no-store"}, 0, true},
		{[]string{"no-cache, max-age=300"}, minLifetime, false},
		{[]string{"s-maxage=600, max-age=300"}, 10 * time.Minute, false},
		{[]string{"max-age=0"}, minLifetime, false},
		{[]string{"max-age=-1"}, minLifetime, false},
		{[]string{"max-age=2147483647"}, maxLifetime, false},
		{[]string{"max-age=x"}, defaultLifetime, false},
	} {
		if lifetime, private := lifetimeOf(c.control); lifetime != c.lifetime || private != c.private {
			t.Errorf("%q: %v %t", c.control, lifetime, private)
		}
	}
}

// testService returns a service that can resize.
func testService() *Service {
	s := &Service{clock: domain.SystemClock()}
	s.decoding.of = &s.decoders
	return s
}

func TestFullProxyIsNotUpstreamError(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	full := queue{of: &fetchPermits{used: maxFetches, by: shares{}}}
	if _, err := full.acquire(ctx, &task{}); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody waits any more: %v", err)
	}
	if _, err := full.acquire(t.Context(), &task{}); !errors.Is(err, domain.ServiceUnavailable) {
		t.Errorf("no place: %v", err)
	}
	if len(full.waiting) > 0 {
		t.Errorf("%d tasks still wait", len(full.waiting))
	}
}
