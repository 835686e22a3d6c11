// Package mapfetch fetches the streets of an area from a large PMTiles archive, such as one of the whole world, and stores them
// in an archive of their own. It reads only the byte ranges that it needs, continues after an interruption, and checks every
// tile.
package mapfetch

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"moothall/internal/platform/files"
	"moothall/internal/platform/pmtiles"
)

// MinZoom is the smallest zoom of the tiles that are fetched. Maps show the embedded world below it.
const MinZoom = 7

// MaxZoom is the largest zoom of the usual archives.
const MaxZoom = 15

// Request says what to fetch.
type Request struct {
	Source  string // URL or path of the archive
	Boxes   []pmtiles.Box
	MaxZoom uint8  // at least MinZoom
	Output  string // path of the new archive, which replaces the one there

	MaxBytes uint64                            // of the new archive
	Free     func(path string) (uint64, error) `json:"-"` // nil: the free bytes of the file system
	Pause    time.Duration                     // before a range that failed is requested again; it doubles each time
	Progress io.Writer                         `json:"-"`
}

// Result describes the new archive.
type Result struct {
	Tiles   uint64
	Bytes   uint64 // of the archive
	Fetched uint64 // by this run
}

// Fetch stores the archive. Until it is complete, the file beside Output with the ending .part has what was fetched, and
// .part.log says which ranges these are: the next Fetch of the same area continues there.
func Fetch(ctx context.Context, r Request) (Result, error) {
	if r.Free == nil {
		r.Free = files.FreeBytes
	}
	if err := files.MkdirAll(filepath.Dir(r.Output), 0o750); err != nil {
		return Result{}, err
	}
	part := r.Output + ".part"
	lock := flock.New(part)
	if locked, err := lock.TryLock(); err != nil || !locked {
		return Result{}, errors.Join(fmt.Errorf("another process fetches %s", r.Output), err)
	}
	defer func() { _ = lock.Close() }() // the process holds nothing else
	src, err := openSource(ctx, r.Source, r.Pause)
	if err != nil {
		return Result{}, err
	}
	defer src.close()
	log, err := openJournal(part+".log", r.Source, r.identity(src), r.Progress)
	if err != nil {
		return Result{}, err
	}
	defer log.close()
	p, err := newPlan(ctx, r, &directories{source: src, log: log})
	if err != nil {
		return Result{}, err
	}
	if err := r.checkSpace(part, p.size()); err != nil {
		return Result{}, err
	}
	file, err := os.OpenFile(part, os.O_RDWR, 0) //nolint:gosec // the operator names the file; the lock has created it
	if err != nil {
		return Result{}, err
	}
	d := &download{plan: p, source: src, log: log, file: file}
	if err := errors.Join(d.run(ctx, r.Progress), file.Close()); err != nil {
		return Result{}, err
	}
	return Result{p.header.Addressed, p.size(), src.fetched()}, r.publish(part, log)
}

// identity says of what archive and area a journal is.
func (r Request) identity(src *source) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%v %d", r.Boxes, r.MaxZoom))
	return fmt.Sprintf("%s %s %x", r.Source, src.identity, sum[:8])
}

// publish gives the complete file its name. Readers see the archive before or the new one, never a part.
func (r Request) publish(part string, log *journal) error {
	if err := os.Chmod(part, 0o644); err != nil { //nolint:gosec // a public map; the service may run as another user
		return err
	}
	if err := os.Rename(part, r.Output); err != nil {
		return err
	}
	return errors.Join(log.remove(), files.FlushFolder(filepath.Dir(r.Output)))
}

// checkSpace refuses an archive that is too large before it is fetched. What an earlier run has fetched is on the disk already.
func (r Request) checkSpace(part string, size uint64) error {
	if size > r.MaxBytes {
		return fmt.Errorf("the map would have %s, more than the limit of %s: choose a smaller area or --maxzoom, or a larger --max-size",
			megabytes(size), megabytes(r.MaxBytes))
	}
	free, err := r.Free(filepath.Dir(part))
	if err != nil {
		return err
	}
	const reserve = 256 << 20
	if need := size + reserve; free+allocated(part) < need {
		return fmt.Errorf("%s needs %s, but only %s are free: free space, or choose a smaller area, --maxzoom or another --output",
			r.Output, megabytes(need), megabytes(free))
	}
	return nil
}

func megabytes(n uint64) string { return fmt.Sprintf("%d MB", (n+1<<20-1)>>20) }
