package db

import (
	"fmt"
	"os"
	"path/filepath"
)

// sqliteFiles are the files of an open database: the file itself, its log, and the index of
// the log. SQLite goes on writing a file that was deleted or replaced, but the next start
// would not find these writes.
type sqliteFiles []sqliteFile

type sqliteFile struct {
	path string
	info os.FileInfo // when it was opened
}

// identifyFiles remembers the files that the connections have open. SQLite keeps the log
// beside the file that a symbolic link names.
func identifyFiles(path string) (sqliteFiles, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	var files sqliteFiles
	for _, path := range []string{path, target + "-wal", target + "-shm"} {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		files = append(files, sqliteFile{path, info})
	}
	return files, nil
}

// check returns an error unless every file is still under its path.
func (f sqliteFiles) check() error {
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
