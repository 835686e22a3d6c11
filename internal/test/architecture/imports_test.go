package architecture_test

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestImportsPointUpwards(t *testing.T) {
	for _, f := range project(t) {
		own := slices.Index(order, path.Dir(f.name))
		if own < 0 {
			t.Errorf("%s: the package is not in order", f.name)
			continue
		}
		for _, imported := range f.imports() {
			if _, ours := tree(t)[imported]; ours && slices.Index(order, imported) >= own {
				t.Errorf("%s imports %s, which comes later in order", f.name, imported)
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

// TestServerLeavesOutBenchmark keeps the benchmark out of the server's binary.
func TestServerLeavesOutBenchmark(t *testing.T) {
	for at := range reachable(t, "cmd/moothall") {
		if strings.HasPrefix(at, "cmd/moothall-bench") {
			t.Errorf("cmd/moothall contains %s", at)
		}
	}
}

// TestPlatformKnowsNoFeature lets packages of the platform import each other, domain
// and, for httpapi, the contract.
func TestPlatformKnowsNoFeature(t *testing.T) {
	for _, f := range project(t) {
		if !strings.HasPrefix(f.name, "internal/platform/") {
			continue
		}
		for _, imported := range f.imports() {
			_, ours := tree(t)[imported]
			contract := imported == "api" || imported == "api/gen"
			switch {
			case !ours, strings.HasPrefix(imported, "internal/platform/"), imported == "internal/domain":
			case contract && path.Dir(f.name) == "internal/platform/httpapi":
			default:
				t.Errorf("%s imports %s: the platform must not know features", f.name, imported)
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

// TestNothingIsUnused finds packages and files that no program contains.
func TestNothingIsUnused(t *testing.T) {
	server, benchmark := reachable(t, "cmd/moothall"), reachable(t, "cmd/moothall-bench")
	for at, f := range tree(t) {
		if strings.HasPrefix(at, "api/") || slices.Contains(generators, at) {
			continue
		}
		contained := server[at] || benchmark[at]
		if contained == slices.Contains(testOnly, at) {
			t.Errorf("%s: a program contains it: %t, testOnly lists it: %t", at, contained, !contained)
		}
		for _, name := range f.ignored {
			if !strings.HasSuffix(name, "_test.go") && !otherSystem.MatchString(name) {
				t.Errorf("%s/%s: not part of the build", at, name)
			}
		}
	}
}
