package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/klauspost/compress/zstd"

	"moothall/internal/platform/db/migrate"
)

// ErrDamaged means that a file is not a complete backup: it is truncated or was changed.
var ErrDamaged = errors.New("the backup is damaged")

// ErrNotBackup means that a file is something else than a backup.
var ErrNotBackup = errors.New("the file is not a backup of Moothall: check its name")

// target receives the contents of a backup, in the order of the file.
type target interface {
	begin(context.Context, Manifest) error
	key(ctx context.Context, name string, data []byte) error
	// table must read all rows. The last pair may be an error: then the target must discard all rows.
	table(ctx context.Context, t Table, rows iter.Seq2[[]any, error]) error
	picture(ctx context.Context, key string, data []byte) error
}

// Verify reads a whole unencrypted backup and returns its description. It returns ErrDamaged if
// something is missing, or does not match the checksums, and ErrNotBackup if the file is something else.
func Verify(ctx context.Context, from io.Reader, progress io.Writer) (Manifest, Contents, error) {
	return read(ctx, from, discard{}, progress)
}

// discard is a target that stores nothing.
type discard struct{}

func (discard) begin(context.Context, Manifest) error         { return nil }
func (discard) key(context.Context, string, []byte) error     { return nil }
func (discard) picture(context.Context, string, []byte) error { return nil }
func (discard) table(_ context.Context, _ Table, rows iter.Seq2[[]any, error]) error {
	for _, err := range rows {
		if err != nil {
			return err
		}
	}
	return nil
}

// Check reads the description of an unencrypted backup, and returns a reader of the whole backup. It returns an error if
// this program cannot restore it: as Verify does, or because a newer version has written it.
func Check(from io.Reader) (io.Reader, error) {
	var begin bytes.Buffer
	decompressed, err := decompress(io.TeeReader(from, &begin))
	if err != nil {
		return nil, err
	}
	defer decompressed.Close()
	r := &reader{tar: tar.NewReader(decompressed)}
	if err := r.readManifest(); err != nil {
		return nil, err
	}
	if err := migrate.Check(r.manifest.Migrations); err != nil {
		return nil, err
	}
	return io.MultiReader(&begin, from), nil
}

// zstdMagic is the beginning of every file that zstd has compressed.
const zstdMagic = "\x28\xb5\x2f\xfd"

func decompress(from io.Reader) (*zstd.Decoder, error) {
	var begin [len(zstdMagic)]byte
	n, err := io.ReadFull(from, begin[:])
	switch {
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, damaged(err)
	case string(begin[:n]) != zstdMagic:
		return nil, ErrNotBackup
	}
	from = io.MultiReader(bytes.NewReader(begin[:]), from)
	decompressed, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxWindow))
	if err != nil {
		return nil, damaged(err)
	}
	return decompressed, nil
}

func read(ctx context.Context, from io.Reader, to target, progress io.Writer) (Manifest, Contents, error) {
	decompressed, err := decompress(from)
	if err != nil {
		return Manifest{}, Contents{}, err
	}
	defer decompressed.Close()
	r := &reader{tar: tar.NewReader(decompressed), to: to, tables: map[string]Digest{}, pictures: newDigester()}
	end, err := r.read(ctx, progress)
	switch {
	case err == nil:
		err = expectEnd(decompressed)
	case errors.Is(err, ErrNotBackup): // or a backup whose first bytes were changed: its checksum tells
		if _, wrong := io.Copy(io.Discard, decompressed); wrong != nil {
			err = damaged(wrong)
		}
	}
	return r.manifest, end, err
}

// expectEnd returns an error if anything follows the archive.
func expectEnd(from io.Reader) error {
	switch n, err := io.CopyN(io.Discard, from, 1); {
	case n > 0:
		return damaged(errors.New("something follows the archive"))
	case !errors.Is(err, io.EOF):
		return damaged(err)
	}
	return nil
}

// maxWindow and maxKeys limit the memory that a hostile file can make the reader use.
const (
	maxWindow = 64 << 20
	maxKeys   = 100
)

// reader reads a backup.
type reader struct {
	tar      *tar.Reader
	to       target
	manifest Manifest
	entry    *tar.Header // the current one

	tables   map[string]Digest
	keys     []string
	pictures digester
}

// read reads the entries in their order.
func (r *reader) read(ctx context.Context, progress io.Writer) (end Contents, err error) {
	if err := r.readManifest(); err != nil {
		return end, err
	}
	if err := r.to.begin(ctx, r.manifest); err != nil {
		return end, err
	}
	p := newProgress(progress, r.manifest)
	if err := r.readKeys(ctx); err != nil {
		return end, err
	}
	for _, t := range r.manifest.Tables {
		if err := r.readTable(ctx, t, p); err != nil {
			return end, fmt.Errorf("table %s: %w", t.Name, err)
		}
	}
	if err := r.readPictures(ctx, p); err != nil {
		return end, err
	}
	if err := r.json(endName, &end); err != nil {
		return end, err
	}
	return end, r.compare(end)
}

