// Package files has what the standard library lacks about files: files and folders that survive a power cut, a folder for
// the temporary files of each process, and the operations that differ between operating systems.
package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// flush waits until a file or folder is on the disk. Tests replace it.
var flush = (*os.File).Sync

// MkdirAll creates a folder with its parents. It is not an error if the folder exists.
func MkdirAll(dir string, mode fs.FileMode) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	parent := filepath.Dir(dir)
	if err := MkdirAll(parent, mode); err != nil {
		return err
	}
	if err := os.Mkdir(dir, mode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return FlushFolder(parent)
}

// Create creates a file that only its owner can read, with all of its content or not at
// all. It returns fs.ErrExist if the path exists: of several processes at once, one wins.
func Create(path string, content []byte) error {
	draft, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // mode 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(draft.Name()) }()
	_, err = draft.Write(content)
	if err == nil {
		err = flush(draft)
	}
	if err := errors.Join(err, draft.Close()); err != nil {
		return err
	}
	if err := os.Link(draft.Name(), path); err != nil {
		return err
	}
	return FlushFolder(filepath.Dir(path))
}

// FlushFolder writes the names of new and removed files to the disk, if the file system can.
func FlushFolder(dir string) error { return flushFolder(dir, flush) }
