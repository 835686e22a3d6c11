package media

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"runtime"

	"moothall/internal/domain"
	"moothall/internal/platform/picture"
)

const (
	// maxMemory limits the memory of all pictures that are being decoded, in bytes. At most
	// two are, so that they leave processors to other requests.
	maxMemory = 256 << 20

	// garbageMemory is the memory of a picture, in bytes, after which it is collected at once.
	garbageMemory = 32 << 20

	quality   = 82 // of a JPEG
	maxAspect = 4  // height by width of a variant; higher pictures become narrower
)

// widths are the maximum widths of the variants, in pixels.
var widths = []int{480, 960, 1600}

// render decodes and re-encodes a picture of a user. It returns UnsupportedMedia if it is not a picture of its
// declared type, PayloadTooLarge if it is too large to decode.
func (s *Service) render(ctx context.Context, owner domain.UserID, u Upload) (Picture, error) {
	i, err := picture.Inspect(u.Data)
	if err != nil {
		return Picture{}, err
	}
	largest := widths[len(widths)-1]
	w, h := i.Fit(largest, largest*maxAspect)
	memory := i.Memory() + 8*int64(w)*int64(h)
	switch {
	case i.MediaType != u.Type, i.Memory() == picture.Unbounded:
		return Picture{}, domain.UnsupportedMedia
	case memory > maxMemory, i.Work() == picture.Unbounded:
		return Picture{}, domain.PayloadTooLarge
	}
	if err := s.spendPixels(ctx, owner, i.Megapixels()); err != nil {
		return Picture{}, err
	}
	release, err := s.decoders.acquire(ctx, owner, max(memory, maxMemory/2))
	if err != nil {
		return Picture{}, err
	}
	defer release()
	if memory > garbageMemory {
		defer runtime.GC() // before the next one is decoded
	}
	decoded, err := i.Decode(ctx)
	switch {
	case ctx.Err() != nil:
		return Picture{}, ctx.Err()
	case err != nil:
		return Picture{}, domain.UnsupportedMedia
	}
	return encode(i, onWhite(picture.Scale(decoded, i.Orientation, w, h)))
}

// spendPixels counts a picture under MegapixelsPerUser. A picture larger than the whole quota counts as the quota.
func (s *Service) spendPixels(ctx context.Context, owner domain.UserID, megapixels int) error {
	n := min(megapixels, s.Limits.Quota(MegapixelsPerUser).N)
	return s.Limits.SpendN(ctx, MegapixelsPerUser, owner.String(), max(1, n))
}

// encode returns the variants of a picture, given the largest one.
func encode(i picture.Image, largest *image.RGBA) (Picture, error) {
	p := Picture{ID: domain.RandomID[domain.PictureKind](), Variants: make([]Variant, len(widths))}
	scaled := largest
	for at := len(widths) - 1; at >= 0; at-- { // each from the next larger one
		if w, h := i.Fit(widths[at], widths[at]*maxAspect); scaled.Rect.Dx() != w || scaled.Rect.Dy() != h {
			scaled = onWhite(picture.Scale(scaled, picture.Upright, w, h))
		} else if at < len(widths)-1 {
			p.Variants[at] = p.Variants[at+1]
			continue
		}
		var file bytes.Buffer
		if err := jpeg.Encode(&file, scaled, &jpeg.Options{Quality: quality}); err != nil {
			return Picture{}, fmt.Errorf("media.encode: %w", err)
		}
		p.Variants[at] = Variant{Width: scaled.Rect.Dx(), Height: scaled.Rect.Dy(), data: file.Bytes()}
	}
	p.Color = frequentColor(scaled)
	p.hash = hashOf(p)
	return p, nil
}

// onWhite returns a picture without transparency.
func onWhite(transparent *image.NRGBA) *image.RGBA {
	out := image.NewRGBA(transparent.Rect)
	draw.Draw(out, out.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(out, out.Rect, transparent, transparent.Rect.Min, draw.Over)
	return out
}

// hashOf returns a hash that names the files. The random id makes it impossible to guess,
// even for somebody who has the same picture.
func hashOf(p Picture) string {
	sum := sha256.New()
	sum.Write(p.ID[:])
	sum.Write(p.Variants[len(p.Variants)-1].data)
	return hex.EncodeToString(sum.Sum(nil))
}

// frequentColor returns the average of the most frequent group of similar colors.
func frequentColor(from *image.RGBA) string {
	type group struct{ n, r, g, b int }
	var groups [1 << 12]group // by the upper 4 bits of each channel
	var most group
	for at := 0; at < len(from.Pix); at += 4 {
		r, g, b := int(from.Pix[at]), int(from.Pix[at+1]), int(from.Pix[at+2])
		of := &groups[r>>4<<8|g>>4<<4|b>>4]
		of.n, of.r, of.g, of.b = of.n+1, of.r+r, of.g+g, of.b+b
		if of.n > most.n {
			most = *of
		}
	}
	return fmt.Sprintf("#%02x%02x%02x", most.r/most.n, most.g/most.n, most.b/most.n)
}
