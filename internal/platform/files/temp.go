package files

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gofrs/flock"
)

// TempFolder is the folder of one process. The system releases its lock when the process ends in any way.
type TempFolder struct {
	parent, path string
	lock         *flock.Flock
}

const (
	lockName = "lock" // in parent: one process at a time creates or removes folders; in a folder: its process lives

	lockTimeout = time.Minute
	lockRetry   = 10 * time.Millisecond
)

// OpenTemp creates a folder below parent, and parent if it is missing. It first removes all folders below parent whose
// processes have ended. Any number of processes may share parent.
func OpenTemp(parent string) (*TempFolder, error) {
	f, err := openTemp(parent)
	if err != nil {
		return nil, fmt.Errorf("the folder for temporary files: %w", err)
	}
	return f, nil
}

func openTemp(parent string) (f *TempFolder, err error) {
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil, err
	}
	err = alone(parent, func() error {
		removeAbandoned(parent)
		path := filepath.Join(parent, rand.Text())
		if err := os.Mkdir(path, 0o700); err != nil {
			return err
		}
		f = &TempFolder{parent, path, newLock(path)}
		if _, err := f.lock.TryLock(); err != nil {
			return errors.Join(err, os.RemoveAll(path))
		}
		return nil
	})
	return f, err
}

// alone calls do while no other process creates or removes folders below parent.
func alone(parent string, do func() error) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	lock := newLock(parent)
	if _, err := lock.TryLockContext(ctx, lockRetry); err != nil {
		return fmt.Errorf("%s: %w", lock.Path(), err)
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	return do()
}

func newLock(folder string) *flock.Flock {
	return flock.New(filepath.Join(folder, lockName), flock.SetPermissions(0o600))
}

// removeAbandoned removes the folders that no process locks. What cannot be removed stays until the next start.
func removeAbandoned(parent string) {
	entries, _ := os.ReadDir(parent)
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		path := filepath.Join(parent, entry.Name())
		lock := newLock(path)
		if locked, err := lock.TryLock(); err == nil && locked {
			_ = lock.Unlock() // Windows removes no open file
			_ = os.RemoveAll(path)
		}
	}
}

// Path returns the path of the folder. A TempFolder that is nil stands for the folder of the system.
func (f *TempFolder) Path() string {
	if f == nil {
		return os.TempDir()
	}
	return f.path
}

// Close removes the folder.
func (f *TempFolder) Close() error {
	if f == nil {
		return nil
	}
	return alone(f.parent, func() error { return errors.Join(f.lock.Unlock(), os.RemoveAll(f.path)) })
}

// SystemTempParent returns a parent for OpenTemp that belongs to the user of this process, below the system's folder for
// temporary files. It returns an error if another user can write there.
func SystemTempParent() (string, error) {
	path := filepath.Join(os.TempDir(), "moothall-"+strconv.Itoa(os.Getuid()))
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	info, err := os.Lstat(path)
	if err == nil && !(info.IsDir() && IsPrivate(info)) {
		err = fmt.Errorf("%s belongs to another user, or others can write there: remove it, or set TMPDIR to a folder of your own", path)
	}
	return path, err
}
