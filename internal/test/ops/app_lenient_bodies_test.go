package ops_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"moothall/api"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

// TestOptionalFieldsTakeNull calls every operation with null in each optional field that
// null does not clear. That changes no status.
func TestOptionalFieldsTakeNull(t *testing.T) {
	optional := optionalFields(t)
	for _, engine := range dbtest.RuleEngines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			withNulls := func(r statementRow) string {
				operation, _, _ := strings.Cut(r.name, " ")
				body := r.body
				for _, field := range optional[operation] {
					if !strings.Contains(body, `"`+field+`"`) {
						body = strings.Replace(body, "{", `{"`+field+`":null,`, 1)
					}
				}
				return strings.Replace(body, ",}", "}", 1) // of an empty body
			}
			a := apptest.New(t, engine, statementSettings()...)
			callStatementRows(t, a, one, withNulls, func(int, *apptest.Reply, func() *apptest.Reply) {})
		})
	}
}

// TestNullChangesNothing sends null in fields that cannot be cleared.
func TestNullChangesNothing(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		ann.Patch("/me/profile", `{"display_name":"Ann","username":"ann.of.the.hill","interests":["tea"]}`).Want(200)
		event := ann.Publish(nil)
		ann.Patch("/events/"+event+"/reminders", `{"enabled":true,"offsets_minutes":[60],"channels":["email"]}`).Want(200)
		ann.Post("/feed/preferences", `{"categories":["tea"],"price":"free","include_followed":false}`).Want(200)
		entry := ann.Post("/calendar/entries",
			`{"title":"Tea","starts_at":"2099-01-01T10:00:00Z","all_day":true,"timezone":"Europe/Berlin"}`).Want(201).Text("id")
		for _, row := range []struct{ method, path, body string }{
			{"PATCH", "/me/profile", `{"display_name":null,"username":null,"interests":null}`},
			{"PATCH", "/events/" + event, `{"title":null,"starts_at":null,"timezone":null,"visibility":null,"price":null}`},
			{"PATCH", "/events/" + event + "/reminders", `{"enabled":null,"offsets_minutes":null,"channels":null}`},
			{"POST", "/feed/preferences", `{"categories":null,"muted_categories":null,"price":null,"include_followed":null}`},
			{"PATCH", "/calendar/entries/" + entry, `{"title":null,"starts_at":null,"timezone":null,"all_day":null}`},
		} {
			a.Clock.Advance(time.Second)
			empty := ann.Do(row.method, row.path, `{}`).Want(200)
			if got := ann.Do(row.method, row.path, row.body).Want(200); string(got.Body) != string(empty.Body) {
				t.Errorf("%s %s changed\n%s\nto\n%s", row.method, row.path, empty.Body, got.Body)
			}
		}
		for _, row := range []struct{ path, body string }{
			{"/events", `{"title":null,"starts_at":"2099-01-01T10:00:00Z"}`},
			{"/events/" + event + "/posts", `{"body":null}`},
		} {
			ann.Post(row.path, row.body).WantError(400, "invalid_request")
		}
	}, apptest.StartAt(apptest.Today))
}

// optionalFields returns the fields of each operation that may be absent and that null
// does not clear.
func optionalFields(t *testing.T) map[string][]string {
	t.Helper()
	doc, err := api.Document()
	if err != nil {
		t.Fatal(err)
	}
	optional := map[string][]string{}
	for _, path := range doc.Paths.Map() {
		for method, op := range path.Operations() {
			if op.RequestBody == nil {
				continue
			}
			media := op.RequestBody.Value.Content["application/json"]
			if media == nil {
				continue // a picture
			}
			schema := media.Schema.Value
			for name, property := range schema.Properties {
				clears := method == "PATCH" && property.Value.Type.Includes("null")
				if !slices.Contains(schema.Required, name) && !clears {
					optional[op.OperationID] = append(optional[op.OperationID], name)
				}
			}
		}
	}
	return optional
}

// TestIntegersMayHaveFractionsOfZero writes a capacity in many forms.
func TestIntegersMayHaveFractionsOfZero(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		for written, want := range map[string]int{
			"5": 5, "5.0": 5, "5e0": 5, "5E+0": 5, "50e-1": 5, "0.5e1": 5, "5.000": 5, "1e2": 100,
			"5.5": 0, "-5": 0, "0.0": 0, "1e400": 0, "1e-400": 0, "1e30": 0, `"5"`: 0, `"5.0"`: 0, "05": 0, "5.": 0, "true": 0,
		} {
			got := a.As("ann").Post("/events", `{"title":"Tea","starts_at":"2099-01-01T10:00:00Z","capacity":`+written+`}`)
			switch capacity := got.Get("event.capacity"); {
			case want == 0:
				got.WantError(400, "invalid_request")
			case got.Status != 201 || fmt.Sprint(capacity) != strconv.Itoa(want):
				t.Errorf("%s: %d, capacity %v", written, got.Status, capacity)
			}
		}
	})
}
