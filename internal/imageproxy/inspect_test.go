package imageproxy

import (
	"encoding/binary"
	"errors"
	"os"
	"testing"

	"moothall/internal/domain"
)

// stored writes an image in the format of the cache.
func stored(t testing.TB, image []byte) *os.File {
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
		if s, err := inspect(stored(t, c.image)); !errors.Is(err, c.want) || err == nil && s.mediaType != "image/avif" {
			t.Errorf("%s: %+v %v", c.name, s, err)
		}
	}
}

// FuzzInspect inspects and resizes any bytes.
func FuzzInspect(f *testing.F) {
	f.Add(avif(320, 200))
	f.Add([]byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"))
	f.Add([]byte("\xff\xd8\xff\xe1\x00\x22Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00"))
	f.Fuzz(func(t *testing.T, image []byte) {
		file := stored(t, image)
		orientation(file)
		s, err := inspect(file)
		if err != nil {
			return
		}
		if s.width <= 0 || s.height <= 0 || s.width*s.height > maxPixels {
			t.Errorf("%+v", s)
		}
		out := stored(t, nil)
		if _, err := testService().resize(t.Context(), out, &Picture{File: file}, 16, source{}); err != nil {
			t.Error(err)
		}
	})
}
