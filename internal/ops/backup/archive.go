package backup

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"time"

	"github.com/klauspost/compress/zstd"

	"moothall/internal/platform/db/migrate"
)

// maxChunk is the size in bytes after which the rows of a table continue in another entry. A chunk is
// built in memory.
const maxChunk = 1 << 20

// maxEntry is the largest size of an entry in bytes, because entries are read into memory.
const maxEntry = 64 << 20

// The names of the entries of an archive.
const (
	manifestName   = "manifest.json"
	endName        = "end.json"
	keysFolder     = "keys/"
	tablesFolder   = "tables/"
	picturesFolder = "pictures/"
)

// archive writes a backup.
type archive struct {
	compressed *zstd.Encoder
	tar        *tar.Writer
	createdAt  time.Time

	tables   map[string]Digest
	keys     []string
	pictures digester
	missing  int
}

func newArchive(to io.Writer, m Manifest) (*archive, error) {
	compressed, err := zstd.NewWriter(to, zstd.WithEncoderConcurrency(1)) // one core: the others serve requests
	if err != nil {
		return nil, err
	}
	a := &archive{compressed: compressed, tar: tar.NewWriter(compressed), createdAt: m.CreatedAt, tables: map[string]Digest{},
		pictures: newDigester()}
	return a, a.json(manifestName, m)
}

func (a *archive) json(name string, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return a.add(name, append(data, '\n'))
}

func (a *archive) add(name string, data []byte) error {
	if len(data) > maxEntry {
		return fmt.Errorf("%s has %d bytes, at most %d can be restored", name, len(data), maxEntry)
	}
	err := a.tar.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(data)), ModTime: a.createdAt, Format: tar.FormatPAX})
	if err != nil {
		return err
	}
	_, err = a.tar.Write(data)
	return err
}

func (a *archive) key(name string, data []byte) error {
	a.keys = append(a.keys, name)
	return a.add(keysFolder+name, data)
}

func (a *archive) picture(key string, data []byte) error {
	a.pictures.add(data)
	return a.add(picturesFolder+key, data)
}

func (a *archive) contents() Contents {
	return Contents{Tables: a.tables, Keys: a.keys, Pictures: a.pictures.digest(), Missing: a.missing}
}

// close writes end.json and closes the archive.
func (a *archive) close() error {
	if err := a.json(endName, a.contents()); err != nil {
		return err
	}
	if err := a.tar.Close(); err != nil {
		return err
	}
	return a.compressed.Close()
}

// tableWriter writes the rows of a table.
type tableWriter struct {
	archive *archive
	name    string
	columns []migrate.Column
	rows    digester
	chunk   bytes.Buffer
	chunks  int
}

func (a *archive) table(name string, columns []migrate.Column) *tableWriter {
	return &tableWriter{archive: a, name: name, columns: columns, rows: newDigester()}
}

func (w *tableWriter) row(values []any) error {
	begin := w.chunk.Len()
	if err := encodeRow(&w.chunk, values); err != nil {
		return err
	}
	w.rows.add(w.chunk.Bytes()[begin:])
	if w.chunk.Len() < maxChunk {
		return nil
	}
	return w.flush()
}

func (w *tableWriter) flush() error {
	w.chunks++
	err := w.archive.add(fmt.Sprintf("%s%s/%06d", tablesFolder, w.name, w.chunks), w.chunk.Bytes())
	w.chunk.Reset()
	return err
}

func (w *tableWriter) close() error {
	w.archive.tables[w.name] = w.rows.digest()
	if w.chunk.Len() == 0 {
		return nil
	}
	return w.flush()
}

// digester computes a Digest.
type digester struct {
	count int64
	hash  hash.Hash
}

func newDigester() digester { return digester{hash: sha256.New()} }

func (d *digester) add(data []byte) {
	d.count++
	d.hash.Write(data)
}

func (d *digester) digest() Digest { return Digest{d.count, hex.EncodeToString(d.hash.Sum(nil))} }
