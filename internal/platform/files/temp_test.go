package files_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"moothall/internal/platform/files"
)

// parentVariable makes the test binary a process that opens a folder below it, until it is killed.
const parentVariable = "TEMPDIR_TEST_PARENT"

func TestMain(m *testing.M) {
	parent := os.Getenv(parentVariable)
	if parent == "" {
		os.Exit(m.Run())
	}
	f, err := files.OpenTemp(parent)
	if err == nil {
		err = os.WriteFile(filepath.Join(f.Path(), "image"), make([]byte, 1<<20), 0o600)
	}
	if err != nil {
		panic(err)
	}
	_, _ = os.Stdout.WriteString(f.Path() + "\n")
	_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed
	runtime.KeepAlive(f)                 // the garbage collector would close the lock
}

// startProcess starts a process with a folder of its own, and returns the folder.
func startProcess(t *testing.T, parent string) (process *exec.Cmd, folder string) {
	t.Helper()
	process = exec.CommandContext(t.Context(), os.Args[0])
	process.Env = append(os.Environ(), parentVariable+"="+parent)
	process.Stderr = os.Stderr
	out, err := process.StdoutPipe()
	if err == nil {
		_, err = process.StdinPipe() // open until the process ends
	}
	if err == nil {
		err = process.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = process.Process.Kill(), process.Wait() })
	line := bufio.NewScanner(out)
	if !line.Scan() {
		t.Fatal("the process has no folder")
	}
	return process, line.Text()
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestFoldersOfKilledProcessesAreRemoved kills one of two processes that share a parent.
func TestFoldersOfKilledProcessesAreRemoved(t *testing.T) {
	t.Parallel()
	parent := filepath.Join(t.TempDir(), "data", "tmp")
	_, lives := startProcess(t, parent)
	process, killed := startProcess(t, parent)
	if err := process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = process.Wait() // it was killed
	if !exists(filepath.Join(killed, "image")) {
		t.Fatal("the killed process has removed its file")
	}
	f, err := files.OpenTemp(parent)
	if err != nil {
		t.Fatal(err)
	}
	if exists(killed) {
		t.Error("the folder of a killed process is still there")
	}
	if !exists(filepath.Join(lives, "image")) {
		t.Error("the folder of a running process is empty")
	}
	if err := f.Close(); err != nil || exists(f.Path()) {
		t.Errorf("after Close: %v, exists: %v", err, exists(f.Path()))
	}
}

// TestSystemParentIsPrivate offers a parent that others can write to, and one that is a link.
func TestSystemParentIsPrivate(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	path, err := files.SystemTempParent()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := files.SystemTempParent(); err != nil || again != path {
		t.Errorf("again: %s, %v", again, err)
	}
	if err := os.Chmod(path, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := files.SystemTempParent(); err == nil {
		t.Error("a folder that others can write to is accepted")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), path); err != nil {
		t.Fatal(err)
	}
	if _, err := files.SystemTempParent(); err == nil {
		t.Error("a link is accepted")
	}
}
