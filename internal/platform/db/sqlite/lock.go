package sqlite

import (
	"fmt"
	"path/filepath"

	"github.com/gofrs/flock"

	"moothall/internal/platform/files"
)

// Lock makes this process the only one that serves a file, until it
// calls release or ends in any way. Returns an error if another process serves it. Other
// processes can still open the database. The lock is on the file <database>.lock, which
// stays. A symbolic link leads to the same lock. A file with several hard links is refused:
// SQLite keeps its log beside one of them, and would not find it by another name.
func Lock(path string) (release func() error, err error) {
	if path, err = onlyName(path); err != nil {
		return nil, fmt.Errorf("db: lock: %w", err)
	}
	lock := flock.New(path+".lock", flock.SetPermissions(0o600))
	locked, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("db: lock: %w", err)
	}
	if !locked {
		return nil, fmt.Errorf("another process already serves %s: one process serves an SQLite database, several need PostgreSQL", path)
	}
	return lock.Unlock, nil
}

// onlyName creates a missing file and returns its path without symbolic links. Returns an
// error if the file has another hard link.
func onlyName(path string) (string, error) {
	if err := createFile(path, false); err != nil {
		return "", err
	}
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	links, err := files.HardLinks(path)
	if err == nil && links > 1 {
		err = fmt.Errorf("%s has %d hard links, by which several processes could serve it at once: delete the others, or serve a copy", path,
			links)
	}
	return path, err
}
