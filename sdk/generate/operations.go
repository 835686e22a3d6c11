package main

import (
	"fmt"
	"slices"
	"strings"
)

// goOperations returns a method for each operation, and another for all items of each list.
func (c *contract) goOperations() string {
	var b strings.Builder
	b.WriteString(header + "import (\n\"context\"\n\"io\"\n\"iter\"\n\"net/http\"\n\"net/url\"\n\"time\"\n)\n")
	for _, op := range c.operations {
		if result, ok := op.result(); ok {
			c.writeParams(&b, &op)
			c.writeMethod(&b, &op, result)
		}
	}
	return b.String()
}

// optional returns the parameters in Params. Those of the path are arguments, and the client makes the Idempotency-Key.
func (op *operation) optional() []parameter {
	return slices.DeleteFunc(slices.Clone(op.Parameters), func(p parameter) bool {
		return p.In == "path" || p.Name == "Idempotency-Key"
	})
}

func (op *operation) name() string { return goName(op.ID) }

// failures says with which statuses the operation may fail.
func (op *operation) failures() string {
	var statuses []string
	for _, r := range op.Responses {
		if r.name[0] >= '3' {
			statuses = append(statuses, r.name)
		}
	}
	return "The status of an Error is " + enumerate(statuses, "or") + "."
}

func (c *contract) writeParams(b *strings.Builder, op *operation) {
	params := op.optional()
	if len(params) == 0 {
		return
	}
	fmt.Fprintf(b, "\n// %sParams are the parameters of %s. Fields that are zero or nil are not sent.\ntype %sParams struct {\n", op.name(),
		op.name(), op.name())
	for _, p := range params {
		writeComment(b, p.Description)
		fmt.Fprintf(b, "%s %s\n", goName(p.Name), paramType(p))
	}
	b.WriteString("}\n\n")
	fmt.Fprintf(b, "func (p %sParams) apply(c *call) {\n", op.name())
	for _, p := range params {
		target := map[string]string{"query": "c.query", "header": "c.header"}[p.In]
		fmt.Fprintf(b, "set(%s, %q, p.%s)\n", target, p.Name, goName(p.Name))
	}
	b.WriteString("}\n")
}

// paramType returns a type whose zero value means that the parameter is absent.
func paramType(p parameter) string {
	typ := goType(p.Schema)
	if typ == "float64" {
		return "*" + typ
	}
	return typ
}

