package architecture_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Paths that scripts name, and the tests that they run.
var (
	pathInScript  = regexp.MustCompile(`(?:^|[\s"'./])((?:internal|tools|deploy|docs)/[\w./-]*\w)`)
	testsInScript = regexp.MustCompile(`-run '?([\w|]+)`)
)

// TestScriptsNameWhatExists finds scripts that a move has broken: make test runs few of them.
func TestScriptsNameWhatExists(t *testing.T) {
	exists := functionsOfTests(t)
	scripts, err := filepath.Glob(filepath.Join(root, "scripts", "*.sh"))
	if err != nil || len(scripts) < 10 {
		t.Fatal(len(scripts), err)
	}
	for _, script := range scripts {
		name := "scripts/" + filepath.Base(script)
		for _, m := range pathInScript.FindAllStringSubmatch(read(t, name), -1) {
			if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
				t.Errorf("%s: there is no %s", name, m[1])
			}
		}
		for _, m := range testsInScript.FindAllStringSubmatch(read(t, name), -1) {
			for test := range strings.SplitSeq(m[1], "|") {
				if !exists[test] {
					t.Errorf("%s: there is no test %s", name, test)
				}
			}
		}
	}
}