// readManifest reads the first entry.
func (r *reader) readManifest() error {
	err := r.next()
	if _, found := r.nameIn(manifestName); errors.Is(err, tar.ErrHeader) || err == nil && !found {
		return ErrNotBackup // something else is compressed
	}
	if err != nil {
		return err
	}
	if err := r.json(manifestName, &r.manifest); err != nil {
		return err
	}
	if r.manifest.Format < 1 || r.manifest.Format > Format {
		return fmt.Errorf("the backup has format %d, this program reads 1 to %d: use the version that wrote it, %s", r.manifest.Format, Format,
			r.manifest.Program)
	}
	return nil
}

// next moves to the next entry, or to none at the end of the archive.
func (r *reader) next() (err error) {
	r.entry, err = r.tar.Next()
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return damaged(err)
	case !fs.ValidPath(r.entry.Name): // it would leave the folder
		return damaged(fmt.Errorf("the name %q", r.entry.Name))
	case r.entry.Typeflag != tar.TypeReg:
		return damaged(fmt.Errorf("%s is not a file", r.entry.Name))
	case r.entry.Size > maxEntry:
		return damaged(fmt.Errorf("%s is too large", r.entry.Name))
	}
	return nil
}

// damaged returns ErrDamaged with its reason, unless the file cannot be read at all.
func damaged(err error) error {
	if _, unreadable := errors.AsType[*fs.PathError](err); unreadable {
		return err
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

// nameIn returns the name of the current entry without folder. ok is false if the entry is not in the folder.
func (r *reader) nameIn(folder string) (name string, ok bool) {
	if r.entry == nil {
		return "", false
	}
	return strings.CutPrefix(r.entry.Name, folder)
}

// data returns the current entry and moves to the next one.
func (r *reader) data() ([]byte, error) {
	data, err := io.ReadAll(r.tar)
	if err != nil {
		return nil, damaged(err)
	}
	return data, r.next()
}

// json reads the current entry, which must have the name, into value.
func (r *reader) json(name string, value any) error {
	if rest, ok := r.nameIn(name); !ok || rest != "" {
		return damaged(fmt.Errorf("%s is missing", name))
	}
	data, err := r.data()
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, value); err != nil {
		return damaged(fmt.Errorf("%s: %w", name, err))
	}
	return nil
}

func (r *reader) readKeys(ctx context.Context) error {
	for name, ok := r.nameIn(keysFolder); ok; name, ok = r.nameIn(keysFolder) {
		data, err := r.data()
		if err == nil {
			if r.keys = append(r.keys, name); len(r.keys) > maxKeys {
				return damaged(errors.New("too many keys"))
			}
			err = r.to.key(ctx, name, data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) readPictures(ctx context.Context, p *progress) error {
	for key, ok := r.nameIn(picturesFolder); ok; key, ok = r.nameIn(picturesFolder) {
		data, err := r.data()
		if err == nil {
			r.pictures.add(data)
			p.picture()
			err = r.to.picture(ctx, key, data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) readTable(ctx context.Context, t Table, p *progress) error {
	digest := newDigester()
	rows := func(yield func([]any, error) bool) {
		for _, ok := r.nameIn(tablesFolder + t.Name + "/"); ok; _, ok = r.nameIn(tablesFolder + t.Name + "/") {
			chunk := rowDecoder{jsontext.NewDecoder(io.TeeReader(r.tar, digest.hash)), t.Columns}
			for row, err := chunk.next(); !errors.Is(err, io.EOF); row, err = chunk.next() {
				if err != nil {
					yield(nil, damaged(err))
					return
				}
				digest.count++
				p.row(t.Name)
				if !yield(row, nil) {
					return
				}
			}
			if err := r.next(); err != nil {
				yield(nil, err)
				return
			}
		}
		if digest.count != t.Rows {
			yield(nil, damaged(fmt.Errorf("%d of %d rows", digest.count, t.Rows)))
		}
	}
	err := r.to.table(ctx, t, rows)
	r.tables[t.Name] = digest.digest()
	return err
}

// compare compares the entries that were read with the description at the end.
func (r *reader) compare(end Contents) error {
	if r.entry != nil {
		return damaged(fmt.Errorf("unexpected %s", r.entry.Name))
	}
	for name, written := range end.Tables {
		if r.tables[name] != written {
			return damaged(fmt.Errorf("table %s differs", name))
		}
	}
	if !maps.Equal(r.tables, end.Tables) || !slices.Equal(r.keys, end.Keys) || r.pictures.digest() != end.Pictures {
		return damaged(errors.New("keys, tables or pictures are missing"))
	}
	return nil
}
