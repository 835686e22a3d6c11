package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
)

// A component of templ is a closure, and rendering it looks for a buffer and for children in its context. The compiler copies
// the body of the closure to wherever the component is called. So what draws a component without children becomes a function of
// its own, which templates call:
//
//	func Face(p *Page) templ.Component { return component(func(...) error { return drawFace(ctx, out, p) }) }
//	func drawFace(ctx context.Context, out *templruntime.Buffer, p *Page) error

// head is the number of statements with which templ begins each component.
const head = 8

// withDrawers divides the components without children in a generated file. It adds their names to drawn.
func withDrawers(code []byte, drawn map[string]bool) ([]byte, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", code, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	text := func(from, to token.Pos) string {
		return string(code[files.Position(from).Offset:files.Position(to).Offset])
	}
	var out bytes.Buffer
	rest := file.Pos()
	out.WriteString(text(file.FileStart, rest))
	for _, declaration := range file.Decls {
		f, isFunction := declaration.(*ast.FuncDecl)
		if !isFunction {
			continue
		}
		body := drawnBy(f)
		if body == nil {
			continue
		}
		drawn[f.Name.Name] = true
		parameters := text(f.Type.Params.Opening+1, f.Type.Params.Closing)
		fmt.Fprintf(&out, "%s\nreturn component(func(ctx pageContext, out *buffer) error { return draw%s(ctx, out%s) })\n}\n\n",
			text(rest, f.Body.Lbrace+1), f.Name.Name, arguments(f.Type.Params))
		fmt.Fprintf(&out, "func draw%s(ctx pageContext, templ_7745c5c3_Buffer *buffer, %s) (templ_7745c5c3_Err error) {\n%s\n}",
			f.Name.Name, parameters, text(body[head-1].End(), body[len(body)-1].End()))
		rest = f.End()
	}
	out.WriteString(text(rest, file.FileEnd))
	return out.Bytes(), nil
}

// drawnBy returns the statements of a component, nil for a function that is none or uses children.
func drawnBy(f *ast.FuncDecl) []ast.Stmt {
	if f.Recv != nil || len(f.Body.List) != 1 {
		return nil
	}
	returned, isReturn := f.Body.List[0].(*ast.ReturnStmt)
	if !isReturn || len(returned.Results) != 1 {
		return nil
	}
	call, isCall := returned.Results[0].(*ast.CallExpr)
	if !isCall || len(call.Args) != 1 {
		return nil
	}
	closure, isClosure := call.Args[0].(*ast.FuncLit)
	if !isClosure || len(closure.Body.List) <= head {
		return nil
	}
	children := closure.Body.List[5].(*ast.AssignStmt).Lhs[0].(*ast.Ident).Name
	uses := false
	for _, statement := range closure.Body.List[head:] {
		ast.Inspect(statement, func(n ast.Node) bool {
			name, isName := n.(*ast.Ident)
			uses = uses || isName && name.Name == children
			return true
		})
	}
	if uses {
		return nil
	}
	return closure.Body.List
}

// arguments returns the arguments that pass on all parameters, after others.
func arguments(parameters *ast.FieldList) string {
	var all strings.Builder
	for _, field := range parameters.List {
		for _, name := range field.Names {
			all.WriteString(", " + name.Name)
			if _, isVariadic := field.Type.(*ast.Ellipsis); isVariadic {
				all.WriteString("...")
			}
		}
	}
	return all.String()
}

// renders matches how templ begins and ends a call of a component.
var renders = regexp.MustCompile(`templ_7745c5c3_Err = (\w+)\((.*)\)\.Render\(ctx, templ_7745c5c3_Buffer\)\n`)

// withCalls makes a generated file call what draws a component.
func withCalls(code []byte, drawn map[string]bool) []byte {
	return renders.ReplaceAllFunc(code, func(call []byte) []byte {
		part := renders.FindSubmatch(call)
		if !drawn[string(part[1])] {
			return call
		}
		return fmt.Appendf(nil, "templ_7745c5c3_Err = draw%s(ctx, templ_7745c5c3_Buffer, %s)\n", part[1], part[2])
	})
}
