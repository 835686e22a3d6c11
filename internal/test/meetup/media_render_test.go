package meetup_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// TestPicturesAreEncodedAnew uploads pictures of every kind and checks the variants.
func TestPicturesAreEncodedAnew(t *testing.T) {
	t.Parallel()
	a := apptest.New(t, db.SQLite)
	ann := a.As("ann")
	photo := asJPEG(t, painted(1000, 500, red, blue))
	deep := image.NewNRGBA64(image.Rect(0, 0, 600, 300))
	for i := range deep.Pix {
		deep.Pix[i] = 0xff
	}
	for _, c := range []struct {
		name          string
		data          []byte
		width, height int
		left, right   color.NRGBA
	}{
		{"photo", photo, 1000, 500, red, blue},
		{"photo upside down", testutil.WithMetadata(photo, 3), 1000, 500, blue, red},
		{"wide", asPNG(t, painted(3200, 100, red, blue)), 1600, 50, red, blue},
		{"tall", asPNG(t, painted(100, 12_800, red, blue)), 50, 6400, red, blue},
		{"one column", asPNG(t, painted(1, 70_000, red, red)), 1, 6400, red, red},
		{"one pixel", []byte(apptest.Pixel), 1, 1, color.NRGBA{0, 0, 0, 255}, color.NRGBA{0, 0, 0, 255}},
		{"transparent", asPNG(t, painted(600, 300, red, color.Transparent)), 600, 300, red, color.NRGBA{255, 255, 255, 255}},
		{"16 bits", asPNG(t, deep), 600, 300, color.NRGBA{255, 255, 255, 255}, color.NRGBA{255, 255, 255, 255}},
		{"gray", asJPEG(t, image.NewGray(image.Rect(0, 0, 600, 300))), 600, 300, color.NRGBA{0, 0, 0, 255}, color.NRGBA{0, 0, 0, 255}},
		{"animated GIF", asGIF(t, painted(600, 300, red, blue), painted(600, 300, blue, blue)), 600, 300, red, blue},
		{"print colors", file(t, "cmyk.jpg"), 40, 20, red, red},
		{"progressive", file(t, "progressive.jpg"), 40, 20, red, red},
		{"lossy WebP", file(t, "lossy.webp"), 40, 20, red, red},
		{"HTML at the end", append(slices.Clone(photo), "<script>alert(1)</script>"...), 1000, 500, red, blue},
	} {
		reply := ann.In(t).Put("/me/avatar", c.data)
		if reply.Status != 200 {
			t.Errorf("%s: %d %s", c.name, reply.Status, reply.Body)
			continue
		}
		if w, h := int(reply.Number("image.width")), int(reply.Number("image.height")); w != c.width || h != c.height {
			t.Errorf("%s: %d x %d, want %d x %d", c.name, w, h, c.width, c.height)
		}
		for i, most := range []int{480, 960, 1600} {
			at := fmt.Sprintf("image.variants.%d.", i)
			p := decoded(t, a, reply.Text(at+"url"))
			w, h := p.Bounds().Dx(), p.Bounds().Dy()
			if w > min(most, c.width) || w < min(most, c.width)/8 || w != int(reply.Number(at+"width")) || h != int(reply.Number(at+"height")) {
				t.Errorf("%s: variant %d is %d x %d", c.name, most, w, h)
			}
			if left, right := p.At(0, h/2), p.At(w-1, h/2); !mediaNear(left, c.left) || !mediaNear(right, c.right) {
				t.Errorf("%s: variant %d has the colors %v and %v", c.name, most, left, right)
			}
		}
	}
}

