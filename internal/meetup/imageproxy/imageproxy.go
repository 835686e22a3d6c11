// Package imageproxy fetches images from other hosts, so that those hosts learn
// nothing about clients. It returns raster images only (specification §4.1, contract
// §11). It never connects to a private address, even if DNS or a redirect leads there.
package imageproxy

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/outbound"
)

// Limits of one fetch (contract §11).
const (
	maxRedirects = 3
	deadline     = 10 * time.Second
)

// Limits of the whole proxy.
const (
	maxFetches = 16              // concurrent fetches
	maxWaiting = 128             // requests that wait for an image, half of it for one site or caller; further requests get 503
	permitWait = 5 * time.Second // maximum wait for a free permit
)

// Picture is an image on disk. The caller must close it.
type Picture struct {
	Entry
	*os.File // at the first byte of the image
}

// Entry describes a stored image.
type Entry struct {
	Type    string    `json:"type"`              // media type, detected from the bytes
	ETag    string    `json:"etag"`              // of the bytes
	Fresh   time.Time `json:"fresh"`             // when the copy expires
	Private bool      `json:"private,omitempty"` // not cacheable
}

// image returns a reader of the image.
func (p *Picture) image() *io.SectionReader {
	info, err := p.Stat()
	if err != nil {
		return io.NewSectionReader(p.File, headerSize, 0)
	}
	return io.NewSectionReader(p.File, headerSize, info.Size()-headerSize)
}

// Options configure the proxy.
type Options struct {
	Clock   domain.Clock
	Dir     string   // of the cache
	Bytes   int64    // maximum size of the cache
	Own     []string // hosts of the service itself; never fetched
	Network outbound.Network
}

// Service fetches and caches images.
type Service struct {
	clock    domain.Clock
	own      []string
	client   *http.Client
	cache    *cache
	flights  flights
	fetches  queue
	decoders decoders
	decoding queue // of decoders
}

// New returns a proxy. Its cache contains the files of an earlier run.
func New(o Options) (*Service, error) {
	s := &Service{clock: o.Clock, own: o.Own, fetches: queue{of: &fetchPermits{by: shares{}}}}
	s.decoding.of = &s.decoders
	s.client = newClient(o.Network, s.checkURL)
	var err error
	s.cache, err = openCache(o.Dir, o.Bytes)
	return s, err
}

// Close removes incomplete files. The next run has the cached images.
func (s *Service) Close() error { return s.cache.incoming.Close() }

// Get returns the image at a URL, at most width pixels wide unless width is 0
// (specification §4.1). caller identifies the client. It returns the domain error
//
//   - InvalidRequest for a URL that the proxy does not fetch,
//   - PayloadTooLarge over 10 MiB or 40 megapixels,
//   - UnsupportedMedia if it is not a raster image,
//   - ImageUnavailable if the other host fails,
//   - ServiceUnavailable if too many requests wait.
func (s *Service) Get(ctx context.Context, rawURL string, width int, caller string) (*Picture, error) {
	u, err := s.checkURL(rawURL)
	if err != nil {
		return nil, err
	}
	return s.picture(ctx, u, width, sourceOf(u, caller))
}

// checkURL parses a URL and rejects those that the proxy does not fetch.
func (s *Service) checkURL(rawURL string) (*url.URL, error) {
	u, err := outbound.ParseForeignURL(rawURL, s.own)
	if err != nil {
		return nil, domain.Invalid("?url", err.Error())
	}
	return u, nil
}

func (s *Service) picture(ctx context.Context, u *url.URL, width int, who source) (*Picture, error) {
	key := keyOf(u, width)
	if p, ok := s.cache.open(key, s.clock.Now()); ok {
		return p, nil
	}
	return s.flights.open(ctx, key, who, func(ctx context.Context) (string, error) {
		if width > 0 {
			return s.resizeToFile(ctx, key, u, width, who)
		}
		return s.fetchToFile(ctx, key, u, who)
	})
}

// keyOf returns the cache key of a parsed URL and a width.
func keyOf(u *url.URL, width int) string {
	sum := sha256.Sum256([]byte(strconv.Itoa(width) + " " + u.String()))
	return hex.EncodeToString(sum[:])
}

// fetchToFile fetches an image into a file and the cache.
func (s *Service) fetchToFile(ctx context.Context, key string, u *url.URL, who source) (path string, err error) {
	release, err := s.fetches.acquire(ctx, &task{source: who})
	if err != nil {
		return "", err
	}
	defer release()
	return s.store(key, func(file *os.File) (Entry, error) { return s.fetch(ctx, u, file) })
}

// resizeToFile resizes an image, which it fetches first if necessary.
func (s *Service) resizeToFile(ctx context.Context, key string, u *url.URL, width int, who source) (path string, err error) {
	original, err := s.picture(ctx, u, 0, who)
	if err != nil {
		return "", err
	}
	defer func() { _ = original.Close() }() // was only read
	return s.store(key, func(file *os.File) (Entry, error) { return s.resize(ctx, file, original, width, who) })
}

// store calls write to fill a file and returns its path. It adds the file to the cache
// if the entry allows it.
func (s *Service) store(key string, write func(*os.File) (Entry, error)) (path string, err error) {
	file, err := s.cache.create()
	if err != nil {
		return "", fmt.Errorf("imageproxy.store: %w", err)
	}
	defer func() {
		if err = errors.Join(err, file.Close()); err != nil || path == "" { // path is empty after a panic of write
			_ = os.Remove(file.Name()) // no request uses it
		}
	}()
	entry, err := write(file)
	if err != nil {
		return "", err
	}
	if err := writeEntry(file, entry); err != nil {
		return "", fmt.Errorf("imageproxy.store: %w", err)
	}
	if !entry.Private {
		err = s.cache.add(file.Name(), key)
	}
	return file.Name(), err
}
