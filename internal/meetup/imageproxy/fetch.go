package imageproxy

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/observe"
	"moothall/internal/platform/outbound"
	"moothall/internal/platform/picture"
)

// fetch downloads the image at u into file.
func (s *Service) fetch(ctx context.Context, u *url.URL, file *os.File) (Entry, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return Entry{}, upstream(err)
	}
	request.Header.Set("Accept", "image/avif,image/webp,image/png,image/jpeg,image/gif")
	request.Header.Set("Accept-Encoding", "identity")
	request.Header.Set("User-Agent", "Moothall image proxy")
	response, err := s.client.Do(request)
	if err != nil {
		return Entry{}, upstream(err)
	}
	defer func() { _ = response.Body.Close() }() // was read
	encoding := response.Header.Get("Content-Encoding")
	if response.StatusCode != http.StatusOK || encoding != "" && encoding != "identity" {
		return Entry{}, upstream(fmt.Errorf("status %d, encoding %q", response.StatusCode, encoding))
	}
	tag, err := save(file, response)
	if err != nil {
		return Entry{}, err
	}
	if ctx.Err() != nil { // a canceled download may look complete
		return Entry{}, upstream(ctx.Err())
	}
	i, err := picture.Inspect((&Picture{File: file}).image())
	if err != nil {
		return Entry{}, err
	}
	lifetime, private := lifetimeOf(response.Header.Values("Cache-Control"))
	return Entry{Type: i.MediaType, ETag: tag, Fresh: s.clock.Now().Add(lifetime), Private: private}, nil
}

// save writes the body and returns its ETag.
func save(file *os.File, response *http.Response) (string, error) {
	if response.ContentLength > picture.MaxBytes {
		return "", domain.PayloadTooLarge
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(file, sum), io.LimitReader(response.Body, picture.MaxBytes+1))
	_, isLocal := errors.AsType[*fs.PathError](err) // such as a full disk
	switch {
	case isLocal:
		return "", err
	case err != nil:
		return "", upstream(err)
	case n > picture.MaxBytes:
		return "", domain.PayloadTooLarge
	}
	return etag(sum.Sum(nil)), nil
}

func etag(sum []byte) string { return `"` + hex.EncodeToString(sum[:16]) + `"` }

// upstream returns an error of the other host. It omits the URL, which may be personal
// data.
func upstream(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	return fmt.Errorf("%w: %w", domain.ImageUnavailable, err)
}

// Lifetimes of a cached copy.
const (
	minLifetime     = time.Minute
	defaultLifetime = 24 * time.Hour
	maxLifetime     = 7 * 24 * time.Hour
)

// lifetimeOf parses Cache-Control. It returns the lifetime of the copy, or private when
// a shared cache must not store it. s-maxage takes precedence over max-age.
func lifetimeOf(control []string) (lifetime time.Duration, private bool) {
	lifetime = defaultLifetime
	var noCache, hasShared bool // hasShared: there was an s-maxage
	for directive := range strings.SplitSeq(strings.ToLower(strings.Join(control, ",")), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(directive), "=")
		switch name {
		case "private", "no-store":
			return 0, true
		case "no-cache":
			noCache = true
		case "max-age", "s-maxage":
			seconds, err := strconv.ParseInt(strings.Trim(value, `"`), 10, 32)
			if err == nil && !(hasShared && name == "max-age") {
				lifetime, hasShared = time.Duration(seconds)*time.Second, name == "s-maxage"
			}
		}
	}
	if noCache {
		lifetime = minLifetime
	}
	return max(minLifetime, min(lifetime, maxLifetime)), false
}

// headerTimeout limits the wait for a response.
const headerTimeout = 8 * time.Second

// newClient returns a client that reveals nothing about users: no cookies, no referrer, no
// connection reuse. It follows redirects only to URLs that check accepts.
func newClient(n outbound.Network, check func(rawURL string) (*url.URL, error)) *http.Client {
	transport := n.Transport()
	transport.ResponseHeaderTimeout, transport.DisableKeepAlives = headerTimeout, true
	return &http.Client{
		Transport:     observe.Transport("image", "", transport),
		CheckRedirect: outbound.Follow(maxRedirects, check),
	}
}
