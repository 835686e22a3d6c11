package browser

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"moothall/internal/test/apptest"
)

// organize is the week of an organizer: they draft an event, publish it, change its time, cancel it with a message and duplicate it.
func organize(j *journey) {
	starts := j.App.Clock.Now().Add(70 * time.Hour).UTC()
	j.signInAs("organizer")
	j.do(chromedp.EmulateViewport(390, 844))
	j.Open("/events/new")
	j.snapshot("host-1-empty")
	j.Fill("Title", "Oud evening "+j.name)
	j.Fill("Starts", starts.Format("2006-01-02T15:04"))
	j.Select("field-timezone", "Europe/Berlin")
	j.Fill("Place", "Town hall")
	if j.Scripts {
		j.pickPlace()
		j.await("the preview", `document.querySelector(".card-preview").innerText.includes("Town hall")`)
	} else {
		j.Fill("City", "Berlin")
	}
	j.choosePicture()
	j.Choose("Music")
	j.Choose("Mint")
	j.openDetails("Seats, price, online, vote")
	j.Fill("Seats", "8")
	j.snapshot("host-2-filled")
	j.Accessible()
	j.do(chromedp.EmulateViewport(390, 844))
	j.Press("Save draft")
	j.See("Saved")
	j.Press("Publish")
	j.See("It is out!")
	event := read[string](j, "the event", `location.pathname.split("/")[2]`)
	j.See("HTML for your own page")
	j.snapshot("host-3-out")
	j.Press("Show the event")
	j.See("8 seats left")
	j.seePicture(60)
	j.See("Town hall, Berlin")
	j.snapshot("host-4-event")
	guest := j.App.As("ben").In(j.T)
	guest.Join(event)
	j.Press("Edit the event")
	j.Fill("Starts", starts.Add(time.Hour).Format("2006-01-02T15:04"))
	j.Press("Save")
	j.See("Saved")
	j.Press("Show the event")
	j.See(starts.Add(time.Hour).Format("15:04"))
	j.Fill("What is new?", "We begin an hour later.")
	j.Choose("Announcement")
	j.snapshot("host-5-message")
	j.Press("Post")
	j.See("We begin an hour later.")
	if got := guest.Get("/notifications").Text("items.0.body"); got != "We begin an hour later." {
		j.Errorf("after the announcement, the guest reads %q", got)
	}
	j.Press("Edit the event")
	j.openDetails("Cancel this event")
	j.Fill("Message to the guests", "The hall is flooded.")
	j.Press("Cancel the event for everybody")
	j.See("The organizer has canceled this event.")
	j.snapshot("host-6-canceled")
	if got := guest.Get("/notifications").Text("items.0.body"); got != "The hall is flooded." {
		j.Errorf("the guest reads %q", got)
	}
	j.Press("Duplicate")
	j.See("Only you and the people you invite see a draft.")
}

// organizeFirst fills in the form before it signs in. The service is too busy for it once.
func organizeFirst(j *journey) {
	j.Open("/")
	j.Press("Create")
	j.Fill("Title", "Lantern walk "+j.name)
	j.Fill("Place", "Town hall")
	j.await("the preview", `document.querySelector(".card-preview").innerText.includes("Lantern walk")`)
	j.Press("Publish")
	j.signIn(j.Email("organizer"))
	j.At("/events/new")
	j.await("what was entered", `document.getElementById("field-title").value.startsWith("Lantern walk")`)
	j.busyOnce()
	j.Press("Publish")
	j.Press("Show the event")
	j.See("0 going")
	j.See("Town hall")
}

// busyOnce refuses the next form or part of a page as a busy service does.
func (j *journey) busyOnce() {
	j.Helper()
	j.act("a service that is busy once", "document.body", `() => { window.fetch = (ask => () => {
		window.fetch = ask;
		return Promise.resolve(new Response("", {status: 503}));
	})(window.fetch); }`)
}

