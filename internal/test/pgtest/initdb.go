package pgtest

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/gofrs/flock"
)

// initOptions are the arguments of initdb besides the directory.
var initOptions = []string{"--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions"}

// initialize creates the files of an empty cluster. They are a copy: initdb runs once for
// each version of PostgreSQL, and the user's cache directory has its result. Without such a
// directory initdb runs each time.
func (c *Cluster) initialize(opts Options) error {
	if opts.Checksums { // the cache has only clusters without them
		return c.initdb("--data-checksums")
	}
	cached, err := c.cacheDir()
	if err != nil {
		return c.initdb()
	}
	if exists(cached) {
		return c.copyTree(cached, c.dir)
	}
	lock := flock.New(cached+".lock", flock.SetPermissions(0o600))
	if err := lock.Lock(); err != nil { // processes that start together wait for the first one
		return c.initdb()
	}
	defer func() { _ = lock.Close() }() // unlocks it
	if exists(cached) {
		return c.copyTree(cached, c.dir)
	}
	if err := c.initdb(); err != nil {
		return err
	}
	partial := cached + ".partial"
	if err := os.RemoveAll(partial); err != nil { // that a killed process left behind
		return err
	}
	if err := c.copyTree(c.dir, partial); err != nil {
		return err
	}
	return os.Rename(partial, cached)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (c *Cluster) initdb(more ...string) error {
	initdb := c.command(filepath.Join(c.binaries, "initdb"), slices.Concat([]string{"--pgdata", c.dir}, initOptions, more)...)
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return nil
}

// cacheDir returns where the cache has the files of an empty cluster of this version.
func (c *Cluster) cacheDir() (string, error) {
	parent, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	version, err := exec.Command(filepath.Join(c.binaries, "initdb"), "--version").Output()
	if err != nil {
		return "", err
	}
	parent = filepath.Join(parent, "moothall-pgtest")
	key := sha256.Sum256(fmt.Append(version, c.binaries, initOptions))
	return filepath.Join(parent, fmt.Sprintf("%x", key[:8])), os.MkdirAll(parent, 0o700)
}

// copyTree copies the files of a cluster to a directory, which need not exist. They belong
// to the server's user.
func (c *Cluster) copyTree(from, to string) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil || c.account == nil {
		return err
	}
	return filepath.WalkDir(to, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chown(path, int(c.account.Uid), int(c.account.Gid))
	})
}
