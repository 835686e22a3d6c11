package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// TestDemoIsAlive looks at the demo as Anna: a month of events with pictures, guests, posts, reviews,
// votes and messages.
func TestDemoIsAlive(t *testing.T) {
	anna := &exampleClient{t: t, base: "http://" + serveDemo(t, copyDemo(t))}
	anna.signIn()
	var events struct {
		Items []struct {
			Event struct {
				ID, Title string
				Image     string `json:"image_url"`
			}
			Organizer struct {
				Avatar string `json:"avatar_url"`
			}
		}
	}
	anna.get("/events?limit=100", &events)
	ids, covers := map[string]string{}, []string{}
	for _, i := range events.Items {
		ids[i.Event.Title] = i.Event.ID
		if i.Event.Image != "" {
			covers = append(covers, i.Event.Image)
		}
	}
	if len(events.Items) < 50 || len(covers) < 30 {
		t.Fatalf("%d events, %d with a cover", len(events.Items), len(covers))
	}
	for _, url := range []string{covers[0], events.Items[0].Organizer.Avatar} {
		_, path, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
		if status, file := anna.send(http.MethodGet, "/"+path, nil); status != http.StatusOK || http.DetectContentType(file) != "image/jpeg" {
			t.Errorf("picture %q: %d", url, status)
		}
	}
	for _, c := range []struct{ title, list string }{
		{"Board games at the park café", "messages"},
		{"Open stage: three songs each", "posts"},
		{"Games night: the long ones", "date-options"},
	} {
		var list struct {
			Items []struct {
				Votes int `json:"vote_count"`
			}
		}
		anna.get("/events/"+ids[c.title]+"/"+c.list, &list)
		if len(list.Items) == 0 || c.list == "date-options" && list.Items[0].Votes == 0 {
			t.Errorf("%s of %q: %+v", c.list, c.title, list)
		}
	}
}

// get decodes the response of a request that must succeed.
func (c *exampleClient) get(path string, into any) {
	c.t.Helper()
	status, body := c.send(http.MethodGet, path, nil)
	if err := json.Unmarshal(body, into); status != http.StatusOK || err != nil {
		c.t.Fatalf("GET %s: %d %v %s", path, status, err, body)
	}
}
