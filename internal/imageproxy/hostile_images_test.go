package imageproxy

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/domain"
)

func made(t *testing.T, encode func(*bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// ManyScans returns a progressive JPEG of 9 MB that needs as many passes over an image of
// 2000 by 2000 pixels.
func ManyScans(scans int) []byte {
	segment := func(marker byte, content ...byte) []byte {
		return append(binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(content)+2)), content...)
	}
	codes := append([]byte{0x10, 1}, make([]byte, 15)...) // one code of one bit: 16384 blocks of nothing
	picture := slices.Concat([]byte{0xff, 0xd8}, segment(0xdb, make([]byte, 65)...),
		segment(startOfProgressive, 8, 2000>>8, 2000&0xff, 2000>>8, 2000&0xff, 1, 1, 0x11, 0), segment(0xc4, append(codes, 0xe0)...))
	scan := append(segment(startOfScan, 1, 1, 0, 1, 63, 0), make([]byte, 8)...)
	picture = append(append(picture, bytes.Repeat(scan, scans)...), 0xff, 0xd9)
	return append(picture, make([]byte, max(0, 9<<20-len(picture)))...)
}

func TestUnresizableImagesAreCopied(t *testing.T) {
	t.Parallel()
	frame := image.NewPaletted(image.Rect(10, 10, 12, 12), color.Palette{color.Black})
	small := &gif.GIF{Image: []*image.Paletted{frame}, Delay: []int{0}, Config: image.Config{Width: 100, Height: 100, ColorModel: frame.Palette}}
	for name, picture := range map[string][]byte{
		"a frame smaller than its GIF": made(t, func(b *bytes.Buffer) error { return gif.EncodeAll(b, small) }),
		"taller than a JPEG can be":    made(t, func(b *bytes.Buffer) error { return png.Encode(b, image.NewGray(image.Rect(0, 0, 17, 70_000))) }),
		"work without end":             ManyScans(400_000),
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

func TestDecodeMemoryEstimate(t *testing.T) {
	t.Parallel()
	photo := made(t, func(b *bytes.Buffer) error {
		return jpeg.Encode(b, image.NewYCbCr(image.Rect(0, 0, 8, 8), image.YCbCrSubsampleRatio444), nil)
	})
	gray := made(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, image.NewGray(image.Rect(0, 0, 8, 8)), nil) })
	frame := bytes.Index(photo, []byte{0xff, startOfFrame})
	changed := func(at int, to ...byte) []byte {
		return slices.Concat(photo[:at], to, photo[at+len(to):])
	}
	adobe := append([]byte{0xff, adobeSegment, 0, 14}, "Adobe\x00\x64\x00\x00\x00\x00\x00"...)
	for _, c := range []struct {
		name  string
		image []byte
		want  int64
	}{
		{"a photo", photo, 3},
		{"gray", gray, 1},
		{"progressive", changed(frame+1, startOfProgressive), 15},
		{"red, green and blue", changed(frame+10, 'R'), 7},
		{"of print", changed(frame+9, 4), 8},
		{"by Adobe", slices.Insert(slices.Clone(photo), 2, adobe...), 7},
		{"by Adobe, said late", slices.Insert(slices.Clone(photo), len(photo)-2, adobe...), 7},
		{"a marker without a length", slices.Insert(slices.Clone(photo), 2, 0xff, 0xd0), 24},
		{"filled up", slices.Insert(slices.Clone(photo), 2, 0xff), 24},
		{"cut", photo[:20], 24},
	} {
		if got := jpegBytes(stored(t, c.image)); got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.name, got, c.want)
		}
	}
	deep := made(t, func(b *bytes.Buffer) error { return png.Encode(b, image.NewNRGBA64(image.Rect(0, 0, 1, 1))) })
	plain := made(t, func(b *bytes.Buffer) error { return png.Encode(b, image.NewNRGBA(image.Rect(0, 0, 1, 1))) })
	interlaced := slices.Clone(deep)
	interlaced[28] = 1
	for want, picture := range map[int64][]byte{4: plain, 8: deep, 16: interlaced} {
		if got := pngBytes(stored(t, picture)); got != want {
			t.Errorf("PNG: %d bytes, want %d", got, want)
		}
	}
	riff, chunk := "RIFF\x00\x00\x00\x00WEBP", func(kind string, content string) string {
		return kind + string(binary.LittleEndian.AppendUint32(nil, uint32(len(content)))) + content + strings.Repeat("\x00", len(content)&1)
	}
	for picture, want := range map[string]bool{
		riff + chunk("VP8 ", "x"): true,
		riff + chunk("VP8X", "0123456789") + chunk("ICCP", "odd") + chunk("VP8 ", "x"): true,
		riff + chunk("VP8L", "x"): false,
		riff + chunk("VP8X", "0123456789") + chunk("ALPH", "x") + chunk("VP8 ", "x"): false,
		riff + chunk("VP8X", "0123456789"):                                           false,
	} {
		if got := lossy(stored(t, []byte(picture))); got != want {
			t.Errorf("%q: %t, want %t", picture, got, want)
		}
	}
}

// TestDecoderPanicIsRecovered checks that every waiter gets an error, and that no file is
// left.
func TestDecoderPanicIsRecovered(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c, err := openCache(dir, 1<<20, time.Now())
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
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v %v", left, err)
	}
}

// TestAbandonedFilesAreRemoved checks that a start removes old partial files. It leaves
// recent ones, which a process that is shutting down may still write.
func TestAbandonedFilesAreRemoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, age := range map[string]time.Duration{"left.partial": 2 * abandonedAfter, "written.partial": time.Second} {
		path, then := filepath.Join(dir, name), time.Now().Add(-age)
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, then, then)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := openCache(dir, 1<<20, time.Now()); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 || left[0].Name() != "written.partial" {
		t.Errorf("%v %v", left, err)
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
	full := queue{of: &fetchSlots{used: maxFetches, by: shares{}}}
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
