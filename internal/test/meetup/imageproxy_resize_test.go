package meetup_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall/internal/test/apptest"
	"moothall/internal/test/outboundtest"
	"moothall/internal/test/testutil"
)

// half is blue on the left and red on the right.
func half(w, h int, blue color.Color) *image.NRGBA {
	picture := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			picture.Set(x, y, color.NRGBA{R: 255, A: 255})
			if x < w/2 {
				picture.Set(x, y, blue)
			}
		}
	}
	return picture
}

func encoded(t *testing.T, encode func(*bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// held returns a JPEG with an EXIF orientation, as from a camera held in that way.
func held(plain []byte, orientation byte) []byte {
	exif := "\xff\xe1\x00\x22Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00" + string(rune(orientation)) +
		"\x00\x00\x00\x00\x00\x00"
	return append([]byte("\xff\xd8"+exif), plain[2:]...)
}

func TestResize(t *testing.T) {
	t.Parallel()
	opaque, clear := half(400, 200, color.NRGBA{B: 255, A: 255}), half(400, 200, color.NRGBA{})
	photo := encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, opaque, nil) })
	two := &gif.GIF{Image: []*image.Paletted{paletted(opaque), paletted(opaque)}, Delay: []int{1, 1}}
	images := map[string][]byte{
		"photo":    photo,
		"rotation": held(photo, 6),
		"mirrored": held(photo, 2),
		"clear":    encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, clear) }),
		"gif":      encoded(t, func(b *bytes.Buffer) error { return gif.Encode(b, opaque, nil) }),
		"animated": encoded(t, func(b *bytes.Buffer) error { return gif.EncodeAll(b, two) }),
		"broken":   photo[:len(photo)/2],
	}
	w := outboundtest.New(t, func(rw http.ResponseWriter, r *http.Request) {
		_, _ = rw.Write(images[strings.TrimPrefix(r.URL.Path, "/")])
	})
	client := newApp(t, w).Anonymous()
	for _, c := range []struct {
		name, mediaType string
		width, height   int
		first, last     color.NRGBA // the first and last pixel; A 0 in both: not looked at
	}{
		{"photo", "image/jpeg", 100, 50, color.NRGBA{B: 255, A: 255}, color.NRGBA{R: 255, A: 255}},
		{"mirrored", "image/jpeg", 100, 50, color.NRGBA{R: 255, A: 255}, color.NRGBA{B: 255, A: 255}},
		{"rotation", "image/jpeg", 100, 200, color.NRGBA{B: 255, A: 255}, color.NRGBA{R: 255, A: 255}},
		{"clear", "image/png", 100, 50, color.NRGBA{}, color.NRGBA{R: 255, A: 255}},
		{"gif", "image/jpeg", 100, 50, color.NRGBA{B: 255, A: 255}, color.NRGBA{R: 255, A: 255}},
		{"animated", "image/gif", 400, 200, color.NRGBA{}, color.NRGBA{}},
	} {
		got := client.Get(proxied("https://example.com/"+c.name) + "&w=100").Want(200)
		picture, _, err := image.Decode(bytes.NewReader(got.Body))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		size := picture.Bounds().Size()
		if got.Header.Get("Content-Type") != c.mediaType || size != (image.Point{X: c.width, Y: c.height}) {
			t.Errorf("%s: %s of %v", c.name, got.Header.Get("Content-Type"), size)
		}
		if c.last.A > 0 && !(imageproxyNear(picture.At(0, 0), c.first) && imageproxyNear(picture.At(size.X-1, size.Y-1), c.last)) {
			t.Errorf("%s: %v to %v", c.name, picture.At(0, 0), picture.At(size.X-1, size.Y-1))
		}
		if bytes.Contains(got.Body, []byte("Exif")) {
			t.Errorf("%s: still contains the EXIF data", c.name)
		}
	}
	for name, want := range map[string][]byte{"photo": photo, "broken": images["broken"]} {
		for _, width := range []string{"&w=400", "&w=2048", ""} {
			if name == "photo" || width == "" {
				if got := client.Get(proxied("https://example.com/"+name) + width).Want(200); !bytes.Equal(got.Body, want) {
					t.Errorf("%s%s was changed", name, width)
				}
			}
		}
	}
	if got := client.Get(proxied("https://example.com/broken") + "&w=100").Want(200); !bytes.Equal(got.Body, images["broken"]) {
		t.Error("a broken image was not passed on")
	}
	for _, width := range []string{"15", "2049", "x", ""} {
		client.Get(proxied("https://example.com/photo")+"&w="+width).WantError(400, "invalid_request")
	}
}

