package httpapi

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"sync"

	"github.com/klauspost/compress/flate"
)

// pageCompressor compresses pages that contain the same fragment, such as the style sheet. It compresses the fragment
// only once, as blocks of a gzip stream (RFC 1952) that need nothing before them.
type pageCompressor struct {
	fragment []byte
	blocks   []byte    // the compressed fragment
	writers  sync.Pool // of *flate.Writer; each uses a megabyte of memory
}

func newPageCompressor(fragment string) *pageCompressor {
	c := &pageCompressor{fragment: []byte(fragment)}
	c.writers.New = func() any {
		w, _ := flate.NewWriter(nil, flate.DefaultCompression) // the level is valid
		return w
	}
	var blocks bytes.Buffer
	w, _ := flate.NewWriter(&blocks, flate.BestCompression) // the level is valid
	writeBlocks(w, c.fragment)
	c.blocks = blocks.Bytes()
	return c
}

// gzipHeader is the header of a gzip stream without a name or time.
var gzipHeader = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}

// compress returns the compressed form of a page, which may lack the fragment. It compresses well rather than fast, for slow networks.
func (c *pageCompressor) compress(page []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(page) / 3)
	b.Write(gzipHeader)
	w := c.writers.Get().(*flate.Writer)
	defer c.writers.Put(w)
	w.Reset(&b)
	before, rest, found := bytes.Cut(page, c.fragment)
	if found && len(c.fragment) > 0 {
		writeBlocks(w, before)
		b.Write(c.blocks)
		w.Reset(&b)
	} else {
		rest = page
	}
	_, _ = w.Write(rest) // a buffer does not fail
	_ = w.Close()
	end := binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(page))
	b.Write(binary.LittleEndian.AppendUint32(end, uint32(len(page))))
	return b.Bytes()
}

// writeBlocks compresses data and ends at a whole byte, where the next blocks can follow.
func writeBlocks(w *flate.Writer, data []byte) {
	_, _ = w.Write(data) // a buffer does not fail
	_ = w.Flush()
}
