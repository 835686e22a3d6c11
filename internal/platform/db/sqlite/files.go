package sqlite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"moothall/internal/platform/files"
)

// fileSet are the files of an open database: the file itself, its log, and the index of
// the log. SQLite goes on writing a file that was deleted or replaced, but the next start
// would not find these writes.
type fileSet []openFile

type openFile struct {
	path string
	info os.FileInfo // when it was opened
}

// identifyFiles remembers the files that the connections have open. SQLite keeps the log
// beside the file that a symbolic link names.
func identifyFiles(path string) (fileSet, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	var set fileSet
	for _, path := range []string{path, target + "-wal", target + "-shm"} {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		set = append(set, openFile{path, info})
	}
	return set, nil
}

// check returns an error unless every file is still under its path.
func (f fileSet) check() error {
	for _, file := range f {
		now, err := os.Stat(file.path)
		if err == nil && !os.SameFile(now, file.info) {
			err = fmt.Errorf("%s is another file now", file.path)
		}
		if err != nil {
			return fmt.Errorf("the database was deleted or replaced while it is open: %w. Writes are refused, because the next start would not find them. "+
				"Put the same file back, or stop the service, restore a backup and start it", err)
		}
	}
	return nil
}

// createFile creates a missing file with its folder. SQLite gives the files beside it
// the same mode.
func createFile(path string, mustExist bool) error {
	if _, err := os.Stat(path); err == nil || mustExist {
		return err
	}
	if err := files.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // the path is a setting of the operator
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), files.FlushFolder(filepath.Dir(path)))
}
