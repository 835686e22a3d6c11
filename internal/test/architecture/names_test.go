package architecture_test

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	fenced = regexp.MustCompile("(?ms)^```.*?\n```")
	quoted = regexp.MustCompile("`([^`\n]+)`")
	goName = regexp.MustCompile(`^[a-z]\w*(\.[A-Z]\w*)+$`) // names of statements go on in lower case
	goFile = regexp.MustCompile(`^[\w/.-]+\.go$`)
)

// TestDocumentsNameCodeThatExists checks the names of Go code in docs/architecture.md and docs/concurrency.md: `pkg.Name`,
// `pkg.Type.Method` and `folder/file.go`.
func TestDocumentsNameCodeThatExists(t *testing.T) {
	names, files := declaredNames(t)
	for _, document := range []string{"docs/architecture.md", "docs/concurrency.md"} {
		found := 0
		for _, m := range quoted.FindAllStringSubmatch(fenced.ReplaceAllString(read(t, document), ""), -1) {
			name, _, _ := strings.Cut(m[1], "(")
			switch {
			case goFile.MatchString(name):
				if found++; !files[name] {
					t.Errorf("%s: there is no file %s", document, name)
				}
			case goName.MatchString(name):
				if found++; !names[name] {
					t.Errorf("%s: there is no %s", document, name)
				}
			}
		}
		if found < 3 {
			t.Errorf("%s: found only %d names of Go code", document, found)
		}
	}
}

// declaredNames returns the names that the project declares, each after the name of its package, and the files with each
// part of their path: httpapi/errors.go and errors.go.
func declaredNames(t *testing.T) (names, files map[string]bool) {
	names, files = map[string]bool{}, map[string]bool{}
	for _, f := range slices.Concat(project(t), tests(t)) {
		for name, found := f.name, true; found; _, name, found = strings.Cut(name, "/") {
			files[name] = true
		}
		for _, d := range f.Decls {
			for _, name := range declared(d) {
				names[f.Name.Name+"."+name] = true
			}
		}
	}
	return names, files
}

// declared returns the names of a declaration, Type.Method for a method.
func declared(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		return []string{receiver(d) + "." + d.Name.Name}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
				names = append(names, members(s)...)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// members returns the fields of a struct and the methods of an interface, as Type.Member.
func members(s *ast.TypeSpec) (names []string) {
	var list *ast.FieldList
	switch of := s.Type.(type) {
	case *ast.StructType:
		list = of.Fields
	case *ast.InterfaceType:
		list = of.Methods
	default:
		return nil
	}
	for _, field := range list.List {
		for _, name := range field.Names {
			names = append(names, s.Name.Name+"."+name.Name)
		}
	}
	return names
}

// receiver returns the type of a method's receiver.
func receiver(d *ast.FuncDecl) string {
	of := d.Recv.List[0].Type
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
		case *ast.IndexExpr:
			of = t.X
		case *ast.IndexListExpr:
			of = t.X
		default:
			return of.(*ast.Ident).Name
		}
	}
}
