package mapfetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"moothall/internal/platform/pmtiles"
)

const (
	attempts       = 5               // at each range
	requestTimeout = 2 * time.Minute // of one range
	maxRedirects   = 5
)

// errChanged is the error of a source that is no longer what it was at the beginning.
var errChanged = errors.New("the source has changed: run the command again")

// source is the archive that tiles come from: a file, or one on a web server.
type source struct {
	address  string
	file     *os.File // nil: on a web server
	client   *http.Client
	pause    time.Duration
	header   pmtiles.Header
	first    []byte // of the archive
	size     uint64
	identity string // of this version of the archive

	bytes atomic.Uint64
}

// fetched returns how many bytes came from the source.
func (s *source) fetched() uint64 { return s.bytes.Load() }

func (s *source) close() {
	if s.file != nil {
		_ = s.file.Close() // nothing was written
	}
}

// openSource reads the header of the archive.
func openSource(ctx context.Context, address string, pause time.Duration) (*source, error) {
	s := &source{address: address, pause: pause}
	var err error
	if strings.Contains(address, "://") {
		err = s.connect()
	} else {
		err = s.openFile()
	}
	if err == nil {
		s.first, err = s.read(ctx, 0, min(pmtiles.FirstBytes, max(s.size, 1)))
	}
	if err == nil {
		s.header, err = pmtiles.ParseHeader(s.first, s.size)
	}
	if err == nil && s.header.MaxZoom < MinZoom {
		err = fmt.Errorf("it has no streets, only zoom 0 to %d", s.header.MaxZoom)
	}
	if err != nil {
		s.close()
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	return s, nil
}

func (s *source) openFile() error {
	file, err := os.Open(s.address)
	if err != nil {
		return err
	}
	s.file = file
	info, err := file.Stat()
	if err != nil {
		return err
	}
	s.size, s.identity = uint64(info.Size()), fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
	return nil
}

func (s *source) connect() error {
	u, err := url.Parse(s.address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return errors.New("must be a path, or an http or https URL")
	}
	s.size = pmtiles.FirstBytes // until the first response says it
	s.client = &http.Client{
		Timeout: requestTimeout,
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DisableCompression: true, ForceAttemptHTTP2: true,
			DialContext:         (&net.Dialer{Timeout: 15 * time.Second}).DialContext,
			TLSHandshakeTimeout: 15 * time.Second, ResponseHeaderTimeout: time.Minute, MaxIdleConnsPerHost: parallel,
		},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if r.URL.Scheme != u.Scheme || len(via) > maxRedirects {
				return fmt.Errorf("it redirects to %s://%s, which is not followed", r.URL.Scheme, r.URL.Host)
			}
			return nil
		},
	}
	return nil
}

// read returns a range of the archive. It requests a range that failed again, a few times.
func (s *source) read(ctx context.Context, offset, length uint64) (data []byte, err error) {
	if s.file != nil {
		data = make([]byte, length)
		n, err := s.file.ReadAt(data, int64(offset))
		if errors.Is(err, io.EOF) && offset == 0 && n > 0 {
			err = nil
		}
		s.bytes.Add(uint64(n))
		return data[:n], err
	}
	pause := s.pause
	for attempt := 1; ; attempt++ {
		data, err = s.request(ctx, offset, length)
		final := errors.As(err, new(refusedError)) || errors.Is(err, errChanged) || attempt == attempts
		if err == nil || final || ctx.Err() != nil {
			return data, err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		pause *= 2
	}
}

// refusedError is a response that another request does not change.
type refusedError struct{ error }

func (s *source) request(ctx context.Context, offset, length uint64) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.address, http.NoBody)
	if err != nil {
		return nil, refusedError{err}
	}
	r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", offset, offset+length-1))
	r.Header.Set("Accept-Encoding", "identity")
	r.Header.Set("User-Agent", "moothall-map-fetch")
	response, err := s.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }() // all that is needed was read
	switch {
	case response.StatusCode == http.StatusOK:
		return nil, refusedError{errors.New("the server does not support range requests")}
	case response.StatusCode == http.StatusTooManyRequests || response.StatusCode >= 500:
		return nil, errors.New(response.Status)
	case response.StatusCode != http.StatusPartialContent:
		return nil, refusedError{errors.New(response.Status)}
	}
	if length, err = s.checkRange(response.Header, offset, length); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, int64(length)+1))
	s.bytes.Add(uint64(len(data)))
	if err == nil && uint64(len(data)) != length {
		err = fmt.Errorf("%d bytes instead of %d", len(data), length)
	}
	return data, err
}

// checkRange compares a response with its request, and with the first response. It returns the length of the body: only the first
// request may reach over the end of the archive.
func (s *source) checkRange(h http.Header, offset, length uint64) (uint64, error) {
	var first, last, size uint64
	if n, _ := fmt.Sscanf(h.Get("Content-Range"), "bytes %d-%d/%d", &first, &last, &size); n != 3 || first != offset || last < first {
		return 0, fmt.Errorf("its Content-Range is %q", h.Get("Content-Range"))
	}
	if h.Get("Content-Encoding") != "" {
		return 0, refusedError{errors.New("the server compresses the archive")}
	}
	identity := fmt.Sprintf("%d %s", size, h.Get("ETag"))
	if h.Get("ETag") == "" {
		identity += h.Get("Last-Modified")
	}
	if s.identity == "" { // the first response
		s.identity, s.size = identity, size
		length = min(length, size)
	}
	switch {
	case identity != s.identity:
		return 0, errChanged
	case last-first+1 != length:
		return 0, fmt.Errorf("it sends %d bytes instead of %d", last-first+1, length)
	}
	return length, nil
}
