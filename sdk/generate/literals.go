package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/go-faster/yaml"
)

// goValue returns an expression of a type of the SDK for Go, which has the value of an example.
func (c *contract) goValue(typ string, s schema, node *yaml.Node) string {
	s, _ = s.nonNull()
	switch {
	case strings.HasPrefix(typ, "Nullable["):
		inner := strings.TrimSuffix(strings.TrimPrefix(typ, "Nullable["), "]")
		if node.Tag == "!!null" {
			return "moothall.Null[" + qualify(inner) + "]()"
		}
		return "moothall.Set(" + c.goValue(inner, s, node) + ")"
	case node.Tag == "!!null":
		return "nil"
	case strings.HasPrefix(typ, "*"):
		return "new(" + c.goValue(typ[1:], s, node) + ")"
	case strings.HasPrefix(typ, "[]"):
		var items []string
		for _, item := range node.Content {
			items = append(items, c.goValue(typ[2:], *s.Items, item))
		}
		return qualify(typ) + "{" + strings.Join(items, ", ") + "}"
	case typ == "time.Time":
		return goTime(node.Value)
	case typ == "float64" && !strings.Contains(node.Value, "."):
		return "float64(" + node.Value + ")"
	case s.Ref != "":
		return c.goNamed(typ, nameOf(s.Ref), node)
	}
	return goLiteral(node)
}

// goNamed returns an expression of the type of a schema: a constant, a struct, or another value.
func (c *contract) goNamed(typ, name string, node *yaml.Node) string {
	s, _ := c.Components.Schemas.get(name)
	if len(s.Enum)+len(s.Extensible) > 0 {
		return qualify(typ) + goName(node.Value)
	}
	if len(s.Properties) == 0 {
		value := c.goValue(goType(s), s, node)
		if goType(s) == "int" { // new(2) is no pointer to a named type
			return qualify(typ) + "(" + value + ")"
		}
		return value
	}
	var fields []string
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i].Value, node.Content[i+1]
		property, _ := s.Properties.get(key)
		field := entry[schema]{key, property}
		fields = append(fields, goName(key)+": "+c.goValue(c.fieldType(name, s, field), property, value))
	}
	return composite(qualify(typ), fields)
}

// qualify adds the package to the name of a type of the SDK.
func qualify(typ string) string {
	if element, ok := strings.CutPrefix(typ, "[]"); ok {
		return "[]" + qualify(element)
	}
	if typ[0] >= 'A' && typ[0] <= 'Z' {
		return "moothall." + typ
	}
	return typ
}

// composite returns a literal. More than two fields have a line each.
func composite(typ string, fields []string) string {
	if len(fields) > 2 {
		return typ + "{\n" + strings.Join(fields, ",\n") + ",\n}"
	}
	return typ + "{" + strings.Join(fields, ", ") + "}"
}

// goTime returns an expression in UTC for a timestamp. The contract's examples are valid.
func goTime(timestamp string) string {
	t, err := time.Parse(time.RFC3339, timestamp)
	if err != nil {
		panic(err)
	}
	t = t.UTC()
	return fmt.Sprintf("time.Date(%d, %d, %d, %d, %d, %d, 0, time.UTC)", t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second())
}

// goLiteral returns an expression for a value of any type.
func goLiteral(node *yaml.Node) string {
	var items []string
	switch node.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			items = append(items, fmt.Sprintf("%q: %s", node.Content[i].Value, goLiteral(node.Content[i+1])))
		}
		return composite("map[string]any", items)
	case yaml.SequenceNode:
		for _, item := range node.Content {
			items = append(items, goLiteral(item))
		}
		return composite("[]any", items)
	default:
		return compactJSON(node)
	}
}

// compactJSON returns an example as JSON, in the order of the contract.
func compactJSON(node *yaml.Node) string {
	var items []string
	switch node.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			items = append(items, compactJSON(node.Content[i])+": "+compactJSON(node.Content[i+1]))
		}
		return "{" + strings.Join(items, ", ") + "}"
	case yaml.SequenceNode:
		for _, item := range node.Content {
			items = append(items, compactJSON(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	default:
		if node.Tag == "!!str" || node.Tag == "!!timestamp" {
			return fmt.Sprintf("%q", node.Value)
		}
		return node.Value // a number, a bool or null
	}
}

// jsonText returns an example as JSON. Long ones have a line for each value.
func jsonText(node *yaml.Node) string {
	text := compactJSON(node)
	if len(text) <= 80 {
		return text
	}
	var lines bytes.Buffer
	if err := json.Indent(&lines, []byte(text), "", "  "); err != nil {
		panic(err)
	}
	return lines.String()
}

// quote returns a word for a shell.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// indent indents every line by two spaces.
func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}
