package architecture_test

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// groupOf returns the index in groups of a package's group.
func groupOf(pkg string) int {
	return slices.IndexFunc(groups, func(g string) bool { return pkg == g || strings.HasPrefix(pkg, g+"/") })
}

func TestGroupsImportOnlyGroupsBefore(t *testing.T) {
	for _, f := range project(t) {
		own := groupOf(path.Dir(f.name))
		if own < 0 {
			t.Errorf("%s: the package is in no group", f.name)
			continue
		}
		for _, imported := range f.imports() {
			if _, ours := tree(t)[imported]; ours && groupOf(imported) > own {
				t.Errorf("%s imports %s, whose group comes after %s", f.name, imported, groups[own])
			}
		}
	}
}

// TestGroupsAreDescribed compares the doc.go of each group with its packages, which stand in parentheses, and with what they
// import: the groups after "may import".
func TestGroupsAreDescribed(t *testing.T) {
	for own, group := range groups {
		if !strings.HasPrefix(group, "internal/") {
			continue
		}
		members, may := describedGroup(t, group)
		used := map[string]bool{}
		for name, pkg := range tree(t) {
			if groupOf(name) != own {
				continue
			}
			if i := slices.Index(members, path.Base(name)); i >= 0 {
				members = slices.Delete(members, i, i+1)
			} else if name != group {
				t.Errorf("%s/doc.go does not name %s", group, name)
			}
			for _, f := range pkg.files {
				for _, imported := range f.imports() {
					if _, ours := tree(t)[imported]; ours && groupOf(imported) != own {
						used[path.Base(groups[groupOf(imported)])] = true
					}
				}
			}
		}
		if len(members) > 0 {
			t.Errorf("%s/doc.go names %q, which are no packages of the group", group, members)
		}
		for _, g := range groups {
			if name := path.Base(g); used[name] != slices.Contains(may, name) {
				t.Errorf("%s/doc.go: its packages import %s: %t, it says so: %t", group, name, used[name], !used[name])
			}
		}
	}
}

// describedGroup returns the words in parentheses of a group's doc.go, and those after "may import".
func describedGroup(t *testing.T, group string) (members, may []string) {
	t.Helper()
	source := read(t, group+"/doc.go")
	if lines := strings.Count(source, "\n"); lines > 12 {
		t.Errorf("%s/doc.go has %d lines, more than 12", group, lines)
	}
	before, after, found := strings.Cut(source, " may import ")
	if !found {
		t.Errorf("%s/doc.go does not say what its packages may import", group)
	}
	after, _, _ = strings.Cut(after, "\npackage ")
	words := regexp.MustCompile(`\w+`)
	for _, list := range regexp.MustCompile(`\([^)]*\)`).FindAllString(strings.ReplaceAll(before, "\n// ", " "), -1) {
		members = append(members, words.FindAllString(list, -1)...)
	}
	return members, words.FindAllString(after, -1)
}

// TestFeaturesImportOnlyDB finds imports of the packages below db. Only settings, wiring and commands also import migrate.
func TestFeaturesImportOnlyDB(t *testing.T) {
	for _, f := range project(t) {
		if roomOfDB(f.name) || strings.HasPrefix(f.name, "internal/test/") {
			continue
		}
		operates := strings.HasPrefix(f.name, "internal/ops/") || strings.HasPrefix(f.name, "cmd/")
		for _, imported := range f.imports() {
			if strings.HasPrefix(imported, "internal/platform/db/") && (!operates || path.Base(imported) != "migrate") {
				t.Errorf("%s imports %s: that is for package db", f.name, imported)
			}
		}
	}
}

func TestOnlyHTTPFilesImportHTTPPackages(t *testing.T) {
	for _, f := range project(t) {
		dir, name := path.Split(f.name)
		if slices.Contains(httpPackages, path.Clean(dir)) || strings.HasPrefix(name, "http") {
			continue
		}
		for _, imported := range f.imports() {
			if imported == "internal/platform/httpapi" || imported == "api/gen" {
				t.Errorf("%s imports %s: that is for http*.go", f.name, imported)
			}
		}
	}
}

// reachable returns the packages of the project that a program contains.
func reachable(t *testing.T, program string) map[string]bool {
	t.Helper()
	reached := map[string]bool{}
	var visit func(string)
	visit = func(at string) {
		f, ours := tree(t)[at]
		if !ours || reached[at] {
			return
		}
		reached[at] = true
		for _, file := range f.files {
			for _, imported := range file.imports() {
				visit(imported)
			}
		}
	}
	visit(program)
	return reached
}

// TestPlatformDoesNotKnowTheContract allows only httpapi to import the contract.
func TestPlatformDoesNotKnowTheContract(t *testing.T) {
	for _, f := range project(t) {
		if !strings.HasPrefix(f.name, "internal/platform/") || path.Dir(f.name) == "internal/platform/httpapi" {
			continue
		}
		for _, imported := range f.imports() {
			if _, ours := tree(t)[imported]; ours && groups[groupOf(imported)] == "api" {
				t.Errorf("%s imports %s: only httpapi may", f.name, imported)
			}
		}
	}
}

// TestWebClientImportsOnlyTheContract keeps the rules of features out of pages.
func TestWebClientImportsOnlyTheContract(t *testing.T) {
	for _, f := range project(t) {
		if !strings.HasPrefix(f.name, "internal/web/") {
			continue
		}
		for _, imported := range f.imports() {
			if _, ours := tree(t)[imported]; ours && !slices.Contains(webImports, imported) {
				t.Errorf("%s imports %s: call an operation of the contract", f.name, imported)
			}
		}
	}
}

// TestPagesEscapeEverything finds calls by which a template would write HTML, styles or scripts
// as they are.
func TestPagesEscapeEverything(t *testing.T) {
	for _, f := range project(t) {
		if !strings.HasPrefix(f.name, "internal/web/") {
			continue
		}
		for _, name := range []string{"Raw", "JSUnsafeFuncCall", "JSExpression", "SafeCSS", "SafeScriptInline", "SafeCSSProperty"} {
			for _, use := range uses(f, "templ", name) {
				t.Errorf("%s: templ.%s writes text as it is", at(use), name)
			}
		}
	}
}

// otherSystem matches files that are only compiled for some operating systems.
var otherSystem = regexp.MustCompile(`_(linux|unix|windows|other)\.go$`)

// TestNothingIsUnused finds packages and files that the program does not contain.
func TestNothingIsUnused(t *testing.T) {
	server := reachable(t, "cmd/moothall")
	for at, f := range tree(t) {
		if strings.HasPrefix(at, "api/") || slices.Contains(generators, at) || slices.Contains(groups, at) {
			continue
		}
		if contained, testOnly := server[at], strings.HasPrefix(at, "internal/test/"); contained == testOnly {
			t.Errorf("%s: the program contains it: %t, it is in internal/test: %t", at, contained, testOnly)
		}
		for _, name := range f.ignored {
			if !strings.HasSuffix(name, "_test.go") && !otherSystem.MatchString(name) {
				t.Errorf("%s/%s: not part of the build", at, name)
			}
		}
	}
}