func paletted(picture image.Image) *image.Paletted {
	colors := color.Palette{color.NRGBA{B: 255, A: 255}, color.NRGBA{R: 255, A: 255}}
	p := image.NewPaletted(picture.Bounds(), colors)
	for y := range p.Bounds().Dy() {
		for x := range p.Bounds().Dx() {
			p.Set(x, y, picture.At(x, y))
		}
	}
	return p
}

func imageproxyNear(a color.Color, b color.NRGBA) bool {
	r, g, bl, al := a.RGBA()
	off := func(x uint32, y uint8) bool { d := int(x>>8) - int(y); return d > 24 || d < -24 }
	return !off(r, b.R) && !off(g, b.G) && !off(bl, b.B) && !off(al, b.A)
}

// TestSmallImagesAreResizedBesideLargeOnes requests seven images of 9 MB, and a small one
// while they are waiting. A site may use eight fetches at once, so no request waits for one. On a
// busy machine the seven take more than a minute.
func TestSmallImagesAreResizedBesideLargeOnes(t *testing.T) {
	t.Parallel()
	small := encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, half(400, 200, color.NRGBA{B: 255, A: 255}), nil) })
	large := testutil.ManyScans(testutil.Rounds(100_000, 400_000))
	w := outboundtest.New(t, func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/small" {
			_, _ = rw.Write(small)
			return
		}
		_, _ = rw.Write(large)
	})
	a := newApp(t, w, apptest.Setting("REQUEST_TIMEOUT", "5m"))
	var all sync.WaitGroup
	const many = 7
	for i := range many {
		all.Go(func() {
			a.Anonymous().Get(proxied(fmt.Sprintf("https://example.com/%d", i)) + "&w=100").Want(200)
		})
	}
	await(t, func() bool { return len(w.Requests()) == many })
	time.Sleep(500 * time.Millisecond)
	got := a.Anonymous().Get(proxied("https://example.com/small") + "&w=100").Want(200)
	if picture, _, err := image.Decode(bytes.NewReader(got.Body)); err != nil || picture.Bounds().Dx() != 100 {
		t.Errorf("the small image was not resized: %v", err)
	}
	all.Wait()
}

// TestResizeMemoryIsLimited measures the growth of the heap, so it is not parallel.
func TestResizeMemoryIsLimited(t *testing.T) {
	testutil.OnlyLong(t)
	wide := encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, image.NewGray(image.Rect(0, 0, 6000, 6600))) })
	photo := encoded(t, func(b *bytes.Buffer) error {
		return jpeg.Encode(b, image.NewYCbCr(image.Rect(0, 0, 3000, 2000), image.YCbCrSubsampleRatio420), nil)
	})
	screen := encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, image.NewNRGBA(image.Rect(0, 0, 2600, 2600))) })
	images := map[string][]byte{"/wide": wide, "/photo": photo, "/long": append(pixel, make([]byte, 10<<20-len(pixel))...)}
	for i := range 8 {
		images[fmt.Sprintf("/screen%d", i)] = screen
	}
	w := outboundtest.New(t, func(rw http.ResponseWriter, r *http.Request) { _, _ = rw.Write(images[r.URL.Path]) })
	a := newApp(t, w)
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	defer debug.SetGCPercent(debug.SetGCPercent(25)) // so that the heap contains little garbage of the test itself
	runtime.GC()
	base, most := heap(), uint64(0)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case <-time.After(2 * time.Millisecond):
				most = max(most, heap())
			}
		}
	}()
	for path := range images {
		for _, width := range []string{"", "&w=100", "&w=2000"} {
			imageproxyRead(t, a.URL()+proxied("https://example.com"+path)+width)
		}
	}
	close(stop)
	<-stopped
	grown := int64(most) - int64(base)
	t.Logf("the heap grew by %d MiB", grown>>20)
	if grown > 32<<20 {
		t.Errorf("the heap grew by %d MiB", grown>>20)
	}
}

// imageproxyRead reads a response without storing it.
func imageproxyRead(t *testing.T, address string) {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	sink, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sink.Close() }()
	if _, err := sink.ReadFrom(response.Body); err != nil || response.StatusCode != http.StatusOK {
		t.Errorf("%s: %d %v", address, response.StatusCode, err)
	}
}

func bytesIn(t *testing.T, dir string) (sum int64) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil {
			sum += info.Size()
		}
	}
	return sum
}
