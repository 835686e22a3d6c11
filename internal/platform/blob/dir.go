package blob

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"moothall/internal/platform/files"
)

// dir is a Store in a directory. An object is written to a file in incoming, which is then
// renamed.
type dir struct{ root *os.Root }

const (
	incoming       = "incoming"
	abandonedAfter = time.Hour // since the last write

	dirMode, fileMode = 0o700, 0o600
)

func openDir(name string, now time.Time) (*dir, error) {
	if err := files.MkdirAll(name, dirMode); err != nil {
		return nil, fmt.Errorf("blob: %w", err)
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("blob: %w", err)
	}
	d := &dir{root}
	if err := d.removeAbandoned(now); err != nil {
		_ = root.Close() // the first error is more useful
		return nil, fmt.Errorf("blob: %w", err)
	}
	return d, nil
}

// removeAbandoned removes files that no process has completed. Another instance may still
// write the recent ones. Files have the time of the machine, so a clock ahead of it does not count.
func (d *dir) removeAbandoned(now time.Time) error {
	if machine := time.Now(); machine.Before(now) {
		now = machine
	}
	if err := d.root.MkdirAll(incoming, dirMode); err != nil {
		return err
	}
	files, err := fs.ReadDir(d.root.FS(), incoming)
	if err != nil {
		return err
	}
	for _, f := range files {
		if info, err := f.Info(); err == nil && now.Sub(info.ModTime()) > abandonedAfter {
			_ = d.root.Remove(path.Join(incoming, f.Name())) // the next start tries again
		}
	}
	return nil
}

// Put implements Store.
func (d *dir) Put(ctx context.Context, key string, data []byte) error {
	return d.Write(ctx, key, func(to io.Writer) error {
		_, err := to.Write(data)
		return err
	})
}

// Write implements Store.
func (d *dir) Write(_ context.Context, key string, fill func(io.Writer) error) error {
	draft := path.Join(incoming, rand.Text())
	err := d.writeDraft(draft, fill)
	if err == nil {
		err = d.rename(draft, key)
	}
	if err != nil {
		_ = d.root.Remove(draft) // else removeAbandoned removes it
		return fmt.Errorf("blob.put %s: %w", key, err)
	}
	return nil
}

func (d *dir) writeDraft(name string, fill func(io.Writer) error) error {
	file, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	if err = fill(file); err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// List implements Store.
func (d *dir) List(context.Context) (all []Object, err error) {
	files, err := fs.ReadDir(d.root.FS(), ".")
	for _, f := range files {
		if !f.Type().IsRegular() {
			continue
		}
		if info, infoErr := f.Info(); infoErr == nil { // else it was deleted meanwhile
			all = append(all, Object{f.Name(), info.Size(), info.ModTime()})
		}
	}
	if err != nil {
		return nil, fmt.Errorf("blob.list: %w", err)
	}
	return all, nil
}

// rename gives a complete file its name, and returns when that survives a power cut.
func (d *dir) rename(draft, key string) error {
	if !filepath.IsLocal(key) {
		return fs.ErrInvalid
	}
	folder := filepath.Join(d.root.Name(), filepath.Dir(key))
	if err := files.MkdirAll(folder, dirMode); err != nil {
		return err
	}
	if err := d.root.Rename(draft, key); err != nil {
		return err
	}
	return files.FlushFolder(folder)
}

// Open implements Store.
func (d *dir) Open(_ context.Context, key string) (io.ReadSeekCloser, error) {
	file, err := d.root.Open(key)
	if err != nil {
		return nil, fmt.Errorf("blob.open %s: %w", key, err)
	}
	return file, nil
}

// Delete implements Store.
func (d *dir) Delete(_ context.Context, key string) error {
	if err := d.root.Remove(key); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("blob.delete %s: %w", key, err)
	}
	return nil
}

// Close implements Store.
func (d *dir) Close() error { return d.root.Close() }
