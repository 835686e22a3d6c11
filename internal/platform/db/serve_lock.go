package db

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// LockForServing makes this process the only one that serves an SQLite database, until it
// calls release or ends in any way. Returns an error if another process serves it. Other
// processes can still open the database. The lock is on the file <database>.lock, which
// stays. On PostgreSQL, any number of processes serve one database.
func LockForServing(url string) (release func() error, err error) {
	path, ok := strings.CutPrefix(url, "sqlite:")
	if !ok {
		return func() error { return nil }, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
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
