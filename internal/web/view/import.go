package view

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"moothall/api/gen"
)

// ImportData is what a page of the preview of an import shows.
type ImportData struct {
	*gen.Import
	More string // address; "" on the last page
	Done int    // how many drafts actions have just made or updated
	GoOn bool   // the page sends the form again, for the rest

	Pictures bool // the drafts get pictures
}

// ImportURL is the address of the preview of an import.
func ImportURL(id uuid.UUID) string { return "/import/" + id.String() }

// ImportURLDone is ImportURL after an action has made drafts.
func ImportURLDone(id uuid.UUID, done int) string {
	return ImportURL(id) + "?done=" + strconv.Itoa(done)
}

// RestField is the parameter of a page that goes on with an import. Only an action leads to it: a link does not import anything.
const RestField = "rest"

// ImportURLGoOn is ImportURLDone while more drafts are to be made.
func ImportURLGoOn(id uuid.UUID, done int, pictures bool) string {
	address := ImportURLDone(id, done) + "&" + RestField + "=yes"
	if pictures {
		address += "&pictures=yes"
	}
	return address
}

// goesOn reports whether the page sends the form again: not after a refusal.
func (d ImportData) goesOn(p *Page) bool {
	return d.GoOn && d.open() > 0 && !p.Form.Refused("applyImport")
}

// open is the number of rows that can be applied.
func (d ImportData) open() int { return d.Counts.New + d.Counts.Changed }

// total is the number of rows that can be or were applied.
func (d ImportData) total() int { return d.open() + d.Counts.Same }

// openHere reports whether this page has a row that can be applied.
func (d ImportData) openHere() bool {
	return slices.ContainsFunc(d.Items, applies)
}

// hasPictures reports whether a row that can be applied has a picture.
func (d ImportData) hasPictures() bool {
	return slices.ContainsFunc(d.Items, func(r gen.ImportRow) bool { return applies(r) && !r.ImageURL.Null })
}

// applies reports whether a row can be applied.
func applies(r gen.ImportRow) bool {
	return r.State == gen.ImportRowStateNew || r.State == gen.ImportRowStateChanged
}

// importState says what happens to a row.
func (p *Page) importState(r gen.ImportRow) string {
	text := "import.state." + string(r.State)
	if !r.Why.Null {
		text = "import.why." + string(r.Why.Value)
	}
	return p.T(text)
}

// importWhen is the time of a row in its zone; empty if it has none.
func (p *Page) importWhen(r gen.ImportRow) string {
	if r.StartsAt.Null {
		return ""
	}
	return p.Span(r.StartsAt.Value, r.EndsAt, r.Timezone.Value)
}

// StepGuestList shows the guests of a list, which are values of the form.
const StepGuestList = "guest-list"

// The fields of a form with the guests of a list.
const (
	listedField  = "listed" // an address, a state or reason, and a name, separated by tabs
	leftOutField = "left_out"
)

// PutGuestList puts a guest list into a form.
func PutGuestList(form url.Values, list *gen.GuestList) {
	for _, g := range list.Items {
		state := string(g.State)
		if !g.Why.Null {
			state = string(g.Why.Value)
		}
		form.Add(listedField, g.Email+"\t"+state+"\t"+g.Name.Value)
	}
	form.Set(leftOutField, strconv.Itoa(list.LeftOutCount))
}

// listedGuest is a guest of a list that was read.
type listedGuest struct{ Email, State, Name string }

func (g listedGuest) isNew() bool { return g.State == string(gen.GuestListRowStateNew) }

// listedGuests returns the guests that PutGuestList has put into the form.
func (p *Page) listedGuests() (guests []listedGuest) {
	for _, text := range p.Form.Values[listedField] {
		parts := strings.SplitN(text, "\t", 3)
		if len(parts) == 3 {
			guests = append(guests, listedGuest{parts[0], parts[1], parts[2]})
		}
	}
	return guests
}
