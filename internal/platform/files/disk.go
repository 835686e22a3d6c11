package files

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// Free returns the free share of the file system of a path, 0 to 1, as df shows it. The
// path, or its last folders, may be missing.
func Free(path string) (float64, error) {
	free, err := freeOf(path)
	if parent := filepath.Dir(path); errors.Is(err, fs.ErrNotExist) && parent != path {
		return Free(parent)
	}
	return free, err
}
