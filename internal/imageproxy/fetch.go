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
)

// fetch writes the image at u into file.
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
	defer func() { _ = response.Body.Close() }() // what counts was read
	encoding := response.Header.Get("Content-Encoding")
	if response.StatusCode != http.StatusOK || encoding != "" && encoding != "identity" {
		return Entry{}, upstream(fmt.Errorf("status %d, encoding %q", response.StatusCode, encoding))
	}
	tag, err := save(file, response)
	if err != nil {
		return Entry{}, err
	}
	if ctx.Err() != nil { // some hosts end in good order what we have broken off
		return Entry{}, upstream(ctx.Err())
	}
	shape, err := inspect(file)
	if err != nil {
		return Entry{}, err
	}
	life, private := lifetime(response.Header.Values("Cache-Control"))
	return Entry{Type: shape.mediaType, ETag: tag, Fresh: s.clock.Now().Add(life), Private: private}, nil
}

// save writes the body and gives its ETag.
func save(file *os.File, response *http.Response) (string, error) {
	if response.ContentLength > maxBytes {
		return "", domain.PayloadTooLarge
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(file, sum), io.LimitReader(response.Body, maxBytes+1))
	_, ours := errors.AsType[*fs.PathError](err) // no room on the disk
	switch {
	case ours:
		return "", err
	case err != nil:
		return "", upstream(err)
	case n > maxBytes:
		return "", domain.PayloadTooLarge
	}
	return etag(sum.Sum(nil)), nil
}

func etag(sum []byte) string { return `"` + hex.EncodeToString(sum[:16]) + `"` }

// upstream refuses because of the other host. The log is told why, but not the
// URL, which may name a person.
func upstream(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	return fmt.Errorf("%w: %w", domain.ImageUnavailable, err)
}

// How long a copy is handed out.
const (
	leastLife = time.Minute
	usualLife = 24 * time.Hour
	mostLife  = 7 * 24 * time.Hour
)

// lifetime reads Cache-Control: how long the copy is good, unless it may not be
// kept for others at all. What is said for shared caches counts first.
func lifetime(control []string) (life time.Duration, private bool) {
	life = usualLife
	var always, forShared bool // to be asked for anew each time; s-maxage was there
	for directive := range strings.SplitSeq(strings.ToLower(strings.Join(control, ",")), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(directive), "=")
		switch name {
		case "private", "no-store":
			return 0, true
		case "no-cache":
			always = true
		case "max-age", "s-maxage":
			seconds, err := strconv.ParseInt(strings.Trim(value, `"`), 10, 32)
			if err == nil && !(forShared && name == "max-age") {
				life, forShared = time.Duration(seconds)*time.Second, name == "s-maxage"
			}
		}
	}
	if always {
		life = leastLife
	}
	return max(leastLife, min(life, mostLife)), false
}
