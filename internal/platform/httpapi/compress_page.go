package httpapi

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"sync"

	"github.com/klauspost/compress/flate"
)

// pageCompressor compresses pages, each of which contains one of a few fragments, such as style sheets. It compresses the fragments
// only once, as blocks of a gzip stream (RFC 1952) that need nothing before them.
type pageCompressor struct {
	fragments []fragment // one that contains another comes first
	writers   sync.Pool  // of *flate.Writer; each uses several hundred KB of memory
}

type fragment struct{ text, blocks []byte }

func newPageCompressor(fragments []string) *pageCompressor {
	c := &pageCompressor{}
	c.writers.New = func() any {
		w, _ := flate.NewWriter(nil, flate.BestSpeed) // the level is valid
		return w
	}
	for _, text := range fragments {
		var blocks bytes.Buffer
		w, _ := flate.NewWriter(&blocks, flate.BestCompression) // the level is valid
		writeBlocks(w, []byte(text))
		c.fragments = append(c.fragments, fragment{[]byte(text), blocks.Bytes()})
	}
	return c
}

// gzipHeader is the header of a gzip stream without a name or time.
var gzipHeader = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}

// compress returns the compressed form of a page, which may lack the fragments.
func (c *pageCompressor) compress(page []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(page) / 3)
	b.Write(gzipHeader)
	w := c.writers.Get().(*flate.Writer)
	defer c.writers.Put(w)
	w.Reset(&b)
	rest := page
	for _, f := range c.fragments {
		if before, after, found := bytes.Cut(page, f.text); found {
			writeBlocks(w, before)
			b.Write(f.blocks)
			w.Reset(&b)
			rest = after
			break
		}
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
