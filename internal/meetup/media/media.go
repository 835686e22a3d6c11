// Package media stores the pictures that users upload: covers of events, images of groups and avatars. It
// encodes each one again in three widths, so that no metadata is left.
package media

import (
	"context"
	"fmt"
	"io"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/group"
	"moothall/internal/platform/blob"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
)

// Limits of the pictures of one user.
const maxBytesPerUser = 200_000_000

// MegapixelsPerUser limits the pictures that are decoded: small files can have many pixels.
var MegapixelsPerUser = ratelimit.Limit{
	Name: "megapixels_per_user", What: "megapixels of the pictures uploaded by one user", Default: ratelimit.Quota{N: 400, Window: time.Hour},
	Open: true,
}

// Service implements the use cases of pictures.
type Service struct {
	DB      *db.DB
	Clock   domain.Clock
	Store   blob.Store // commands for accounts need none
	BaseURL string     // of the API

	Limits *ratelimit.Limits // nil: no limits

	decoders *decoders
}

// New returns a service with a store.
func New(s Service) *Service {
	s.decoders = newDecoders()
	return &s
}

// Upload is a picture as a client sends it.
type Upload struct {
	Data *io.SectionReader
	Type string // the media type according to the client
}

// Picture is a stored picture.
type Picture struct {
	ID       domain.PictureID
	URL      string    // of one of the variants, as events and profiles show it
	Variants []Variant // the smallest first
	Color    string    // the most frequent one, as #rrggbb

	hash string
}

// Variant is a picture in one width.
type Variant struct {
	URL           string
	Width, Height int

	key  string // in the store
	data []byte
}

// aspect returns the width of the picture by its height.
func (p Picture) aspect() float64 {
	largest := p.Variants[len(p.Variants)-1]
	return float64(largest.Width) / float64(largest.Height)
}

// bytes returns the size of all variants.
func (p Picture) bytes() (sum int64) {
	for _, v := range p.Variants {
		sum += int64(len(v.data))
	}
	return sum
}

// The variants that events and profiles show.
const (
	coverVariant  = 1
	avatarVariant = 0
)

// SetCover gives an event of the viewer an uploaded cover, and returns the changed event.
// match is the If-Match header, or empty.
func (s *Service) SetCover(ctx context.Context, v domain.Viewer, id domain.EventID, match string,
	u Upload) (p Picture, e event.Event, err error) {
	if err := event.MaySetImage(ctx, s.DB, v, id, match, s.Clock.Now()); err != nil {
		return Picture{}, event.Event{}, err
	}
	p, err = s.upload(ctx, v, u, coverVariant, func(tx db.Tx, p Picture, now time.Time) error {
		e, err = event.SetImage(ctx, tx, v, id, match, event.Image{URL: &p.URL, Aspect: new(p.aspect())}, now)
		return err
	})
	return p, e, err
}

// RemoveCover leaves an event of the viewer without an image.
func (s *Service) RemoveCover(ctx context.Context, v domain.Viewer, id domain.EventID, match string) error {
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		_, err := event.SetImage(ctx, tx, v, id, match, event.Image{}, s.Clock.Now())
		return err
	})
}

// SetGroupImage gives a group that the viewer hosts an uploaded image.
func (s *Service) SetGroupImage(ctx context.Context, v domain.Viewer, id domain.GroupID, u Upload) (Picture, error) {
	if err := group.MaySetImage(ctx, s.DB, v, id); err != nil {
		return Picture{}, err
	}
	return s.upload(ctx, v, u, coverVariant, func(tx db.Tx, p Picture, now time.Time) error {
		return group.SetImage(ctx, tx, v, id, &p.URL, now)
	})
}

// RemoveGroupImage leaves a group that the viewer hosts without an image.
func (s *Service) RemoveGroupImage(ctx context.Context, v domain.Viewer, id domain.GroupID) error {
	return s.DB.InTx(ctx, func(tx db.Tx) error { return group.SetImage(ctx, tx, v, id, nil, s.Clock.Now()) })
}

// SetAvatar gives the viewer an uploaded avatar.
func (s *Service) SetAvatar(ctx context.Context, v domain.Viewer, u Upload) (Picture, error) {
	return s.upload(ctx, v, u, avatarVariant, func(tx db.Tx, p Picture, now time.Time) error {
		user.SetAvatar(ctx, tx, v.UserID, &p.URL, now)
		return nil
	})
}

// RemoveAvatar leaves the viewer without an avatar.
func (s *Service) RemoveAvatar(ctx context.Context, v domain.Viewer) error {
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		user.SetAvatar(ctx, tx, v.UserID, nil, s.Clock.Now())
		return nil
	})
}

// upload stores a picture and calls show in the transaction that makes it permanent. The
// row of the picture is stored first, so that files without a use are always found.
func (s *Service) upload(ctx context.Context, v domain.Viewer, u Upload, shown int,
	show func(tx db.Tx, p Picture, now time.Time) error) (Picture, error) {
	if err := s.mustHaveSpace(ctx, s.DB, v.UserID, 1); err != nil {
		return Picture{}, err
	}
	p, err := s.render(ctx, v.UserID, u)
	if err != nil {
		return Picture{}, err
	}
	s.name(&p, shown)
	if err := s.reserve(ctx, v.UserID, p); err != nil {
		return Picture{}, err
	}
	if err = s.put(ctx, p); err == nil {
		err = s.DB.InTx(ctx, func(tx db.Tx) error {
			if err := show(tx, p, s.Clock.Now()); err != nil {
				return err
			}
			return keep(ctx, tx, v.UserID, p.ID)
		})
	}
	if err != nil {
		s.discard(ctx, p.ID)
		return Picture{}, err
	}
	return p, nil
}

// put stores the files of a picture.
func (s *Service) put(ctx context.Context, p Picture) error {
	for _, v := range p.Variants {
		if err := s.Store.Put(ctx, v.key, v.data); err != nil {
			return fmt.Errorf("%w: %w", domain.ServiceUnavailable, err) // such as a full disk
		}
	}
	return nil
}
