package files

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// Free returns the free share of the file system of a path, 0 to 1, as df shows it. The
// path, or its last folders, may be missing.
func Free(path string) (float64, error) {
	_, share, err := freeBelow(path)
	return share, err
}

// FreeBytes returns the free bytes of the file system of a path, of which the last folders may be missing.
func FreeBytes(path string) (uint64, error) {
	bytes, _, err := freeBelow(path)
	return bytes, err
}

func freeBelow(path string) (bytes uint64, share float64, err error) {
	bytes, share, err = freeOf(path)
	if parent := filepath.Dir(path); errors.Is(err, fs.ErrNotExist) && parent != path {
		return freeBelow(parent)
	}
	return bytes, share, err
}
