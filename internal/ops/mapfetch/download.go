package mapfetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"moothall/internal/platform/pmtiles"
)

// parallel is the number of requests at once.
const parallel = 4

// download writes the tiles of a plan into a file.
type download struct {
	plan   *plan
	source *source
	log    *journal
	file   *os.File
	stored atomic.Uint64 // bytes of tiles
}

// run fetches what is missing, then checks every tile. It fetches a damaged one once more.
func (d *download) run(ctx context.Context, progress io.Writer) error {
	if err := d.file.Truncate(int64(d.plan.size())); err != nil {
		return err
	}
	if _, err := d.file.WriteAt(d.plan.head, 0); err != nil {
		return err
	}
	var missing []int
	for i, blobs := range d.plan.requests {
		if d.log.done[i] {
			d.stored.Add(sum(blobs))
		} else {
			missing = append(missing, i)
		}
	}
	stop := d.report(progress)
	err := d.fetch(ctx, missing)
	stop()
	if err != nil {
		return err
	}
	damaged, err := d.damaged(ctx, nil)
	if err != nil || len(damaged) == 0 {
		return errors.Join(err, d.file.Sync())
	}
	_, _ = fmt.Fprintf(progress, "%d damaged tiles: fetching them again\n", len(damaged)) // best effort
	if err := d.repair(ctx, damaged); err != nil {
		return err
	}
	if damaged, err = d.damaged(ctx, damaged); err == nil && len(damaged) > 0 {
		zoom, x, y := pmtiles.Tile(damaged[0].tile)
		err = fmt.Errorf("%d tiles of the source are damaged, such as %d/%d/%d: use another source", len(damaged), zoom, x, y)
	}
	return errors.Join(err, d.file.Sync())
}

func (d *download) fetch(ctx context.Context, missing []int) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	for _, i := range missing {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error {
			if err := d.store(ctx, d.plan.requests[i]); err != nil {
				return err
			}
			if err := d.file.Sync(); err != nil { // before the journal says so
				return err
			}
			return d.log.add(entry{Done: &i})
		})
	}
	return group.Wait()
}

// store fetches and writes the tiles of one request.
func (d *download) store(ctx context.Context, blobs []blob) error {
	first := blobs[0].from
	past := first
	for _, b := range blobs {
		past = max(past, b.from+uint64(b.length))
	}
	data, err := d.source.read(ctx, d.plan.source.Offset+first, past-first)
	if err != nil {
		return err
	}
	for _, b := range blobs {
		tile := data[b.from-first:][:b.length]
		if _, err := d.file.WriteAt(tile, int64(d.plan.header.Tiles.Offset+b.to)); err != nil {
			return err
		}
	}
	d.stored.Add(sum(blobs))
	return nil
}

// repair fetches blobs again, each alone.
func (d *download) repair(ctx context.Context, damaged []blob) error {
	for _, b := range damaged {
		if err := d.store(ctx, []blob{b}); err != nil {
			return err
		}
	}
	return nil
}

// damaged unpacks blobs of the file, all if the list is empty, and returns those that are not what they should be.
func (d *download) damaged(ctx context.Context, blobs []blob) (damaged []blob, err error) {
	if len(blobs) == 0 {
		blobs = slices.Concat(d.plan.requests...)
	}
	for _, b := range blobs {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		data := make([]byte, b.length)
		if _, err := d.file.ReadAt(data, int64(d.plan.header.Tiles.Offset+b.to)); err != nil {
			return nil, err
		}
		tile, err := d.plan.header.UnpackTile(data)
		if err != nil || !pmtiles.IsVectorTile(tile) {
			damaged = append(damaged, b)
		}
	}
	return damaged, nil
}

func sum(blobs []blob) (bytes uint64) {
	for _, b := range blobs {
		bytes += uint64(b.length)
	}
	return bytes
}

const (
	reportEvery = 2 * time.Second
	barWidth    = 30
)

// report prints a bar now and then, until stop is called.
func (d *download) report(to io.Writer) (stop func()) {
	print := func() {
		stored, total := d.stored.Load(), max(d.plan.header.Tiles.Length, 1)
		filled := int(barWidth * stored / total)
		_, _ = fmt.Fprintf(to, "[%s%s] %3d %%  %s of %s\n", strings.Repeat("#", filled), strings.Repeat(".", barWidth-filled), // best effort
			100*stored/total, megabytes(stored), megabytes(total))
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(reportEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				print()
			case <-end:
				print()
				return
			}
		}
	}()
	return func() { close(end); <-ended }
}
