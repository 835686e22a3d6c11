package architecture_test

import (
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"
)

func TestExportedNamesAreDescribed(t *testing.T) {
	described := map[string]bool{}
	for _, f := range project(t) {
		described[path.Dir(f.name)] = described[path.Dir(f.name)] || f.Doc != nil
		if f.generated() {
			described[path.Dir(f.name)] = true
			continue
		}
		for _, d := range f.Decls {
			for _, name := range undescribed(d) {
				t.Errorf("%s: %s has no comment", at(name), name.Name)
			}
		}
	}
	for at, yes := range described {
		if !yes {
			t.Errorf("%s: the package has no comment", at)
		}
	}
}

// undescribed returns the exported names of a declaration without comment. One
// comment may describe a group of values.
func undescribed(d ast.Decl) []*ast.Ident {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && (d.Recv == nil || ast.IsExported(receiver(d))) {
			return []*ast.Ident{d.Name}
		}
	case *ast.GenDecl:
		var names []*ast.Ident
		for _, s := range d.Specs {
			names = append(names, undescribedSpec(d, s)...)
		}
		return names
	}
	return nil
}

func undescribedSpec(d *ast.GenDecl, s ast.Spec) []*ast.Ident {
	var names []*ast.Ident
	switch s := s.(type) {
	case *ast.TypeSpec:
		if d.Doc == nil && s.Doc == nil && s.Comment == nil {
			names = []*ast.Ident{s.Name}
		}
	case *ast.ValueSpec:
		if d.Doc == nil && s.Doc == nil && s.Comment == nil {
			names = slices.Clone(s.Names)
		}
	}
	return slices.DeleteFunc(names, func(n *ast.Ident) bool { return !n.IsExported() })
}

// uses returns every use of pkg.name in a file.
func uses(f file, pkg, name string) []ast.Node {
	var places []ast.Node
	ast.Inspect(f.File, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == name {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == pkg {
				places = append(places, n)
			}
		}
		return true
	})
	return places
}

func TestOnlyListedFilesReadTheClock(t *testing.T) {
	reads := map[string]bool{}
	for _, f := range project(t) {
		if strings.HasPrefix(f.name, "internal/test/") {
			continue
		}
		for _, name := range []string{"Now", "Since", "Until"} {
			for _, use := range uses(f, "time", name) {
				reads[f.name] = true
				if clockReaders[f.name] == "" {
					t.Errorf("%s reads the machine's clock: take the time or a domain.Clock", at(use))
				}
			}
		}
	}
	for name := range clockReaders {
		if !reads[name] {
			t.Errorf("%s no longer reads the clock: remove it from the list", name)
		}
	}
}

// TestPeriodicJobsThatDeletePause finds periodic jobs that go on while the clock cannot be trusted.
func TestPeriodicJobsThatDeletePause(t *testing.T) {
	found := map[string]bool{}
	for _, f := range project(t) {
		for _, call := range calls(f, "Every") {
			if len(call.Args) != 3 {
				continue
			}
			if kind, ok := text(call.Args[1]); ok {
				found[kind] = true
				if deletesNothing[kind] == "" {
					t.Errorf("%s: if %s ends anything for its age, use Purge; otherwise add it to the list", at(call), kind)
				}
			}
		}
	}
	for kind := range deletesNothing {
		if !found[kind] {
			t.Errorf("%s is no periodic job: remove it from the list", kind)
		}
	}
}

// TestServiceLogsOnlyWithSlog finds code that writes past the structured log.
func TestServiceLogsOnlyWithSlog(t *testing.T) {
	for _, f := range project(t) {
		if !strings.HasPrefix(f.name, "internal/") {
			continue
		}
		if slices.Contains(f.imports(), "log") {
			t.Errorf("%s imports log: use the slog.Logger that app hands out", f.name)
		}
		for _, name := range []string{"Print", "Printf", "Println"} {
			for _, use := range uses(f, "fmt", name) {
				t.Errorf("%s prints", at(use))
			}
		}
	}
}
