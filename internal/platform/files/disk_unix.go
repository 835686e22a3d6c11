//go:build unix

package files

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"syscall"
)

func freeOf(path string) (bytes uint64, share float64, err error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(path, &s); err != nil || s.Blocks == 0 {
		return 0, 1, err
	}
	used := float64(s.Blocks - s.Bfree)
	return s.Bavail * uint64(s.Bsize), float64(s.Bavail) / (used + float64(s.Bavail)), nil // their types differ by system
}

// HardLinks returns the number of names that a file has.
func HardLinks(path string) (int, error) {
	var s syscall.Stat_t
	if err := syscall.Stat(path, &s); err != nil {
		return 0, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	return int(s.Nlink), nil
}

// IsPrivate reports whether a file or folder belongs to the user of this process, and nobody else can write there.
func IsPrivate(info fs.FileInfo) bool {
	const writableByOthers = 0o022
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid() && info.Mode()&writableByOthers == 0
}

// flushFolder writes the names of new and removed files to the disk, if the file system can.
// The function flush does so for an open folder.
func flushFolder(dir string, flush func(*os.File) error) error {
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

// MaxOpenFiles returns how many files and connections the process may have open.
func MaxOpenFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return math.MaxInt
	}
	return int(min(limit.Cur, math.MaxInt))
}
