package disktest

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// OnSmall runs a test with the folder of a file system in memory of so many bytes. Only root may mount one in the
// namespace of all processes: for other users, another process runs the test in a namespace of its own. It skips the
// test where the system allows neither.
func OnSmall(t *testing.T, bytes int, test func(t *testing.T, dir string)) {
	t.Helper()
	dir := t.TempDir()
	mount := []string{"mount", "-t", "tmpfs", "-o", "size=" + strconv.Itoa(bytes), "tmpfs", dir}
	namespace := []string{"unshare", "--user", "--map-current-user", "--keep-caps", "--mount"}
	again := []string{os.Args[0], "-test.run", "^" + strings.ReplaceAll(t.Name(), "/", "$/^") + "$"}
	if run(mount...) == nil {
		t.Cleanup(func() {
			if err := run("umount", dir); err != nil {
				t.Error(err)
			}
		})
		test(t, dir)
	} else if err := run(slices.Concat(namespace, mount)...); err != nil {
		t.Skip("a full disk needs a small file system, which this system lets neither the user nor a namespace of theirs mount:", err)
	} else if err := run(slices.Concat(namespace, again)...); err != nil {
		t.Error(err)
	}
}

func run(command ...string) error {
	out, err := exec.Command(command[0], command[1:]...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w %s", command[0], err, out)
	}
	return nil
}