// pickPlace chooses a place by the name of a city, then by moving the map with the keyboard.
func (j *journey) pickPlace() {
	j.Fill("City", "Berli")
	j.await("the names of cities", `[...document.querySelectorAll("datalist option")].some(o => o.value === "Berlin, DE")`)
	j.Fill("City", "Berlin, DE")
	j.await("the city", `document.getElementById("field-city").value === "Berlin" && document.getElementById("field-lat").value.startsWith("52.")`)
	j.openDetails("On the map (optional)")
	before := read[string](j, "the latitude", `document.getElementById("field-lat").value`)
	j.Press("Choose on the map")
	j.await("the map", `document.querySelector(".picker").shadowRoot?.querySelector(".canvas[data-ready]") != null`)
	j.act("the map", `document.querySelector(".picker").shadowRoot.querySelector("canvas")`, `map => map.focus()`)
	j.key(kb.ArrowUp)
	j.await("another point", `document.getElementById("field-lat").value > `+literal(before)+
		` && document.getElementById("field-city").value === "Berlin"`)
}

// picture returns a file with a picture of 60 by 60 pixels.
func (j *journey) picture() string {
	j.Helper()
	file := filepath.Join(j.TempDir(), "picture.png")
	var content bytes.Buffer
	if err := errors.Join(png.Encode(&content, image.NewGray(image.Rect(0, 0, 60, 60))),
		os.WriteFile(file, content.Bytes(), 0o600)); err != nil {
		j.Fatal(err)
	}
	return file
}

// choosePicture chooses a picture as the cover. Scripts store it at once.
func (j *journey) choosePicture() {
	file := j.picture()
	j.settle()
	j.do(chromedp.SetUploadFiles("#field-cover", []string{file}))
	if j.Scripts {
		j.See("The picture is stored.")
		j.await("the picture in the preview", `document.querySelector(".card-preview .cover img")?.naturalWidth > 0`)
	}
	j.Fill("Description of the picture", "A board")
}

// seePicture waits for a cover of a width.
func (j *journey) seePicture(width int) {
	j.Helper()
	j.await("the picture", `document.querySelector(".cover img[alt='A board']") !== null`)
	j.await("its size", `(file => { // alone: the page scales it by the width of the window
		file.src = document.querySelector(".cover img").currentSrc;
		return file.decode().then(() => file.naturalWidth === `+strconv.Itoa(width)+`);
	})(new Image())`)
}

// voteOnDate lets three people vote on the date of an event, and its organizer select one.
func voteOnDate(j *journey) {
	event := "/events/" + j.event("organizer", "Chess", apptest.Fields{"date_mode": "vote"})
	organizer := j.App.As("organizer").In(j.T)
	var days []string
	for i := range 3 {
		days = append(days, j.App.Clock.Now().Add(time.Duration(i+4)*24*time.Hour).UTC().Format(time.RFC3339))
		organizer.Post(event+"/date-options", apptest.Fields{"starts_at": days[i]}).Want(http.StatusCreated)
	}
	for i, name := range []string{"ben", "chloe"} {
		voter := j.App.As(name).In(j.T)
		voter.Post(event+"/join", apptest.Fields{}).Want(http.StatusOK)
		option := organizer.Get(event + "/date-options").Text("items." + strconv.Itoa(i) + ".id")
		voter.Post(event+"/date-options/"+option+"/votes", apptest.Fields{}).Want(http.StatusOK)
	}
	j.signInAs("farid")
	j.Open(event)
	j.See("Join the event to vote")
	j.Press("Join")
	j.See("Tick every date on which you can come")
	j.clickOne(".votes input", 1)
	j.clickOne(".votes input", 2)
	j.Press("Save my votes")
	j.See("2 votes")
	j.clickOne(".votes input", 2)
	j.Press("Save my votes")
	j.See("0 votes")
	j.signInAs("organizer")
	j.Open(event)
	j.See("Which date suits you?")
	j.clickOne(".votes button", 1)
	j.SeeNot("Which date suits you?")
	if e := organizer.Get(event); e.Text("event.starts_at") != days[1] {
		j.Errorf("%s", e.Body)
	}
}

// clickOne clicks one of the elements that a selector matches.
func (j *journey) clickOne(selector string, index int) {
	j.Helper()
	j.act(selector, fmt.Sprintf("document.querySelectorAll(%s)[%d]", literal(selector), index), j.click())
}
