//go:build unix

package pgtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// account is the user of the server.
type account = syscall.Credential

// findAccount returns the user of the server, because PostgreSQL refuses to run as root.
// It returns nil when the test does not run as root.
func findAccount() (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.ParseUint(found.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(found.Gid, 10, 32)
		if uidErr == nil && gidErr == nil {
			return &account{Uid: uint32(uid), Gid: uint32(gid)}, nil
		}
	}
	return nil, fmt.Errorf("pgtest: root needs a user named postgres or nobody to run PostgreSQL as")
}

// runAs lets a command run as a user, unless it is nil. Its own process group keeps an interrupt
// at the terminal away from it.
func runAs(cmd *exec.Cmd, user *account) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: user, Setpgid: true}
}

// pause stops a process, so that it starts no more children.
func pause(pid int) error { return syscall.Kill(pid, syscall.SIGSTOP) }

// kill ends a process, which may have ended before.
func kill(pid int) error {
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}

// TempDir returns the directory for temporary databases: in memory, where fsync costs nothing,
// if it has enough space.
func TempDir() string {
	var shm syscall.Statfs_t
	if err := syscall.Statfs("/dev/shm", &shm); err == nil && float64(shm.Bavail)*float64(shm.Bsize) > 2<<30 {
		return "/dev/shm"
	}
	return os.TempDir()
}
