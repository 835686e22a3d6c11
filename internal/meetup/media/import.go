package media

import (
	"context"
	"fmt"
	"image"
	"iter"

	"golang.org/x/sync/errgroup"

	"moothall/internal/domain"
	"moothall/internal/platform/picture"
)

// Imported is a picture to be seeded.
type Imported struct {
	Owner   domain.UserID
	Picture Picture // of Encode
}

// Encode returns the files and the address of a picture that is safe to encode. It stores
// nothing.
func (s *Service) Encode(safe *image.RGBA, cover bool) (Picture, error) {
	p, err := encode(picture.Image{Width: safe.Rect.Dx(), Height: safe.Rect.Dy(), Orientation: picture.Upright}, safe)
	if err != nil {
		return Picture{}, err
	}
	shown := avatarVariant
	if cover {
		shown = coverVariant
	}
	s.name(&p, shown)
	return p, nil
}

// importConcurrency is the number of pictures that Import writes at the same time: a disk
// makes several files permanent almost as fast as one.
const importConcurrency = 16

// Import stores pictures whose addresses events and profiles already show.
func (s *Service) Import(ctx context.Context, all []Imported) error {
	writes, writing := errgroup.WithContext(ctx)
	writes.SetLimit(importConcurrency)
	for _, i := range all {
		writes.Go(func() error { return s.put(writing, i.Picture) })
	}
	if err := writes.Wait(); err != nil {
		return fmt.Errorf("media.import: %w", err)
	}
	_, err := s.DB.Bulk(ctx, "media", []string{"id", "owner_id", "hash", "url", "bytes", "created_at"}, s.rows(all))
	return err
}

func (s *Service) rows(all []Imported) iter.Seq[[]any] {
	now := s.Clock.Now()
	return func(yield func([]any) bool) {
		for _, i := range all {
			if !yield([]any{i.Picture.ID, i.Owner, i.Picture.hash, i.Picture.URL, i.Picture.bytes(), now}) {
				return
			}
		}
	}
}
