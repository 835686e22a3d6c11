package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"slices"
	"strings"
	"testing"

	"moothall/internal/domain"
)

func section(data []byte) *io.SectionReader {
	return io.NewSectionReader(bytes.NewReader(data), 0, int64(len(data)))
}

func made(t *testing.T, encode func(*bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// boxOf returns a box of an AVIF file.
func boxOf(kind string, content ...byte) []byte {
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(8+len(content))), kind...), content...)
}

func avif(width, height uint32) []byte {
	size := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(make([]byte, 4), width), height)
	meta := append(make([]byte, 4), boxOf("iprp", boxOf("ipco", boxOf("ispe", size...)...)...)...)
	return append(boxOf("ftyp", []byte("avif\x00\x00\x00\x00mif1")...), boxOf("meta", meta...)...)
}

func TestAVIFSize(t *testing.T) {
	for _, c := range []struct {
		name  string
		image []byte
		want  error
	}{
		{"small", avif(320, 200), nil},
		{"just small enough", avif(8000, 5000), nil},
		{"too large", avif(8000, 5001), domain.PayloadTooLarge},
		{"larger than an int", avif(1<<32-1, 1<<32-1), domain.PayloadTooLarge},
		{"no size", avif(0, 0), domain.UnsupportedMedia},
		{"another brand", append(boxOf("ftyp", []byte("mp42\x00\x00\x00\x00isom")...), avif(320, 200)[20:]...), domain.UnsupportedMedia},
		{"cut", avif(320, 200)[:24], domain.UnsupportedMedia},
	} {
		if i, err := Inspect(section(c.image)); !errors.Is(err, c.want) || err == nil && i.MediaType != "image/avif" {
			t.Errorf("%s: %+v %v", c.name, i, err)
		}
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
		if got := jpegBytes(section(c.image)); got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.name, got, c.want)
		}
	}
	deep := made(t, func(b *bytes.Buffer) error { return png.Encode(b, image.NewNRGBA64(image.Rect(0, 0, 1, 1))) })
	plain := made(t, func(b *bytes.Buffer) error { return png.Encode(b, image.NewNRGBA(image.Rect(0, 0, 1, 1))) })
	interlaced := slices.Clone(deep)
	interlaced[28] = 1
	for want, picture := range map[int64][]byte{4: plain, 8: deep, 16: interlaced} {
		if got := pngBytes(section(picture)); got != want {
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
		if got := lossy(section([]byte(picture))); got != want {
			t.Errorf("%q: %t, want %t", picture, got, want)
		}
	}
}

// FuzzInspect inspects and scales any bytes.
func FuzzInspect(f *testing.F) {
	f.Add(avif(320, 200))
	f.Add([]byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"))
	f.Add([]byte("\xff\xd8\xff\xe1\x00\x22Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		i, err := Inspect(section(data))
		if err != nil {
			return
		}
		if i.Width <= 0 || i.Height <= 0 || i.Width*i.Height > MaxPixels {
			t.Errorf("%+v", i)
		}
		w, h := i.Fit(16, 64)
		if w <= 0 || h <= 0 || w > 16 || h > 64 {
			t.Errorf("%d x %d of %+v", w, h, i)
		}
		if i.Memory() > 1<<20 || i.Work() > 1<<20 {
			return
		}
		if decoded, err := i.Decode(t.Context()); err == nil {
			Scale(decoded, i.Orientation, w, h)
		}
	})
}