func (c *contract) writeMethod(b *strings.Builder, op *operation, result string) {
	name, path := op.name(), fmt.Sprintf("%q", op.path)
	arguments, names := "ctx context.Context", "ctx"
	for _, p := range op.Parameters {
		if p.In != "path" {
			continue
		}
		first, rest, _ := strings.Cut(p.Name, "_")
		variable := first + goName(rest) // eventID for event_id
		arguments, names = arguments+", "+variable+" string", names+", "+variable
		path = strings.Replace(path, "{"+p.Name+"}", `" + url.PathEscape(`+variable+`) + "`, 1)
	}
	fields := fmt.Sprintf("method: http.Method%s, path: %s", goName(strings.ToLower(op.method)), strings.TrimSuffix(path, ` + ""`))
	if op.public() {
		fields += ", public: true"
	}
	if op.keyed() {
		fields += ", keyed: true"
	}
	if result == "binary" {
		fields += ", stream: true"
	}
	apply := ""
	if len(op.optional()) > 0 {
		arguments, names, apply = arguments+", params "+name+"Params", names+", params", "params.apply(request)\n"
	}
	if op.Body != nil {
		if json, ok := op.Body.Content.get("application/json"); ok {
			typ := goType(json.Schema)
			arguments, fields = arguments+", body "+typ, fields+", body: body"
		} else {
			f := op.file()
			arguments, fields = arguments+", "+f.variable+" []byte", fields+", file: "+f.variable
			if f != picture {
				fields += fmt.Sprintf(", mediaType: %q", f.mediaType)
			}
		}
	}
	b.WriteString("\n")
	writeComment(b, fmt.Sprintf("%s %s: %s %s.\n\n%s\n\n%s", name, thirdPerson(op.Summary), op.method, op.path,
		strings.TrimSpace(op.Description), op.failures()))
	request := fmt.Sprintf("request := newCall(call{%s})\n%s", fields, apply)
	switch result {
	case "":
		fmt.Fprintf(b, "func (c *Client) %s(%s) error {\n%sreturn c.do(ctx, request, nil)\n}\n", name, arguments, request)
	case "binary":
		fmt.Fprintf(b, "func (c *Client) %s(%s) (io.ReadCloser, error) {\n%sreturn c.open(ctx, request)\n}\n", name, arguments, request)
	default:
		result = goName(result)
		fmt.Fprintf(b, "func (c *Client) %s(%s) (*%s, error) {\n%sreturn decode[%s](ctx, c, request)\n}\n", name, arguments, result, request,
			result)
	}
	if items, ok := c.list(op); ok {
		fmt.Fprintf(b, "\n// %sAll returns the items of all pages of %s, from params.Cursor on. It ends after an error.\n", name, name)
		fmt.Fprintf(b, "func (c *Client) %sAll(%s) iter.Seq2[%s, error] {\nreturn all(params.Cursor, func(cursor string) ([]%s, *string, error) {\n", name, arguments, goType(items), goType(items))
		fmt.Fprintf(b, "params := params\nparams.Cursor = cursor\npage, err := c.%s(%s)\nif err != nil {\nreturn nil, nil, err\n}\nreturn page.Items, page.NextCursor, nil\n})\n}\n", name, names)
	}
}

// thirdPerson returns "lists events" for "List events".
func thirdPerson(summary string) string {
	if first, second, ok := strings.Cut(summary, ", or "); ok {
		return thirdPerson(first) + ", or " + thirdPerson(second)
	}
	verb, rest, _ := strings.Cut(summary, " ")
	if second, ok := strings.CutPrefix(rest, "or "); ok {
		return thirdPerson(verb) + " or " + thirdPerson(second)
	}
	verb = strings.ToLower(verb)
	switch {
	case strings.HasSuffix(verb, "s"), strings.HasSuffix(verb, "sh"), strings.HasSuffix(verb, "ch"), strings.HasSuffix(verb, "x"):
		verb += "es"
	case strings.HasSuffix(verb, "y") && !strings.ContainsAny(verb[len(verb)-2:len(verb)-1], "aeiou"):
		verb = verb[:len(verb)-1] + "ies"
	default:
		verb += "s"
	}
	return strings.TrimSpace(verb + " " + rest)
}

// tables returns the file of TypeScript that has the values which types cannot express.
func (c *contract) tables() string {
	var b strings.Builder
	b.WriteString("// Generated from api/openapi.yaml by sdk/generate. Do not edit.\n")
	for _, union := range []string{"ErrorCode", "ForbiddenReason"} {
		s, _ := c.Components.Schemas.get(union)
		fmt.Fprintf(&b, "\n/** The values of %s in this version of the contract. */\nexport type %s =\n  | \"%s\";\n", union, union,
			strings.Join(s.Extensible, "\"\n  | \""))
	}
	sets := []struct {
		name, comment string
		contains      func(*operation) bool
	}{
		{"publicOperations", "Operations that need no access token.", (*operation).public},
		{"keyedOperations", "Operations that take an Idempotency-Key.", (*operation).keyed},
	}
	for _, set := range sets {
		fmt.Fprintf(&b, "\n/** %s */\nexport const %s: ReadonlySet<string> = new Set([\n", set.comment, set.name)
		for _, op := range c.operations {
			if set.contains(&op) {
				fmt.Fprintf(&b, "  %q,\n", op.method+" "+op.path)
			}
		}
		b.WriteString("]);\n")
	}
	return b.String()
}
