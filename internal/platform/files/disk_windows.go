package files

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

func freeOf(path string) (bytes uint64, share float64, err error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, 1, err
	}
	var available, total, free uint64
	if err := windows.GetDiskFreeSpaceEx(name, &available, &total, &free); err != nil || total == 0 {
		return 0, 1, err
	}
	return available, float64(available) / float64(total), nil
}

// HardLinks returns the number of names that a file has.
func HardLinks(path string) (int, error) {
	file, err := os.Open(path) //nolint:gosec // the path is a setting of the operator
	if err != nil {
		return 0, err
	}
	var info syscall.ByHandleFileInformation
	err = syscall.GetFileInformationByHandle(syscall.Handle(file.Fd()), &info)
	return int(info.NumberOfLinks), errors.Join(err, file.Close())
}

// IsPrivate returns true: each user of Windows has an own folder for temporary files.
func IsPrivate(fs.FileInfo) bool { return true }

// flushFolder does nothing: Windows keeps the names of files in the journal of the file
// system, and cannot flush a folder.
func flushFolder(string, func(*os.File) error) error { return nil }

// MaxOpenFiles returns how many files and connections the process may have open.
func MaxOpenFiles() int { return math.MaxInt }
