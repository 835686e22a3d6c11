package picture

import (
	"bufio"
	"context"
	"errors"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"
)

// Unbounded is the memory or work of an image that must not be decoded. The sum of two does
// not overflow.
const Unbounded = 1 << 60

const maxScans = 32 // of a JPEG; each is a pass over all pixels

// Work returns the approximate work of decoding the image, in units of about 15 ns of one
// processor.
func (i Image) Work() int64 {
	pixels, scans := i.pixels(), int64(1)
	if i.MediaType == "image/jpeg" {
		scans = 0
		for r := bufio.NewReader(io.NewSectionReader(i.data, 0, MaxBytes)); contains(r, startOfScan); {
			scans++
		}
	}
	if scans > maxScans {
		return Unbounded
	}
	return i.data.Size() + pixels + pixels*scans/8
}

// Memory returns the approximate peak memory of decoding the image, in bytes.
func (i Image) Memory() int64 {
	switch i.MediaType {
	case "image/jpeg":
		return i.pixels() * jpegBytes(i.data)
	case "image/gif":
		return i.pixels() * 2
	case "image/png":
		return i.pixels() * pngBytes(i.data)
	case "image/webp":
		if lossy(i.data) {
			return MaxBytes + i.pixels()*2 // the compressed data is read as a whole
		}
	}
	return Unbounded // no decoder
}

// Megapixels returns the size of the image in megapixels, rounded up.
func (i Image) Megapixels() int { return int((i.pixels() + 999_999) / 1_000_000) }

func (i Image) pixels() int64 { return int64(i.Width) * int64(i.Height) }

// Decode decodes the image, the first frame if it is animated. It fails once ctx ends,
// because a small file can need unbounded work, and if the size differs from the header.
func (i Image) Decode(ctx context.Context) (decoded image.Image, err error) {
	r := bufio.NewReader(inTime{ctx, io.NewSectionReader(i.data, 0, MaxBytes)})
	switch i.MediaType {
	case "image/jpeg":
		decoded, err = jpeg.Decode(r)
	case "image/gif":
		decoded, err = gif.Decode(r)
	case "image/webp":
		decoded, err = webp.Decode(r)
	default:
		decoded, err = png.Decode(r)
	}
	if err == nil && decoded.Bounds() != image.Rect(0, 0, i.Width, i.Height) {
		err = errors.New("picture: size differs from the header") // such as a GIF frame
	}
	return decoded, err
}

// inTime is a reader that fails once its context ends.
type inTime struct {
	ctx context.Context
	io.Reader
}

func (r inTime) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}
