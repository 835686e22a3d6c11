package derive

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// reading are the methods that only what a request contains needs: the server decodes and validates nothing else.
var reading = []string{"Decode", "UnmarshalJSON", "Validate"}

// accessor matches the name of a method that gets or sets a field, which is exported itself.
var accessor = regexp.MustCompile(`^[GS]et([A-Z]\w*)$`)

// WithoutUnused removes from generated files the methods that read what no request contains, and those that only get or set a
// field of a struct. files are the files of package gen by name.
func WithoutUnused(files map[string][]byte) error {
	types, requested, err := typesIn(files)
	if err != nil {
		return err
	}
	inRequests := map[string]bool{}
	for _, name := range requested {
		addParts(inRequests, types, name)
	}
	if len(inRequests) == 0 {
		return fmt.Errorf("no request has a type")
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasPrefix(name, "oas_") {
			continue
		}
		if files[name], err = without(files[name], func(n ast.Node) bool {
			f, isFunction := n.(*ast.FuncDecl)
			if !isFunction || f.Recv == nil {
				return false
			}
			owner := ownerOf(f)
			field := accessor.FindStringSubmatch(f.Name.Name)
			if len(field) == 2 && hasField(types[owner], field[1]) && len(f.Body.List) == 1 {
				return true
			}
			return types[owner] != nil && slices.Contains(reading, f.Name.Name) && !inRequests[owner]
		}); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// typesIn returns the types of package gen, and the names of those that operations take: bodies and parameters.
func typesIn(files map[string][]byte) (types map[string]ast.Expr, requested []string, err error) {
	types = map[string]ast.Expr{}
	for name, text := range files {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, isType := n.(*ast.TypeSpec); isType {
				types[spec.Name.Name] = spec.Type
			}
			return true
		})
	}
	for _, handler := range []string{"Handler", "RawHandler"} {
		for _, method := range types[handler].(*ast.InterfaceType).Methods.List {
			requested = append(requested, namesIn(method.Type.(*ast.FuncType).Params)...)
		}
	}
	return types, requested, nil
}

// addParts adds a type and the types of its parts.
func addParts(to map[string]bool, types map[string]ast.Expr, name string) {
	if types[name] == nil || to[name] {
		return
	}
	to[name] = true
	for _, part := range namesIn(types[name]) {
		addParts(to, types, part)
	}
}

// namesIn returns the names in a type.
func namesIn(n ast.Node) (names []string) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, isName := n.(*ast.Ident); isName {
			names = append(names, id.Name)
		}
		return true
	})
	return names
}

func hasField(of ast.Expr, name string) bool {
	s, isStruct := of.(*ast.StructType)
	return isStruct && slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool { return len(f.Names) == 1 && f.Names[0].Name == name })
}

// ownerOf returns the name of the type of a method.
func ownerOf(f *ast.FuncDecl) string {
	owner := f.Recv.List[0].Type
	if pointer, isPointer := owner.(*ast.StarExpr); isPointer {
		owner = pointer.X
	}
	if name, isName := owner.(*ast.Ident); isName {
		return name.Name
	}
	return ""
}
