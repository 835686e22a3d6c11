package event

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"moothall/api/gen"
	"moothall/internal/test/dbtest"
)

// uncleaned are texts whose values Rules.complete or the contract restrict.
var uncleaned = []string{"visibility", "timezone", "price_currency", "date_mode", "price", "waitlist", "join_policy"}

// TestFieldsAreThoseOfContract says what a field lacks.
func TestFieldsAreThoseOfContract(t *testing.T) {
	const file = "internal/meetup/event/fields.go"
	stored, err := dbtest.Columns("events")
	if err != nil {
		t.Fatal(err)
	}
	for _, request := range []any{gen.CreateEventRequest{}, gen.UpdateEventRequest{}} {
		for property := range reflect.TypeOf(request).Fields() {
			if name := property.Tag.Get("json"); name != untitled && !slices.Contains(fieldColumns.Names(), name) {
				t.Errorf("%T has %s: add it to Fields and to fieldColumns in %s", request, name, file)
			}
		}
	}
	for _, c := range fieldColumns {
		if !slices.Contains(stored, c.Column) {
			t.Errorf("events has no column %s: add a file to internal/platform/db/migrations", c.Column)
		}
		for schema, property := range map[string]any{
			"CreateEventRequest":                       new(gen.CreateEventRequest).Property(c.Column),
			"UpdateEventRequest":                       new(gen.UpdateEventRequest).Property(c.Column),
			"EventDetailsCore or EventDetailsLocation": new(gen.EventDetails).Property(c.Column),
		} {
			if property == nil && (c.Column != "group_id" || !strings.HasPrefix(schema, "EventDetails")) { // details have the group itself
				t.Errorf("add %s to %s in api/openapi.yaml, then run make generate", c.Column, schema)
			}
		}
		isCleaned := slices.ContainsFunc(textCleaners, func(t textCleaner) bool { return t.column == c.Column })
		if isText(c.Var(new(Fields))) && !isCleaned && !slices.Contains(uncleaned, c.Column) {
			t.Errorf("add a cleaner for %s to textCleaners in %s", c.Column, file)
		}
	}
	if !t.Failed() { // these panic if a property has another type than the others
		body{new(gen.CreateEventRequest)}.Apply(new(Fields))
		body{new(gen.UpdateEventRequest)}.Apply(new(Fields))
		write(new(gen.EventDetails), new(Fields))
	}
}

func isText(variable any) bool {
	v := reflect.TypeOf(variable).Elem()
	return v.Kind() == reflect.String || v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.String
}
