package imageproxy

import (
	"context"
	"crypto/sha256"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"os"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/picture"
)

const decodeTime = 2 * time.Second // of one image

// resize writes original into file, at most width pixels wide. It copies images that are
// small enough, and those that it cannot resize. While decoders are busy, it copies
// images, too; such a copy expires soon.
func (s *Service) resize(ctx context.Context, file *os.File, original *Picture, width int, who source) (Entry, error) {
	i, err := picture.Inspect(original.image())
	if err != nil {
		return Entry{}, err
	}
	w, h := i.Fit(width, math.MaxInt)
	t := &task{source: who, memory: i.Memory() + int64(w)*int64(h)*4, work: i.Work()}
	if fullWidth, _ := i.Size(); i.Animated || fullWidth <= width || h > picture.MaxSide || t.memory > maxMemory || t.work > maxWork {
		return passThrough(file, original)
	}
	now := s.clock.Now()
	release, err := s.decoder(ctx, t, now)
	if errors.Is(err, domain.ServiceUnavailable) {
		entry, err := passThrough(file, original)
		entry.Fresh = now.Add(min(minLifetime, entry.Fresh.Sub(now)))
		return entry, err
	}
	if err != nil {
		return Entry{}, err
	}
	defer release()
	decoded, err := decode(ctx, i)
	if ctx.Err() != nil {
		return Entry{}, waitError(ctx)
	}
	if err != nil { // a valid header, but invalid data: pass it on
		return passThrough(file, original)
	}
	sum := sha256.New()
	mediaType, err := encode(io.MultiWriter(file, sum), picture.Scale(decoded, i.Orientation, w, h))
	return Entry{Type: mediaType, ETag: etag(sum.Sum(nil)), Fresh: original.Fresh, Private: original.Private}, err
}

func passThrough(file *os.File, original *Picture) (Entry, error) {
	_, err := io.Copy(file, original.image())
	return original.Entry, err
}

func decode(ctx context.Context, i picture.Image) (image.Image, error) {
	ctx, cancel := context.WithTimeout(ctx, decodeTime)
	defer cancel()
	return i.Decode(ctx)
}

// encode writes a JPEG, or a PNG when the image has transparency.
func encode(w io.Writer, picture *image.NRGBA) (mediaType string, err error) {
	if picture.Opaque() {
		return "image/jpeg", jpeg.Encode(w, picture, &jpeg.Options{Quality: 85})
	}
	return "image/png", png.Encode(w, picture)
}
