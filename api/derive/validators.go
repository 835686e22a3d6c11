package derive

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// Validators moves the checks of parameters from ogen's decoders of requests into methods of the parameters. So values that
// never were a request pass the same checks. parameters is the file with the decoders. Each type of parameters gets a
// method Validate, which makes all checks, and a method Each, which names the parameters.
func Validators(parameters []byte) ([]byte, error) {
	source, file, err := parse(parameters)
	if err != nil {
		return nil, err
	}
	var edits []edit
	var methods bytes.Buffer
	for _, declaration := range file.Decls {
		f, isFunction := declaration.(*ast.FuncDecl)
		if !isFunction || !strings.HasPrefix(f.Name.Name, "decode") {
			continue
		}
		all := parametersIn(source, f)
		owner := strings.TrimPrefix(f.Name.Name, "decode")
		for _, p := range all {
			if p.check != nil {
				edits = append(edits, edit{p.check, "if err := params.validate" + p.field + "(); err != nil {\nreturn err\n}"})
			}
		}
		writeMethods(&methods, source, owner, all)
	}
	if len(edits) == 0 {
		return nil, fmt.Errorf("no decoder checks a parameter")
	}
	return format.Source(append(source.apply(edits), methods.Bytes()...))
}

// parameter is one parameter of a decoder.
type parameter struct {
	name, in string
	field    string      // of the struct
	check    *ast.IfStmt // of the value; nil: every value of the type is valid
}

// writeMethods writes the methods of the parameters of one operation.
func writeMethods(to *bytes.Buffer, s source, owner string, all []parameter) {
	for _, p := range all {
		if p.check != nil {
			body := p.check.Init.(*ast.AssignStmt).Rhs[0].(*ast.CallExpr).Fun.(*ast.FuncLit).Body
			fmt.Fprintf(to, "\nfunc (params *%s) validate%s() error %s\n", owner, p.field, s.slice(body))
		}
	}
	fmt.Fprintf(to, "\n// Validate returns an error if a parameter is not as the contract says.\nfunc (params *%s) Validate() error {\n", owner)
	for _, p := range all {
		if p.check != nil {
			fmt.Fprintf(to, "if err := params.validate%s(); err != nil {\nreturn invalidParameter(%q, %q, err)\n}\n", p.field, p.in, p.name)
		}
	}
	to.WriteString("return nil\n}\n")
	fmt.Fprintf(to, "\n// Each calls add with each parameter.\nfunc (params *%s) Each(add func(in, name string, value any)) {\n", owner)
	for _, p := range all {
		fmt.Fprintf(to, "add(%q, %q, params.%s)\n", p.in, p.name, p.field)
	}
	to.WriteString("}\n")
}

// place matches how a decoder names the parameter of an error.
var place = regexp.MustCompile(`Name: +"([^"]+)",\s+In: +"([^"]+)",`)

// decoded matches where a decoder stores a parameter.
var decoded = regexp.MustCompile(`params\.(\w+)(?:\.SetTo\(| = )`)

// parametersIn returns the parameters of a decoder. It decodes each in a statement of its own.
func parametersIn(s source, decoder *ast.FuncDecl) (all []parameter) {
	for _, statement := range decoder.Body.List {
		text := s.slice(statement)
		named, stored := place.FindSubmatch(text), decoded.FindSubmatch(text)
		if named == nil || stored == nil {
			continue
		}
		p := parameter{name: string(named[1]), in: string(named[2]), field: string(stored[1])}
		ast.Inspect(statement, func(n ast.Node) bool {
			check, isIf := n.(*ast.IfStmt)
			if isIf && checksOnly(check) {
				p.check = cmp.Or(p.check, check)
				return false
			}
			return true
		})
		all = append(all, p)
	}
	return all
}

// checksOnly reports whether a statement returns the error of a function that uses nothing of the decoder but the parameters.
func checksOnly(statement *ast.IfStmt) bool {
	assign, isAssign := statement.Init.(*ast.AssignStmt)
	if !isAssign {
		return false
	}
	call, isCall := assign.Rhs[0].(*ast.CallExpr)
	if !isCall || len(call.Args) > 0 {
		return false
	}
	function, isLiteral := call.Fun.(*ast.FuncLit)
	if !isLiteral {
		return false
	}
	var validates, decodes bool
	ast.Inspect(function, func(n ast.Node) bool {
		if id, isName := n.(*ast.Ident); isName {
			validates = validates || id.Name == "params"
			decodes = decodes || slices.Contains([]string{"q", "h", "d", "cfg", "args"}, id.Name)
		}
		return true
	})
	return validates && !decodes
}

// source is the text of a file.
type source struct {
	text []byte
	base int // position of its first byte
}

// parse returns a file of generated code, with its text.
func parse(text []byte) (source, *ast.File, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return source{}, nil, err
	}
	return source{text: text, base: files.File(file.Pos()).Base()}, file, nil
}

func (s source) slice(n ast.Node) []byte { return s.text[int(n.Pos())-s.base : int(n.End())-s.base] }

// edit replaces the text of a node; an empty one removes it.
type edit struct {
	node ast.Node
	text string
}

// apply returns the text with the edits, which do not overlap.
func (s source) apply(edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int { return int(a.node.Pos() - b.node.Pos()) })
	var out []byte
	at := s.base
	for _, e := range edits {
		out = append(out, s.text[at-s.base:int(e.node.Pos())-s.base]...)
		out = append(out, e.text...)
		at = int(e.node.End())
	}
	return append(out, s.text[at-s.base:]...)
}
