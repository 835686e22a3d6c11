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

	"moothall/internal/platform/db"
)

// maxPart is the size from which the rows of a table go on in another part. A part is
// built in memory.
const maxPart = 1 << 20

// The names of the parts of an archive.
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
	compressed, err := zstd.NewWriter(to, zstd.WithEncoderConcurrency(1)) // leaves the other cores to the service
	if err != nil {
		return nil, err
	}
	a := &archive{compressed: compressed, tar: tar.NewWriter(compressed), createdAt: m.CreatedAt, tables: map[string]Digest{}, pictures: newDigester()}
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

// close writes the end.
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
	columns []db.Column
	rows    digester
	part    bytes.Buffer
	parts   int
}

func (a *archive) table(name string, columns []db.Column) *tableWriter {
	return &tableWriter{archive: a, name: name, columns: columns, rows: newDigester()}
}

func (w *tableWriter) row(values []any) error {
	begin := w.part.Len()
	if err := encodeRow(&w.part, values); err != nil {
		return err
	}
	w.rows.add(w.part.Bytes()[begin:])
	if w.part.Len() < maxPart {
		return nil
	}
	return w.flush()
}

func (w *tableWriter) flush() error {
	w.parts++
	err := w.archive.add(fmt.Sprintf("%s%s/%06d", tablesFolder, w.name, w.parts), w.part.Bytes())
	w.part.Reset()
	return err
}

func (w *tableWriter) close() error {
	w.archive.tables[w.name] = w.rows.digest()
	if w.part.Len() == 0 {
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
