// Package imageproxy fetches images from foreign hosts for clients, so that
// those hosts learn nothing about them, and hands out nothing but raster images
// (specification §4.1, contract §11). It never connects to an address that is
// not public, whatever a name resolves to and wherever a redirect leads.
package imageproxy

import (
	"io"
	"os"
	"time"
)

// Limits of one fetch (contract §11).
const (
	maxBytes     = 10 << 20
	maxPixels    = 40_000_000
	maxRedirects = 3
	maxURL       = 2048 // bytes
	deadline     = 10 * time.Second
)

// Limits of the whole proxy.
const (
	maxFetches = 16              // at a time
	maxWaiting = 64              // requests that wait for a fetch; more are told to come back
	patience   = 5 * time.Second // of those who wait for a place to fetch
)

// Picture is an image on disk. The caller closes it.
type Picture struct {
	Entry
	*os.File // stands on the first byte of the image
}

// Entry is what is known about a stored image.
type Entry struct {
	Type    string    `json:"type"`              // media type, told from the bytes
	ETag    string    `json:"etag"`              // of the bytes
	Fresh   time.Time `json:"fresh"`             // until when it may be handed out again
	Private bool      `json:"private,omitempty"` // not to be kept for others
}

// image reads the image from its beginning.
func (p *Picture) image() io.Reader { return io.NewSectionReader(p.File, headerSize, maxBytes) }
