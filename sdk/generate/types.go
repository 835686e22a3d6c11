package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

const header = `// Code generated from api/openapi.yaml by sdk/generate. DO NOT EDIT.

package moothall

`

// goTypes returns the schemas of the contract as types.
func (c *contract) goTypes() string {
	var b strings.Builder
	b.WriteString(header + "import (\n\"encoding/json\"\n\"time\"\n)\n")
	for _, s := range c.Components.Schemas {
		c.writeType(&b, s.name, s.value)
	}
	return b.String()
}

func (c *contract) writeType(b *strings.Builder, name string, s schema) {
	b.WriteString("\n")
	switch values := slices.Concat(s.Enum, s.Extensible); {
	case len(values) > 0:
		writeComment(b, c.describe(name, s.Description))
		fmt.Fprintf(b, "type %s string\n\n// The values of %s.\nconst (\n", goName(name), goName(name))
		for _, v := range values {
			fmt.Fprintf(b, "%s%s %s = %q\n", goName(name), goName(v), goName(name), v)
		}
		b.WriteString(")\n")
	case len(s.Properties) > 0:
		writeComment(b, c.describe(name, s.Description))
		fmt.Fprintf(b, "type %s struct {\n", goName(name))
		for _, p := range s.Properties {
			typ, tag := c.fieldType(name, s, p), p.name
			if !slices.Contains(s.Required, p.name) {
				tag += ",omitzero"
			}
			writeComment(b, p.value.Description)
			fmt.Fprintf(b, "%s %s `json:%q`\n", goName(p.name), typ, tag)
		}
		b.WriteString("}\n")
	default:
		writeComment(b, c.describe(name, s.Description))
		fmt.Fprintf(b, "type %s %s\n", goName(name), goType(s))
	}
}

// fieldType returns the type of a field. A pointer is nil if the field is absent or null. A field is a
// Nullable if a PATCH distinguishes the two.
func (c *contract) fieldType(name string, s schema, p entry[schema]) string {
	inner, nullable := p.value.nonNull()
	typ, optional := goType(inner), !slices.Contains(s.Required, p.name)
	switch {
	case optional && nullable && c.distinguishesNull(name):
		return "Nullable[" + typ + "]"
	case strings.HasPrefix(typ, "[]"), strings.HasPrefix(typ, "map["), typ == "any", typ == "json.RawMessage":
		return typ
	case optional || nullable:
		return "*" + typ
	}
	return typ
}

// distinguishesNull reports whether null in the schema clears a field: in bodies of PATCH and in the feed preferences.
func (c *contract) distinguishesNull(name string) bool {
	return name == "SetFeedPreferencesRequest" || slices.ContainsFunc(c.operations, func(op operation) bool {
		if op.method != "PATCH" || op.Body == nil {
			return false
		}
		json, _ := op.Body.Content.get("application/json")
		return nameOf(json.Schema.Ref) == name
	})
}

// nonNull returns the schema without null.
func (s schema) nonNull() (schema, bool) {
	if len(s.OneOf) == 2 && slices.Equal(s.OneOf[1].Type, texts{"null"}) {
		return s.OneOf[0], true
	}
	if i := slices.Index(s.Type, "null"); i >= 0 {
		s.Type = slices.Delete(slices.Clone(s.Type), i, i+1)
		return s, true
	}
	return s, false
}

func goType(s schema) string {
	if s.Ref != "" {
		return goName(nameOf(s.Ref))
	}
	if len(s.OneOf) > 0 {
		return "json.RawMessage"
	}
	if len(s.Type) == 0 {
		return "any"
	}
	switch s.Type[0] {
	case "string":
		switch s.Format {
		case "date-time":
			return "time.Time"
		case "binary":
			return "[]byte"
		}
		return "string"
	case "integer":
		return "int"
	case "number":
		return "float64"
	case "boolean":
		return "bool"
	case "array":
		return "[]" + goType(*s.Items)
	}
	return "map[string]any"
}

var initialisms = map[string]string{
	"api": "API", "idp": "IDP", "id": "ID", "ids": "IDs", "ical": "ICal", "ics": "ICS", "ip": "IP", "url": "URL", "uri": "URI", "rsvp": "RSVP",
	"p256dh": "P256DH",
}

var words = regexp.MustCompile(`[A-Z]*[a-z0-9]+|[A-Z]+`)

// goName returns an exported name: EventID for event_id, APIKey for ApiKey.
func goName(name string) string {
	var b strings.Builder
	for _, part := range words.FindAllString(name, -1) {
		if fixed, ok := initialisms[strings.ToLower(part)]; ok {
			b.WriteString(fixed)
			continue
		}
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

// describe begins a description with the name of what it describes. A type without a description is described by its use.
func (c *contract) describe(name, description string) string {
	if description != "" {
		return goName(name) + ": " + strings.TrimSpace(description)
	}
	var bodies, results []string
	for _, op := range c.operations {
		result, called := op.result()
		if called && result == name {
			results = append(results, op.name())
		}
		if op.Body == nil || !called {
			continue
		}
		if json, ok := op.Body.Content.get("application/json"); ok && nameOf(json.Schema.Ref) == name {
			bodies = append(bodies, op.name())
		}
	}
	switch {
	case len(bodies) > 0:
		return goName(name) + " is the body of " + enumerate(bodies, "and") + "."
	case len(results) > 0:
		return goName(name) + " is the response of " + enumerate(results, "and") + "."
	}
	return goName(name) + " is part of other types."
}

// enumerate returns "a, b and c".
func enumerate(list []string, conjunction string) string {
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " " + conjunction + " " + list[last]
}

// writeComment writes a comment. Tables become preformatted text.
func writeComment(b *strings.Builder, text string) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		if strings.HasPrefix(line, "| --- |") {
			continue
		}
		if strings.HasPrefix(line, "|") {
			line = "\t" + line
		}
		b.WriteString(strings.TrimRight("// "+strings.TrimRight(line, "\n"), " ") + "\n")
	}
}
