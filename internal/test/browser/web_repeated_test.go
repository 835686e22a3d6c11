package browser

import (
	"net/http"
	"regexp"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"moothall/api"
	"moothall/api/gen"
	"moothall/internal/core/address"
	"moothall/internal/meetup/event"
	"moothall/internal/test/apptest"
	"moothall/internal/web/view"
)

// TestPagesRepeatTheService compares what the pages say again because they import only the contract.
func TestPagesRepeatTheService(t *testing.T) {
	document, err := openapi3.NewLoader().LoadFromData(api.Spec)
	if err != nil {
		t.Fatal(err)
	}
	var documented []string
	theme := document.Components.Schemas["CreateEventRequest"].Value.Properties["theme"].Value
	for _, name := range regexp.MustCompile("`([a-z]+)`").FindAllStringSubmatch(theme.Description, -1) {
		documented = append(documented, name[1])
	}
	if !slices.Equal(event.Themes, documented) || !slices.Equal(view.Themes, documented) {
		t.Errorf("the service has the themes %q, pages %q, the contract %q", event.Themes, view.Themes, documented)
	}
	if page, service := view.PersonURL(gen.PublicProfile{Username: "anna"}), address.User("anna"); page != service {
		t.Errorf("pages link to %s, messages to %s", page, service)
	}
}

// TestCategoriesInAnyCase shows an event whose category a client has written in upper case.
func TestCategoriesInAnyCase(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		id := org.Publish(apptest.Fields{"category": "GAMES"})
		b := signedIn(t, a, "org")
		b.open(pageOf(org, id), "Accept-Language", "de").want(t, http.StatusOK, "Spiele", "#dices", "not", "GAMES")
		b.open("/events/"+id+"/edit").want(t, http.StatusOK, `value="games" checked`, "not", `value="-" checked`, "GAMES")
		b.step("updateEvent", "/events/"+id+"/edit", map[string]string{"event_id": id, "category": view.OtherCategory, "other_category": "Music"})
		if category := org.Get("/events/" + id).Text("event.category"); category != "music" {
			t.Errorf("the form stored %s", category)
		}
	}, settings...)
}
