package architecture_test

import (
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "moothall"

// folder is one package of the project.
type folder struct {
	path    string
	files   []file // Go files without tests
	tests   []file
	ignored []string // Go files that are not part of the build on this machine
}

// file is one parsed Go file.
type file struct {
	name string // path in the project
	*ast.File
}

// root is the project's folder.
const root = "../../.."

var positions = token.NewFileSet()

// tree returns every package of the project by its path.
func tree(t *testing.T) map[string]folder {
	t.Helper()
	all, err := readTree()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var readTree = sync.OnceValues(func() (map[string]folder, error) {
	all := map[string]folder{}
	for _, top := range []string{"api", "cmd", "internal", "sdk"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil || d.Name() == "testdata" {
				return fs.SkipDir // another module
			}
			f, found, err := readFolder(path)
			if found {
				all[f.path] = f
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
})

func readFolder(path string) (f folder, found bool, err error) {
	if sources, _ := filepath.Glob(filepath.Join(path, "*.go")); len(sources) == 0 {
		return f, false, nil
	}
	pkg, err := build.ImportDir(path, 0)
	if noGo := (*build.NoGoError)(nil); err != nil && !errors.As(err, &noGo) { // test files only
		return f, false, err
	}
	relative, err := filepath.Rel(root, path)
	if err != nil {
		return f, false, err
	}
	f = folder{path: filepath.ToSlash(relative), ignored: pkg.IgnoredGoFiles}
	if f.files, err = parse(f.path, pkg.GoFiles); err == nil {
		f.tests, err = parse(f.path, slices.Concat(pkg.TestGoFiles, pkg.XTestGoFiles))
	}
	return f, true, err
}

func parse(folder string, names []string) ([]file, error) {
	var files []file
	for _, name := range names {
		name = folder + "/" + name
		parsed, err := parser.ParseFile(positions, filepath.Join(root, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name, parsed})
	}
	return files, nil
}

// imports returns the imported paths, without the module name for own packages.
func (f file) imports() []string {
	var paths []string
	for _, spec := range f.Imports {
		path, _ := strconv.Unquote(spec.Path.Value) // the parser has read it
		paths = append(paths, strings.TrimPrefix(path, module+"/"))
	}
	return paths
}

// generated reports whether a program wrote the file.
func (f file) generated() bool { return ast.IsGenerated(f.File) }

// isTest reports whether the file is a test, or a tool of tests.
func (f file) isTest() bool {
	return strings.HasSuffix(f.name, "_test.go") || strings.HasPrefix(f.name, "internal/test/")
}

// at returns file and line of a node.
func at(n ast.Node) string {
	p := positions.Position(n.Pos())
	return strings.TrimPrefix(filepath.ToSlash(p.Filename), root+"/") + ":" + strconv.Itoa(p.Line)
}

// project returns the files of every package, without tests.
func project(t *testing.T) []file {
	t.Helper()
	var files []file
	for _, f := range tree(t) {
		files = append(files, f.files...)
	}
	return files
}

// tests returns the test files of every package.
func tests(t *testing.T) []file {
	t.Helper()
	var files []file
	for _, f := range tree(t) {
		files = append(files, f.tests...)
	}
	return files
}

// read returns the text of a file of the project.
func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// calls returns the calls of a function named name, as pkg.name(...) or x.name(...).
func calls(f file, name string) []*ast.CallExpr {
	var found []*ast.CallExpr
	ast.Inspect(f.File, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if s, ok := call.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == name {
				found = append(found, call)
			}
		}
		return true
	})
	return found
}

// text returns the value of a string literal, or of the first literal of a
// concatenation.
func text(e ast.Expr) (value string, ok bool) {
	if sum, is := e.(*ast.BinaryExpr); is {
		return text(sum.X)
	}
	literal, is := e.(*ast.BasicLit)
	if !is || literal.Kind != token.STRING {
		return "", false
	}
	value, err := strconv.Unquote(literal.Value)
	return value, err == nil
}
