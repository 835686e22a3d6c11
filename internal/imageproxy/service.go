package imageproxy

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"

	"moothall/internal/domain"
)

// Options say how the proxy runs.
type Options struct {
	Clock   domain.Clock
	Dir     string   // of the cache; empty: one that goes with Close
	Bytes   int64    // that the cache may take on disk
	Own     []string // hosts of the service itself, which are not fetched from
	Network Network
}

// Service fetches images and keeps them.
type Service struct {
	clock     domain.Clock
	own       []string
	client    *http.Client
	cache     *cache
	temporary string // removed by Close
	flights   flights
	fetches   chan struct{}
	shrinking chan struct{} // one picture at a time is in memory
}

// New opens the cache, with what an earlier run has left there.
func New(o Options) (*Service, error) {
	s := &Service{
		clock: o.Clock, own: o.Own,
		fetches: make(chan struct{}, maxFetches), shrinking: make(chan struct{}, 1),
	}
	if o.Dir == "" {
		dir, err := os.MkdirTemp("", "moothall-images-")
		if err != nil {
			return nil, fmt.Errorf("imageproxy: the cache: %w", err)
		}
		o.Dir, s.temporary = dir, dir
	}
	s.client = o.Network.client(s.judge)
	var err error
	s.cache, err = openCache(o.Dir, o.Bytes, o.Clock.Now())
	return s, err
}

// Close removes a cache that is not to stay.
func (s *Service) Close() error {
	if s.temporary == "" {
		return nil
	}
	return os.RemoveAll(s.temporary)
}

// Get gives the image at a URL, made at most width pixels wide unless width is
// 0 (specification §4.1). Refusals: domain.InvalidRequest for a URL that the
// proxy does not fetch, domain.PayloadTooLarge over 10 MiB or 40 megapixels,
// domain.UnsupportedMedia for what is no raster image, domain.ImageUnavailable for
// the other host's failures, domain.ServiceUnavailable while too many wait.
func (s *Service) Get(ctx context.Context, rawURL string, width int) (*Picture, error) {
	u, err := s.judge(rawURL)
	if err != nil {
		return nil, err
	}
	return s.picture(ctx, u, width)
}

// judge gives a URL that the proxy may fetch, whoever names it.
func (s *Service) judge(rawURL string) (*url.URL, error) {
	u, err := parse(rawURL)
	if err == nil && slices.Contains(s.own, u.Host) {
		err = domain.Invalid("?url", "must not be this service itself")
	}
	return u, err
}

func (s *Service) picture(ctx context.Context, u *url.URL, width int) (*Picture, error) {
	key := keyOf(u, width)
	if p, ok := s.cache.open(key, s.clock.Now()); ok {
		return p, nil
	}
	return s.flights.open(ctx, key, func(ctx context.Context) (string, error) {
		if width > 0 {
			return s.narrow(ctx, key, u, width)
		}
		return s.bring(ctx, key, u)
	})
}

// keyOf names what is kept: the same host in another case is the same.
func keyOf(u *url.URL, width int) string {
	sum := sha256.Sum256([]byte(strconv.Itoa(width) + " " + u.String()))
	return hex.EncodeToString(sum[:])
}

// bring fetches an image into the cache.
func (s *Service) bring(ctx context.Context, key string, u *url.URL) (path string, err error) {
	leave, err := enter(ctx, s.fetches)
	if err != nil {
		return "", err
	}
	defer leave()
	return s.land(key, func(file *os.File) (Entry, error) { return s.fetch(ctx, u, file) })
}

// narrow makes a smaller picture of one that may have to be fetched first.
func (s *Service) narrow(ctx context.Context, key string, u *url.URL, width int) (path string, err error) {
	original, err := s.picture(ctx, u, 0)
	if err != nil {
		return "", err
	}
	defer func() { _ = original.Close() }() // only read
	leave, err := enter(ctx, s.shrinking)
	if err != nil {
		return "", err
	}
	defer leave()
	return s.land(key, func(file *os.File) (Entry, error) { return shrink(ctx, file, original, width) })
}

// enter waits for a place, until patience ends.
func enter(ctx context.Context, places chan struct{}) (leave func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case places <- struct{}{}:
		return func() { <-places }, nil
	case <-ctx.Done():
		return nil, crowded(ctx)
	}
}

// crowded is what becomes of a wait for others' pictures to be done: the other
// host is not to blame.
func crowded(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return domain.ServiceUnavailable
	}
	return ctx.Err()
}

// land lets write fill a file and gives its path. What may be kept is in the
// cache then, too.
func (s *Service) land(key string, write func(*os.File) (Entry, error)) (path string, err error) {
	file, err := s.cache.create()
	if err != nil {
		return "", fmt.Errorf("imageproxy.land: %w", err)
	}
	defer func() {
		if err = errors.Join(err, file.Close()); err != nil || path == "" { // or write panics
			_ = os.Remove(file.Name()) // nobody waits for it
		}
	}()
	entry, err := write(file)
	if err != nil {
		return "", err
	}
	if err := label(file, entry); err != nil {
		return "", fmt.Errorf("imageproxy.land: %w", err)
	}
	if !entry.Private {
		err = s.cache.keep(file.Name(), key)
	}
	return file.Name(), err
}