// TestMetadataIsRemoved uploads a photo with a place, a profile and a comment, turned by
// every orientation.
func TestMetadataIsRemoved(t *testing.T) {
	t.Parallel()
	a := apptest.New(t, db.SQLite)
	photo := asJPEG(t, painted(200, 100, red, blue))
	for orientation := byte(1); orientation <= 8; orientation++ {
		sent := testutil.WithMetadata(photo, orientation)
		if !bytes.Contains(sent, []byte(testutil.PicturePlace)) {
			t.Fatal("the photo has no place")
		}
		reply := a.As("ann").Put("/me/avatar", sent).Want(200)
		if sideways := reply.Number("image.width") == 100; sideways != (orientation >= 5) {
			t.Errorf("orientation %d: %s", orientation, reply.Body)
		}
		for i := range 3 {
			got := load(a, reply.Text(fmt.Sprintf("image.variants.%d.url", i))).Want(200).Body
			for _, text := range []string{"Exif", "ICC", testutil.PicturePlace, "script"} {
				if bytes.Contains(got, []byte(text)) {
					t.Errorf("orientation %d: the file contains %s", orientation, text)
				}
			}
		}
		p := decoded(t, a, reply.Text("image.variants.2.url"))
		w, h := p.Bounds().Dx(), p.Bounds().Dy()
		first := mediaNear(p.At(1, 1), red)
		if want := orientation == 1 || orientation >= 4 && orientation <= 6; first != want {
			t.Errorf("orientation %d: the corner of %d x %d is %v", orientation, w, h, p.At(1, 1))
		}
	}
}

func TestFrequentColor(t *testing.T) {
	t.Parallel()
	a := apptest.New(t, db.SQLite)
	mostlyRed := painted(300, 100, red, red)
	for y := range 100 {
		for x := range 100 {
			mostlyRed.Set(x, y, blue)
		}
	}
	if got := a.As("ann").Put("/me/avatar", asPNG(t, mostlyRed)).Want(200).Text("image.color"); got != "#c81e1e" {
		t.Errorf("the most frequent color is %s", got)
	}
}

// headerOf returns a PNG with a header and nothing else.
func headerOf(w, h uint32, depth, colorType, interlaced byte) []byte {
	chunk := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), w), h)
	chunk = append(chunk, depth, colorType, 0, 0, interlaced)
	return binary.BigEndian.AppendUint32(append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\r"), chunk...), crc32.ChecksumIEEE(chunk))
}

// TestHostileUploads checks what is refused, and that nothing is stored then.
func TestHostileUploads(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := apptest.New(t, db.SQLite, apptest.Setting("MEDIA", dir))
	photo := asJPEG(t, painted(1000, 500, red, blue))
	animation := asGIF(t, painted(100, 100, red, red))
	for _, c := range []struct {
		name, declared string
		data           []byte
		status         int
		code           string
	}{
		{"over 10 MiB", "image/jpeg", append(slices.Clone(photo), make([]byte, 10<<20)...), 413, "payload_too_large"},
		{"over 40 megapixels", "image/png", headerOf(8001, 5000, 8, 2, 0), 413, "payload_too_large"},
		{"more pixels than an int", "image/png", headerOf(1<<31-1, 1<<31-1, 8, 2, 0), 415, "unsupported_media_type"},
		{"40 megapixels, 16 bits, interlaced", "image/png", headerOf(8000, 5000, 16, 6, 1), 413, "payload_too_large"},
		{"too many scans", "image/jpeg", testutil.ManyScans(400_000), 413, "payload_too_large"},
		{"a header without pixels", "image/png", headerOf(1000, 1000, 8, 2, 0), 415, "unsupported_media_type"},
		{"cut", "image/jpeg", photo[:len(photo)/2], 415, "unsupported_media_type"},
		{"cut in the header", "image/jpeg", photo[:100], 415, "unsupported_media_type"},
		{"cut GIF", "image/gif", animation[:30], 415, "unsupported_media_type"},
		{"a GIF with a smaller frame", "image/gif", smallFrame(animation), 415, "unsupported_media_type"},
		{"lossless WebP", "image/webp", file(t, "lossless.webp"), 415, "unsupported_media_type"},
		{"transparent WebP", "image/webp", file(t, "transparent.webp"), 415, "unsupported_media_type"},
		{"animated WebP", "image/webp", file(t, "animated.webp"), 415, "unsupported_media_type"},
		{"another type than declared", "image/png", photo, 415, "unsupported_media_type"},
		{"declared as JSON", "application/json", photo, 415, "unsupported_media_type"},
		{"declared as any image", "image/*", photo, 415, "unsupported_media_type"},
		{"declared as SVG", "image/svg+xml", []byte("<svg/>"), 415, "unsupported_media_type"},
		{"undeclared", "", photo, 415, "unsupported_media_type"},
		{"malformed type", "image/jpeg;;", photo, 415, "unsupported_media_type"},
		{"JSON", "image/jpeg", []byte(`{"a":1}`), 415, "unsupported_media_type"},
		{"empty", "image/jpeg", []byte{}, 415, "unsupported_media_type"},
	} {
		got := a.As("ann").Header("Content-Type", c.declared).Put("/me/avatar", c.data)
		if want := `{"error":"` + c.code + `"}`; got.Status != c.status || string(got.Body) != want {
			t.Errorf("%s: %d %s, want %d %s", c.name, got.Status, got.Body, c.status, want)
		}
	}
	a.As("ann").With("Content-Encoding", "gzip").Put("/me/avatar", photo).WantError(415, "unsupported_media_type")
	a.Anonymous().Put("/me/avatar", photo).WantError(401, "unauthorized")
	a.As("ann").With("Content-Type", "image/jpeg").Put("/me/avatar", nil).WantError(415, "unsupported_media_type")
	if files := storedFiles(t, dir); len(files) > 0 {
		t.Errorf("files %q", files)
	}
	if n := a.Count(mediaRowsStmt); n != 0 {
		t.Errorf("%d rows", n)
	}
}

