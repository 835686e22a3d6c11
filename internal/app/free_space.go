package app

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
)

// freeSpace returns the free part of the file system of a path, 0 to 1, as df shows it. The
// path, or its last folders, may be missing.
func freeSpace(path string) (float64, error) {
	var s syscall.Statfs_t
	err := syscall.Statfs(path, &s)
	if parent := filepath.Dir(path); errors.Is(err, fs.ErrNotExist) && parent != path {
		return freeSpace(parent)
	}
	if err != nil || s.Blocks == 0 {
		return 1, err
	}
	used := float64(s.Blocks - s.Bfree)
	return float64(s.Bavail) / (used + float64(s.Bavail)), nil
}
