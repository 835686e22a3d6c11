package browser

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"moothall/internal/ops/mapfetch"
	"moothall/internal/platform/db"
	"moothall/internal/platform/pmtiles"
	"moothall/internal/test/apptest"
	"moothall/internal/test/maptest"
)

// TestFindStreet finds a street by a geocoder on this machine, sees streets on the map, and sets the pin by keyboard. Without
// scripts, a button finds the street.
func TestFindStreet(t *testing.T) {
	var asked atomic.Int64
	geocoder := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if strings.HasPrefix(r.URL.Query().Get("q"), "Linden") {
			_, _ = w.Write([]byte(`{"features":[{"geometry":{"coordinates":[13.4,52.515]},"properties":{"type":"house",
				"street":"Lindenstraße","housenumber":"7","city":"Berlin","countrycode":"DE"}}]}`))
			return
		}
		_, _ = w.Write([]byte(`{"features":[]}`))
	}))
	t.Cleanup(geocoder.Close)
	streets := filepath.Join(t.TempDir(), "streets.pmtiles")
	planet := filepath.Join(t.TempDir(), "planet.pmtiles")
	if err := os.WriteFile(planet, maptest.City(15), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := mapfetch.Fetch(t.Context(), mapfetch.Request{Source: planet, Boxes: []pmtiles.Box{maptest.Box}, MaxZoom: 15, Output: streets,
		MaxBytes: 1 << 30, Progress: io.Discard}); err != nil {
		t.Fatal(err)
	}
	a := apptest.New(t, db.SQLite, apptest.OwnOrigin(), apptest.Setting("MAP_TILES", streets),
		apptest.Setting("GEOCODER_URL", "photon+"+geocoder.URL+"/api"))
	runJourney(t, a, "street", true, findStreet)
	runJourney(t, a, "street without scripts", false, func(j *journey) {
		j.signInAs("organizer")
		j.Open("/events/new")
		j.Fill("Title", "Picnic "+j.name)
		j.Fill("Place", "Lindenstr 7")
		j.Press("Find the address")
		j.See("© OpenStreetMap")
		j.Press("Lindenstraße 7, Berlin, DE")
		j.await("the address", addressFilled)
		j.await("the title", `document.getElementById("field-title").value.startsWith("Picnic")`)
		j.Press("Save draft")
		j.See("Saved")
		j.await("the stored address", addressFilled)
	})
	if asked.Load() == 0 {
		t.Error("the geocoder was not asked")
	}
}

const addressFilled = `document.getElementById("field-location_text").value === "Lindenstraße 7" &&
	document.getElementById("field-city").value === "Berlin" && document.getElementById("field-lat").value.startsWith("52.515")`

func findStreet(j *journey) {
	j.signInAs("organizer")
	j.do(chromedp.EmulateViewport(390, 844))
	j.Open("/events/new")
	j.Fill("Place", "Lindenstr")
	j.await("the suggested address", `[...document.querySelectorAll("#addresses option")].some(o => o.value === "Lindenstraße 7, Berlin, DE")`)
	j.Fill("Place", "Lindenstraße 7, Berlin, DE")
	j.await("the address", addressFilled)
	j.openDetails("On the map (optional)")
	for _, scheme := range []string{"light", "dark"} {
		j.do(chromedp.EmulateViewport(390, 844), colours(scheme))
		if scheme == "light" {
			j.Press("Choose on the map")
		}
		j.await("the map", `document.querySelector(".picker").shadowRoot?.querySelector(".canvas[data-ready]") != null`)
		j.await("the credit", `document.querySelector(".picker").shadowRoot.querySelector(".credit a")?.textContent === "OpenStreetMap"`)
		j.scrollTo(".picker")
		if colors := coloursOf(j); colors < 6 {
			j.Errorf("the map shows %d colours in %s", colors, scheme)
		}
		j.snapshot("street-" + scheme)
	}
	before := read[string](j, "the latitude", `document.getElementById("field-lat").value`)
	j.act("the map", `document.querySelector(".picker").shadowRoot.querySelector("canvas")`, `map => map.focus()`)
	j.key(kb.ArrowUp)
	j.await("another point", `document.getElementById("field-lat").value > `+literal(before))
	j.Fill("Title", "Picnic "+j.name)
	j.Press("Save draft")
	j.See("Saved")
	j.await("the stored point", `document.getElementById("field-lat").value > `+literal(before))
}

// coloursOf returns how many colours cover more than a thousandth of the window.
func coloursOf(j *journey) int {
	picture := j.screenshot()
	counts := map[color.RGBA]int{}
	bounds := picture.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			counts[at(picture, x, y)]++
		}
	}
	n := 0
	for _, count := range counts {
		if count*1000 > bounds.Dx()*bounds.Dy() {
			n++
		}
	}
	return n
}

func at(picture image.Image, x, y int) color.RGBA {
	return color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA)
}

// screenshot returns what the window shows.
func (j *journey) screenshot() image.Image {
	j.Helper()
	var shot []byte
	j.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		picture, err := cdp.Call(ctx, t, page.CaptureScreenshot, page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatPng})
		shot = picture.Data
		return err
	}))
	picture, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		j.Fatal(err)
	}
	return picture
}