var mediaRowsStmt = db.SQL("media_test.rows", `SELECT COUNT(*) FROM media`)

// smallFrame makes the canvas of a GIF larger than its frame.
func smallFrame(data []byte) []byte {
	larger := slices.Clone(data)
	larger[7]++ // the width
	return larger
}

// TestImagePayloads uploads what the image proxy must not pass on.
func TestImagePayloads(t *testing.T) {
	t.Parallel()
	a := apptest.New(t, db.SQLite)
	payloads, err := os.ReadFile("testdata/image_payloads.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(payloads)) {
		row := strings.Split(line, "\t")
		if strings.HasPrefix(line, "#") || len(row) < 4 {
			continue
		}
		data, err := base64.StdEncoding.DecodeString(row[2])
		if err != nil {
			t.Fatal(err)
		}
		reply := a.As("ann").Header("Content-Type", row[1]).Put("/me/avatar", data)
		if !strings.Contains(row[3], fmt.Sprint(reply.Status)) {
			t.Errorf("%s: %d, want %s", row[0], reply.Status, row[3])
		}
		if reply.Status == 200 && bytes.Contains(load(a, reply.Text("image.url")).Want(200).Body, []byte("script")) {
			t.Errorf("%s: the tail is still there", row[0])
		}
	}
}

// TestPixelsAreLimited uploads small files with many pixels: the second picture of 36 megapixels within an hour is refused, and
// a small picture waits less.
func TestPixelsAreLimited(t *testing.T) {
	t.Parallel()
	a := apptest.New(t, db.SQLite, apptest.StartAt(apptest.Today), apptest.Setting("RATE_LIMITS", "megapixels_per_user=5/1h"))
	large := encoded(t, func(b *bytes.Buffer) error {
		return png.Encode(b, image.NewPaletted(image.Rect(0, 0, 2000, 1800), color.Palette{red, blue}))
	})
	ann := a.As("ann")
	ann.Put("/me/avatar", large).Want(200)
	ann.Put("/me/avatar", large).WantError(429, "rate_limited")
	a.As("bob").Put("/me/avatar", large).Want(200)
	a.Clock.Advance(2 * time.Minute)
	ann.Put("/me/avatar", apptest.Pixel).Want(200)
	ann.Put("/me/avatar", large).WantError(429, "rate_limited")
	a.Clock.Advance(time.Hour)
	a.SignIn(apptest.Email("ann")).Put("/me/avatar", large).Want(200)
}
