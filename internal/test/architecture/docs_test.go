package architecture_test

import (
	"go/ast"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documents returns the names of all Markdown files of the project.
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

func TestDocumentLinksExist(t *testing.T) {
	for _, name := range documents(t) {
		for _, m := range link.FindAllStringSubmatch(read(t, name), -1) {
			if _, err := os.Stat(filepath.Join(root, path.Dir(name), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			}
		}
	}
}

var testName = regexp.MustCompile("`((?:Test|Fuzz|Benchmark)[A-Z][A-Za-z]*)`")

// TestNamedTestsExist checks that every test named in a page of docs exists.
func TestNamedTestsExist(t *testing.T) {
	exists := functionsOfTests(t)
	for _, name := range documents(t) {
		if !strings.HasPrefix(name, "docs/") {
			continue
		}
		for _, m := range testName.FindAllStringSubmatch(read(t, name), -1) {
			if !exists[m[1]] {
				t.Errorf("%s: there is no %s", name, m[1])
			}
		}
	}
}

// functionsOfTests returns the names of the functions in the files of tests.
func functionsOfTests(t *testing.T) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, f := range tests(t) {
		for _, d := range f.Decls {
			if function, ok := d.(*ast.FuncDecl); ok {
				all[function.Name.Name] = true
			}
		}
	}
	return all
}

// TestFaultsAreDocumented compares the faults that tests report with the table of docs/faults.md.
func TestFaultsAreDocumented(t *testing.T) {
	table := read(t, "docs/faults.md")
	reported := map[string]bool{"Fault": true, "---": true} // the head of the table
	for _, f := range tests(t) {
		for _, call := range calls(f, "Fault") {
			fault, ok := text(call.Args[1])
			if reported[fault] = true; !ok || !strings.Contains(table, "\n| "+fault+" | ") {
				t.Errorf("%s: docs/faults.md has no row for it", at(call))
			}
		}
	}
	for _, row := range regexp.MustCompile(`(?m)^\| (.*?) \|`).FindAllStringSubmatch(table, -1) {
		if !reported[row[1]] {
			t.Errorf("docs/faults.md: no test reports the fault %q", row[1])
		}
	}
}

var required = regexp.MustCompile(`(?m)^\t(\S+) (v\S+)`)

// TestDependencies compares docs/dependencies.md with go.mod and with the imports.
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

// TestProgramContainsNoModulesOfTests compares the modules that the program contains with those that docs/dependencies.md
// calls "tests only" or leaves to the generator.
func TestProgramContainsNoModulesOfTests(t *testing.T) {
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "moothall/cmd/moothall")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	contained := strings.Fields(string(out))
	for _, row := range regexp.MustCompile(`(?m)^\| (\S+\.\S+) \| v\S+ \| [^|]+ \| (.*) \|$`).FindAllStringSubmatch(read(t,
		"docs/dependencies.md"), -1) {
		outside := strings.HasPrefix(row[2], "tests only") || strings.Contains(row[2], "only the generator contains it")
		if outside && slices.Contains(contained, row[1]) {
			t.Errorf("docs/dependencies.md: the program contains %s", row[1])
		}
	}
}

// importedModules returns the modules that the project imports, tests included,
// each with one importing file.
func importedModules(t *testing.T, versions map[string]string) map[string]string {
	t.Helper()
	modules := map[string]string{}
	for _, f := range slices.Concat(project(t), tests(t)) {
		for _, imported := range f.imports() {
			first, _, _ := strings.Cut(imported, "/")
			if !strings.Contains(first, ".") {
				continue // the standard library or this module
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

// TestReadmeCommandsExist compares the two commands of the README, and the one of
// continuous integration, with the Makefile.
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

var treeLine = regexp.MustCompile(`^( *)([a-z-]+)/(?: +(\S.*))?$`)

// TestArchitectureShowsEveryPackage compares the tree of docs/architecture.md with the code. The tree shows every
// package once, with a description. A package comes after those that it imports; a folder comes before its subfolders.
func TestArchitectureShowsEveryPackage(t *testing.T) {
	_, block, _ := strings.Cut(read(t, "docs/architecture.md"), "\n## Tree\n")
	_, block, _ = strings.Cut(block, "```\n")
	block, _, _ = strings.Cut(block, "```")
	var shown, parents []string
	for line := range strings.Lines(block) {
		m := treeLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if len(m) == 0 || len(m[1])%2 != 0 || len(m[1])/2 > len(parents) {
			t.Fatalf("cannot read the line %q", line)
		}
		parents = append(parents[:len(m[1])/2], m[2])
		name := strings.Join(parents, "/")
		if _, ok := tree(t)[name]; !ok {
			continue // only has subfolders
		}
		if m[3] == "" || slices.Contains(shown, name) {
			t.Errorf("%s has no description or appears twice", name)
		}
		shown = append(shown, name)
	}
	for name := range tree(t) {
		if !slices.Contains(shown, name) {
			t.Errorf("%s is missing", name)
		}
	}
	for i, name := range shown {
		for _, f := range tree(t)[name].files {
			for _, imported := range f.imports() {
				if slices.Contains(shown[i+1:], imported) && !strings.HasPrefix(imported, name+"/") {
					t.Errorf("%s comes before %s, which it imports", name, imported)
				}
			}
		}
	}
}
