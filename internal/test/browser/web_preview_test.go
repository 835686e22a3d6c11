package browser

import (
	"encoding/json"
	"html"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

var (
	ogImage = regexp.MustCompile(`<meta property="og:image" content="([^"]*)"`)
	jsonLD  = regexp.MustCompile(`(?s)<script[^>]* type="application/ld\+json"[^>]*>(.*?)</script>`)
)

// TestLinkPreviews looks at events as services that show links do: anonymously.
func TestLinkPreviews(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		starts := apptest.Today.AddDate(0, 0, 3).Format("2006-01-02T15:04:05Z07:00")
		hostile := "</script><img src=x onerror=alert(1)> \"q\" 🎲 " + strings.Repeat("a\u0301", 30)
		for _, c := range []struct {
			name   string
			fields apptest.Fields
			shown  bool
		}{
			{"public", apptest.Fields{"city": "Berlin", "location_text": "Café"}, true},
			{"with a cover", apptest.Fields{"image_url": "https://example.org/cover.jpg"}, true},
			{"hostile title", apptest.Fields{"title": hostile}, true},
			{"private", apptest.Fields{"visibility": "private"}, false},
		} {
			t.Run(c.name, func(t *testing.T) {
				fields := apptest.Fields{"title": "Board games", "starts_at": starts}
				maps.Copy(fields, c.fields)
				id := a.As("org").In(t).Publish(fields)
				picture := visitor(t, a).open("/cards/" + id + ".png")
				if isPNG := picture.StatusCode == http.StatusOK && http.DetectContentType([]byte(picture.Body)) == "image/png"; isPNG != c.shown {
					t.Errorf("card: %d %s", picture.StatusCode, picture.Header.Get("Content-Type"))
				}
				if !c.shown {
					page := signedIn(t, a, "org").open("/events/" + id)
					if page.StatusCode != http.StatusOK || strings.Contains(page.Body, `"og:`) || strings.Contains(page.Body, "ld+json") {
						t.Errorf("the organizer's page of the private event has a preview: %d", page.StatusCode)
					}
					return
				}
				page := visitor(t, a).open("/events/" + id)
				image := ogImage.FindStringSubmatch(page.Body)
				data := jsonLD.FindStringSubmatch(page.Body)
				if image == nil || data == nil {
					t.Fatalf("no preview in %s", page.Body)
				}
				var event struct{ Name, StartDate string }
				if err := json.Unmarshal([]byte(data[1]), &event); err != nil || event.Name != fields["title"] && c.name != "hostile title" ||
					event.StartDate == "" {
					t.Errorf("%v %+v", err, event)
				}
				want, given := c.fields["image_url"].(string)
				if !given {
					want = origin + "/cards/" + id + ".png?v="
				}
				if got := html.UnescapeString(image[1]); !strings.HasPrefix(got, want) {
					t.Errorf("picture %s, not %s", got, want)
				}
			})
		}
	}, settings...)
}

func TestCardsNeedAnEvent(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	for _, path := range []string{"/cards/x.png", "/cards/018f3b0a-5c1d-7000-8000-0000000000ff.png",
		"/cards/018f3b0a-5c1d-7000-8000-0000000000ff"} {
		if r := visitor(t, a).open(path); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", path, r.StatusCode)
		}
	}
}
