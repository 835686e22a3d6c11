package pgtest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

var errMissing = errors.New("pgtest: PostgreSQL is not installed: neither PATH nor pg_config nor /usr/lib/postgresql has initdb and postgres; " +
	"install it (Debian: apt-get install postgresql; macOS: brew install postgresql; Fedora: dnf install postgresql-server)")

// findBinaries returns the directory with initdb and postgres: the one in PATH, or
// the newest installed version.
func findBinaries() (string, error) {
	var dirs []string
	if path, err := exec.LookPath("initdb"); err == nil {
		dirs = append(dirs, filepath.Dir(path))
	}
	if out, err := exec.Command("pg_config", "--bindir").Output(); err == nil {
		dirs = append(dirs, strings.TrimSpace(string(out)))
	}
	installed, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // the pattern is valid
	slices.SortFunc(installed, func(a, b string) int { return version(b) - version(a) })
	for _, dir := range append(dirs, installed...) {
		if executable(dir, "initdb") && executable(dir, "postgres") {
			return dir, nil
		}
	}
	return "", errMissing
}

// version returns 15 for /usr/lib/postgresql/15/bin, 0 for other paths.
func version(dir string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(dir)))
	return n
}

func executable(dir, name string) bool {
	info, err := os.Stat(filepath.Join(dir, name))
	return err == nil && info.Mode()&0o111 != 0
}
