package web_test

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

var (
	// unedited are fields of requests that follow from others or that another form has.
	unedited = []string{"date_mode", "price", "image_url", "group_id"}
	// unshown are fields of details that the page of the event does not show.
	unshown = []string{"SelectedDateOptionID", "PublishedAt", "CreatedAt", "UpdatedAt", "CanceledAt", "CompletedAt", "OccurrenceAt",
		"SeriesDetached"}
)

// TestPagesHaveEventFields says what pages and texts a field of events lacks.
func TestPagesHaveEventFields(t *testing.T) {
	read := func(file string) string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var texts map[string]any
	if err := json.Unmarshal([]byte(read("texts/en.json")), &texts); err != nil {
		t.Fatal(err)
	}
	form, pages := read("view/edit.templ"), sources(t)
	for property := range reflect.TypeFor[gen.UpdateEventRequest]().Fields() {
		name := property.Tag.Get("json")
		if slices.Contains(unedited, name) {
			continue
		}
		if !strings.Contains(form, `"`+name+`"`) {
			t.Errorf("UpdateEventRequest has %s: add a field in internal/web/view/edit.templ", name)
		}
		if !slices.Contains(view.EditFields, name) {
			t.Errorf("add %s to EditFields in internal/web/view/edit.go", name)
		}
		if texts["edit.field."+name] == nil && texts["edit."+name] == nil {
			t.Errorf("add the label edit.field.%s to internal/web/texts/*.json", name)
		}
		if texts["field."+name] == nil && texts["edit."+name] == nil {
			t.Errorf("add field.%s, which explains a wrong value, to internal/web/texts/*.json", name)
		}
	}
	for _, details := range []reflect.Type{reflect.TypeFor[gen.EventDetailsCore](), reflect.TypeFor[gen.EventDetailsLocation]()} {
		for property := range details.Fields() {
			if use := regexp.MustCompile(`\.` + property.Name + `\b`); !use.MatchString(pages) && !slices.Contains(unshown, property.Name) {
				t.Errorf("%s has %s: show it in internal/web/view/event.templ", details.Name(), property.Name)
			}
		}
	}
}
