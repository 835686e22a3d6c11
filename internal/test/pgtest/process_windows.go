package pgtest

import (
	"errors"
	"os"
	"os/exec"
)

// The server needs a shell, Unix sockets and signals, so no cluster starts on Windows. The package
// compiles there only so that "go vet" examines the tests.

type account struct{ Uid, Gid uint32 }

func findAccount() (*account, error) {
	return nil, errors.New("pgtest: tests with PostgreSQL do not run on Windows")
}

func runAs(*exec.Cmd, *account) {}

func pause(int) error { return errors.ErrUnsupported }

func kill(int) error { return errors.ErrUnsupported }

// TempDir returns the directory for temporary databases.
func TempDir() string { return os.TempDir() }
