package main

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/a-h/templ/generator"
	parser "github.com/a-h/templ/parser/v2"
)

// generateTemplates writes NAME_templ.go for each NAME.templ of a folder.
func generateTemplates(folder string) error {
	names, err := filepath.Glob(filepath.Join(folder, "*.templ"))
	if err != nil {
		return err
	}
	files := make([][]byte, len(names))
	drawn := map[string]bool{"Icon": true, "Face": true, "gradient": true} // which are no templates
	for i, name := range names {
		if files[i], err = generateTemplate(name); err == nil {
			files[i], err = withDrawers(files[i], drawn)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for i, name := range names {
		code, err := format.Source(withCalls(files[i], drawn))
		if err == nil {
			err = os.WriteFile(strings.TrimSuffix(name, ".templ")+"_templ.go", code, 0o644) //nolint:gosec // source code, for everybody
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func generateTemplate(name string) ([]byte, error) {
	template, err := parser.Parse(name)
	if err != nil {
		return nil, err
	}
	var code bytes.Buffer
	if _, err := generator.Generate(template, &code, generator.WithFileName(filepath.ToSlash(name))); err != nil {
		return nil, err
	}
	return simplified(code.Bytes()), nil
}

// What templ generates for a text of the template, and for the text of an expression.
var (
	fixedText      = generated(`ERR = templruntime.WriteString\(OUT, \d+, ("(?:[^"\\]|\\.)*")\) if ERR != nil { return ERR }`)
	expressionText = generated(`var VAR string VAR, ERR = templ.JoinStringErrs\((.+?)\) if ERR != nil { return templ.Error{[^\n]+} } ` +
		`_, ERR = OUT.WriteString\(templ.EscapeString\(VAR\)\) if ERR != nil { return ERR }`)
)

// generated compiles a pattern of generated code, with a space where the code has white space.
func generated(pattern string) *regexp.Regexp {
	return regexp.MustCompile("(?s)" + strings.NewReplacer(" ", `\s+`, "{", `\{`, "}", `\}`,
		"ERR", "templ_7745c5c3_Err", "OUT", "templ_7745c5c3_Buffer", "VAR", `templ_7745c5c3_Var\d+`).Replace(pattern))
}

// simplified makes generated code write texts without a check each: the buffer keeps the first error, which its release returns.
// The checks were half of the code. JoinStringErrs formats texts by fmt, which took 13 % of the time of a page.
func simplified(code []byte) []byte {
	code = fixedText.ReplaceAll(code, []byte("templ_7745c5c3_Buffer.WriteString($1)"))
	return expressionText.ReplaceAll(code, []byte("writeText(templ_7745c5c3_Buffer, $1)"))
}
