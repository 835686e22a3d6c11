package arch_test

import (
	"go/ast"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documents gives every Markdown file of the project.
func documents(t *testing.T) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || len(d.Name()) > 2 && d.Name()[0] == '.'):
			return fs.SkipDir
		case path.Ext(name) == ".md":
			relative, err := filepath.Rel(root, name)
			names = append(names, filepath.ToSlash(relative))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

var link = regexp.MustCompile(`(?:\]\(|src=")([^)"#:]+)(?:#[^)]*)?[)"]`)

func TestDocumentsLinkToWhatIsThere(t *testing.T) {
	for _, name := range documents(t) {
		for _, m := range link.FindAllStringSubmatch(read(t, name), -1) {
			if _, err := os.Stat(filepath.Join(root, path.Dir(name), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			}
		}
	}
}

var proof = regexp.MustCompile("`((?:Test|Fuzz|Benchmark)[A-Z][A-Za-z]*)`")

// TestSecurityNotesNameTheirProofs finds every test that docs/security.md relies on.
func TestSecurityNotesNameTheirProofs(t *testing.T) {
	there := map[string]bool{}
	for _, f := range tests(t) {
		for _, d := range f.Decls {
			if function, ok := d.(*ast.FuncDecl); ok {
				there[function.Name.Name] = true
			}
		}
	}
	for _, m := range proof.FindAllStringSubmatch(read(t, "docs/security.md"), -1) {
		if !there[m[1]] {
			t.Errorf("docs/security.md: there is no %s", m[1])
		}
	}
}

var required = regexp.MustCompile(`(?m)^\t(\S+) (v\S+)`)

// TestDependencies compares the table of dependencies with go.mod and with
// what is imported.
func TestDependencies(t *testing.T) {
	versions := map[string]string{}
	for _, m := range required.FindAllStringSubmatch(read(t, "go.mod"), -1) {
		versions[m[1]] = m[2]
	}
	table := read(t, "docs/dependencies.md")
	for _, row := range regexp.MustCompile(`(?m)^\| (\S+\.\S+) \| (v\S+) \|`).FindAllStringSubmatch(table, -1) {
		if versions[row[1]] != row[2] {
			t.Errorf("docs/dependencies.md: %s %s, go.mod has %q", row[1], row[2], versions[row[1]])
		}
	}
	for name, imported := range importedModules(t, versions) {
		if !strings.Contains(table, "| "+name+" | ") {
			t.Errorf("docs/dependencies.md: %s imports %s", imported, name)
		}
	}
}

// importedModules gives the modules that files of the project import, tests
// included, each with one such file.
func importedModules(t *testing.T, versions map[string]string) map[string]string {
	t.Helper()
	modules := map[string]string{}
	for _, f := range slices.Concat(project(t), tests(t)) {
		for _, imported := range f.imports() {
			first, _, _ := strings.Cut(imported, "/")
			if !strings.Contains(first, ".") {
				continue // of the standard library, or ours
			}
			name := imported
			for versions[name] == "" && name != "." {
				name = path.Dir(name)
			}
			modules[name] = f.name
		}
	}
	return modules
}

// TestReadmeCommandsExist holds the two commands of the README, and the one
// that continuous integration runs, together with the Makefile.
func TestReadmeCommandsExist(t *testing.T) {
	readme, makefile := read(t, "README.md"), read(t, "Makefile")
	for _, target := range []string{"run", "test"} {
		if !strings.Contains(readme, "```\nmake "+target+"\n```") || !strings.Contains(makefile, "\n"+target+":") {
			t.Errorf("make %s: not in both README.md and Makefile", target)
		}
	}
	if !strings.Contains(read(t, ".ci/run"), "\nmake test") {
		t.Error(".ci/run does not run the README's test command")
	}
	if !strings.Contains(makefile, "run ./cmd/moothall serve --demo") || !strings.Contains(readme, "`go run ./cmd/moothall serve --demo`") {
		t.Error("the README and the Makefile differ in what make run runs")
	}
}

var described = regexp.MustCompile("(?m)^\\| (`[^|]*`) \\|")

// TestArchitectureNamesEveryPackage holds the rooms of docs/architecture.md to
// the import order.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	last := -1
	named := map[string]bool{}
	for _, m := range described.FindAllStringSubmatch(read(t, "docs/architecture.md"), -1) {
		for name := range strings.SplitSeq(strings.ReplaceAll(m[1], "`", ""), ", ") {
			if at := slices.Index(order, name); at >= 0 && !slices.Contains(testOnly, name) {
				named[name] = true
				if name != "api" && name != "api/gen" && at < last {
					t.Errorf("%s stands behind %s", name, order[last])
				}
				last = at
			}
		}
	}
	for _, name := range order {
		if !named[name] && !slices.Contains(testOnly, name) {
			t.Errorf("%s is missing", name)
		}
	}
}
