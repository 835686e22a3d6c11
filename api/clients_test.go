package api_test

import (
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// The tests of this file keep out of the contract what generated clients mishandle.

// TestCursorsArePlainStrings keeps typed clients from parsing cursors: date types drop
// nanoseconds, and the client gets the same page for ever.
func TestCursorsArePlainStrings(t *testing.T) {
	doc := load(t)
	check := func(name string, schema *openapi3.Schema) {
		if !schema.Type.Includes("string") || schema.Format != "" {
			t.Errorf("%s is not a plain string", name)
		}
	}
	for name, op := range operations(doc) {
		for _, p := range op.Parameters {
			if p.Value.Name == "cursor" || p.Value.Name == "before" {
				check(name+" "+p.Value.Name, p.Value.Schema.Value)
			}
		}
	}
	for name, schema := range doc.Components.Schemas {
		for property, value := range schema.Value.Properties {
			if strings.HasSuffix(property, "next_cursor") {
				check(name+"."+property, value.Value)
			}
		}
	}
}
