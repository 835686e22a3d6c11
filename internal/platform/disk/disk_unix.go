//go:build unix

package disk

import (
	"errors"
	"os"
	"syscall"
)

func freeOf(path string) (float64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(path, &s); err != nil || s.Blocks == 0 {
		return 1, err
	}
	used := float64(s.Blocks - s.Bfree)
	return float64(s.Bavail) / (used + float64(s.Bavail)), nil
}

// HardLinks returns the number of names that a file has.
func HardLinks(path string) (int, error) {
	var s syscall.Stat_t
	if err := syscall.Stat(path, &s); err != nil {
		return 0, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	return int(s.Nlink), nil
}

// FlushFolder writes the names of new and removed files to the disk, if the file system can.
// The function flush does so for an open folder.
func FlushFolder(dir string, flush func(*os.File) error) error {
	folder, err := os.Open(dir) //nolint:gosec // the path is a setting of the operator
	if err != nil {
		return err
	}
	err = flush(folder)
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		err = nil
	}
	return errors.Join(err, folder.Close())
}
