package arch_test

import (
	"path"
	"slices"
	"strings"
	"testing"
)

func TestImportsPointUpwards(t *testing.T) {
	for _, f := range project(t) {
		own := slices.Index(order, path.Dir(f.name))
		if own < 0 {
			t.Errorf("%s: the package has no place in the order", f.name)
			continue
		}
		for _, imported := range f.imports() {
			if _, ours := tree(t)[imported]; ours && slices.Index(order, imported) >= own {
				t.Errorf("%s imports %s, which is not above it", f.name, imported)
			}
		}
	}
}

func TestOnlyHTTPFilesSpeakHTTP(t *testing.T) {
	for _, f := range project(t) {
		dir, name := path.Split(f.name)
		if slices.Contains(speakHTTP, path.Clean(dir)) || strings.HasPrefix(name, "http") {
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

// TestNothingIsLeftOver finds packages and files that no program contains.
func TestNothingIsLeftOver(t *testing.T) {
	server, benchmark := reachable(t, "cmd/moothall"), reachable(t, "cmd/moothall-bench")
	for at, f := range tree(t) {
		if strings.HasPrefix(at, "api/") {
			continue
		}
		contained := server[at] || benchmark[at]
		if contained == slices.Contains(testOnly, at) {
			t.Errorf("%s: a program contains it: %t, testOnly lists it: %t", at, contained, !contained)
		}
		for _, name := range f.ignored {
			if !strings.HasSuffix(name, "_test.go") {
				t.Errorf("%s/%s: this build leaves it out", at, name)
			}
		}
	}
}
