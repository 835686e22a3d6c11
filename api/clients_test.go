package api_test

import (
	"fmt"
	"slices"
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

// TestSchemaNamesDoNotClash compares the names of schemas with the names that generators
// derive from operations or that languages reserve.
func TestSchemaNamesDoNotClash(t *testing.T) {
	doc := load(t)
	taken := map[string]string{}
	for _, reserved := range []string{"Any", "Array", "Error", "Exception", "List", "Map", "None", "Object", "Result", "String", "Type",
		"Unit", "Unset"} {
		taken[strings.ToLower(reserved)] = "a type of many languages"
	}
	for name, op := range operations(doc) {
		for _, suffix := range []string{"Response", "Params", "JSONBody", "JSONRequestBody", "Request", "RequestBody"} {
			taken[strings.ToLower(op.OperationID+suffix)] = "generated for " + name
		}
	}
	schemas := map[string]string{}
	for name, schema := range doc.Components.Schemas {
		if used := taken[strings.ToLower(name)]; used != "" && !isBodyOf(doc, schema.Value, name) {
			t.Errorf("schema %s has the name of %s", name, used)
		}
		if other := schemas[strings.ToLower(name)]; other != "" {
			t.Errorf("the schemas %s and %s differ in case only", name, other)
		}
		schemas[strings.ToLower(name)] = name
	}
}

// isBodyOf reports whether the schema is the request body of the operation from which
// generators derive its name: then both are one type.
func isBodyOf(doc *openapi3.T, schema *openapi3.Schema, name string) bool {
	for _, op := range operations(doc) {
		if strings.EqualFold(op.OperationID+"Request", name) {
			return op.RequestBody != nil && op.RequestBody.Value.Content["application/json"].Schema.Value == schema
		}
	}
	return false
}

// TestBodiesSuitGenerators checks every property: a default makes an optional field
// required in TypeScript, and a field that is always refused is none.
func TestBodiesSuitGenerators(t *testing.T) {
	for name, schema := range load(t).Components.Schemas {
		for property, value := range schema.Value.Properties {
			// A default beside $ref is in Extensions: the loader takes only the target.
			if _, extra := value.Extensions["default"]; extra || value.Value.Default != nil {
				t.Errorf("%s.%s has a default: put it in the description", name, property)
			}
			if value.Value.Not != nil || value.Value.ReadOnly || value.Extensions["readOnly"] != nil {
				t.Errorf("%s.%s is refused: list it in x-refused", name, property)
			}
		}
	}
}

// TestResponsesHaveOpenEnums checks that values can be added without breaking generated
// clients, and that the descriptions list those of today.
func TestResponsesHaveOpenEnums(t *testing.T) {
	// These are complete by nature, or sent by clients more often than received.
	closed := []string{"CalendarInviteRole", "EventDateMode", "EventJoinPolicy", "EventPrice", "EventVisibility", "EventWaitlist",
		"InvitationAnswer", "MyEventsRole", "ParticipationVisibility", "PriceFilter", "QuestionKind", "QuestionScope",
		"SeriesPublish", "TokenType"}
	for name, schema := range load(t).Components.Schemas {
		if schema.Value.Enum != nil && !slices.Contains(closed, name) {
			t.Errorf("%s is closed: use x-extensible-enum", name)
		}
		values, _ := schema.Value.Extensions["x-extensible-enum"].([]any)
		for _, value := range values {
			if !strings.Contains(schema.Value.Description, fmt.Sprintf("%#q", value)) {
				t.Errorf("the description of %s lacks %s", name, value)
			}
		}
	}
}

// TestBinaryResponsesHaveSchemas gives typed clients bytes. Some generators know only
// application/octet-stream.
func TestBinaryResponsesHaveSchemas(t *testing.T) {
	for name, op := range operations(load(t)) {
		for status, response := range op.Responses.Map() {
			for mediaType, media := range response.Value.Content {
				if strings.HasSuffix(mediaType, "json") || strings.HasPrefix(mediaType, "text/html") {
					continue
				}
				if media.Schema == nil || media.Schema.Value.Format != "binary" {
					t.Errorf("%s: %s of %s is not binary", name, mediaType, status)
				}
				if strings.HasPrefix(mediaType, "image/") && response.Value.Content["application/octet-stream"] == nil {
					t.Errorf("%s: %s has no application/octet-stream", name, status)
				}
			}
		}
	}
}
