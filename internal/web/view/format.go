package view

import (
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/currency"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"moothall/api/gen"
)

var zones sync.Map // *time.Location by name: loading one reads a file

// In returns a time in a zone; in UTC if the zone is unknown.
func In(t time.Time, zone string) time.Time {
	if known, ok := zones.Load(zone); ok {
		return t.In(known.(*time.Location))
	}
	location, err := time.LoadLocation(zone)
	if err != nil {
		return t.UTC()
	}
	zones.Store(zone, location)
	return t.In(location)
}

// names returns the entry at an index of a text that lists names, separated by spaces.
func (p *Page) names(id string, index int) string {
	for name := range strings.FieldsSeq(p.T(id)) {
		if index == 0 {
			return name
		}
		index--
	}
	return ""
}

// Weekday returns the short name of a day, like "Fri".
func (p *Page) Weekday(t time.Time) string { return p.names("date.weekdays_short", int(t.Weekday())) }

// Month returns the short name of a month, like "Nov".
func (p *Page) Month(t time.Time) string { return p.names("date.months_short", int(t.Month())-1) }

// Hour returns a time of day, like "20:00" or "8:00 PM".
func (p *Page) Hour(t time.Time) string { return p.Language.Clock(t) }

// Date returns a date, like "Friday, 27 November". It adds the year if that is not the
// present one.
func (p *Page) Date(t time.Time) string {
	id := "date.long"
	if t.Year() != p.Now.In(t.Location()).Year() {
		id = "date.long_year"
	}
	return p.T(id, "Weekday", p.names("date.weekdays", int(t.Weekday())), "Day", t.Day(), "Month", p.names("date.months", int(t.Month())-1),
		"Year", t.Year())
}

// Near returns "Today", "Tomorrow" or "Yesterday" for such a date, otherwise "".
func (p *Page) Near(t time.Time) string {
	today := p.Now.In(t.Location())
	switch {
	case sameDay(t, today):
		return p.T("date.today")
	case sameDay(t, today.AddDate(0, 0, 1)):
		return p.T("date.tomorrow")
	case sameDay(t, today.AddDate(0, 0, -1)):
		return p.T("date.yesterday")
	}
	return ""
}

// Moment returns when something was written, like "Yesterday, 20:00" or "27 Nov, 20:00".
func (p *Page) Moment(t time.Time) string {
	day := p.Near(t)
	if day == "" {
		day = p.T("date.short", "Day", t.Day(), "Month", p.Month(t))
	}
	if t.Year() != p.Now.In(t.Location()).Year() {
		day = p.Date(t)
	}
	return day + ", " + p.Hour(t)
}

func sameDay(a, b time.Time) bool { return a.Year() == b.Year() && a.YearDay() == b.YearDay() }

// Span returns when something starts and ends, like "Friday, 27 November, 20:00–22:00".
func (p *Page) Span(start time.Time, end gen.NilDateTime, zone string) string {
	return p.Date(In(start, zone)) + ", " + p.hours(start, end, zone)
}

// noBreak prevents a line break between the characters before and after it.
const noBreak = "\u2060"

// hours is Span without the day on which something starts.
func (p *Page) hours(start time.Time, end gen.NilDateTime, zone string) string {
	at, until := In(start, zone), In(end.Value, zone)
	switch {
	case end.Null:
		return p.Hour(at)
	case sameDay(at, until):
		return p.Hour(at) + "–" + noBreak + p.Hour(until)
	}
	return p.Hour(at) + " – " + p.Date(until) + ", " + p.Hour(until)
}

// City returns the last part of the name of a zone, like "Berlin".
func City(zone string) string {
	_, city, _ := cutLast(zone, "/")
	return strings.ReplaceAll(city, "_", " ")
}

func cutLast(s, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(s, separator); i >= 0 {
		return s[:i], s[i+len(separator):], true
	}
	return "", s, false
}

// Number returns a number with the separators of the language.
func (p *Page) Number(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return p.printer().Sprint(number.Decimal(n))
}

// printer returns the printer of numbers in the language of the page.
func (p *Page) printer() *message.Printer {
	if p.numbers == nil {
		p.numbers = message.NewPrinter(p.Language.Tag())
	}
	return p.numbers
}

// Money returns an amount in minor units, like "12.50 €".
func (p *Page) Money(amount int, code string) string {
	unit, err := currency.ParseISO(code)
	if err != nil {
		return strconv.Itoa(amount) + " " + code
	}
	value, scale := major(amount, unit)
	if value == float64(int(value)) {
		scale = 0
	}
	return p.printer().Sprint(number.Decimal(value, number.Scale(scale)), "\u00a0", currency.NarrowSymbol(unit))
}

// major returns an amount in minor units as one of major units, and how many decimal places those have.
func major(amount int, unit currency.Unit) (value float64, scale int) {
	scale, _ = currency.Standard.Rounding(unit)
	return float64(amount) / math.Pow10(scale), scale
}

// Price returns the price of an event.
func (p *Page) Price(price gen.EventPrice, amount gen.NilInt, code gen.NilString) string {
	if price == gen.EventPriceFree || amount.Null {
		return p.T("event.free")
	}
	return p.Money(amount.Value, code.Value)
}

// Rating returns an average rating, like "4.6".
func (p *Page) Rating(average float64) string {
	return p.printer().Sprint(number.Decimal(average, number.Scale(1)))
}

// Distance returns a distance, like "0.8 km".
func (p *Page) Distance(km float64) string {
	digits := 1
	if km >= 10 {
		digits = 0
	}
	return p.T("place.distance", "Km", p.printer().Sprint(number.Decimal(km, number.MaxFractionDigits(digits))))
}

// maxExcerpt is the length of an Excerpt, in graphemes.
const maxExcerpt = 200

// Excerpt returns the beginning of a text, in one line.
func Excerpt(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	rest, state := text, -1
	for n := 0; n < maxExcerpt && rest != ""; n++ {
		if len(rest) > 1 && rest[0] < utf8.RuneSelf && rest[1] < utf8.RuneSelf { // of ASCII, only CR LF is one grapheme
			rest, state = rest[1:], -1
			continue
		}
		_, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
	}
	if rest == "" {
		return text
	}
	return strings.TrimSpace(strings.TrimSuffix(text, rest)) + "…"
}

// Initial returns the first letter of a name, for a face without a picture.
func Initial(name string) string {
	first, _, _, _ := uniseg.FirstGraphemeClusterInString(strings.TrimSpace(name), -1)
	return strings.ToUpper(first)
}

// hues is the number of the classes hue-N of the style sheet.
const hues = 12

// Hue returns the class of the colour that belongs to an id.
func Hue(id [16]byte) string {
	sum := 0
	for _, b := range id {
		sum = sum*31 + int(b)
		sum &= 0xffff
	}
	return "hue-" + strconv.Itoa(sum%hues)
}

// categoryIcons are the icons of well-known categories, in lower case.
var categoryIcons = map[string]string{
	"games": "dices", "chess": "dices", "music": "music", "dance": "music", "sports": "dumbbell", "running": "footprints",
	"hiking":  "mountain",
	"cycling": "footprints", "yoga": "dumbbell", "languages": "languages", "books": "book-open", "films": "clapperboard", "art": "palette",
	"photography": "camera", "tech": "code", "startups": "code", "food": "utensils", "crafts": "palette", "volunteering": "hand-heart",
	"family": "users",
}

// categories are those that the form of an event offers. They are stored as these words.
var categories = []string{"games", "music", "sports", "hiking", "languages", "books", "films", "art", "food", "tech", "volunteering",
	"family"}

// OtherCategory is the choice of a category that the form does not offer.
const OtherCategory = "-"

// Category returns the name of a category in the language of the page, or the text of the organizer.
func (p *Page) Category(category string) string {
	if offered, ok := foldCategory(category); ok {
		return p.T("category." + offered)
	}
	return category
}

// foldCategory returns a category in the case in which the form would offer it, and whether it does.
func foldCategory(category string) (folded string, offered bool) {
	folded = strings.ToLower(category)
	return folded, slices.Contains(categories, folded)
}

// StoredCategory returns what is stored for the text of another category: that of the form if only the case differs.
func StoredCategory(category string) string {
	if folded, offered := foldCategory(category); offered {
		return folded
	}
	return category
}

// CategoryIcon returns the icon of a category.
func CategoryIcon(category string) string {
	folded, _ := foldCategory(category)
	if icon := categoryIcons[folded]; icon != "" {
		return icon
	}
	return "sparkles"
}

// ownPictures are the endings of the addresses of pictures that users uploaded, by their width.
var ownPictures = []string{"-480.jpg", "-960.jpg", "-1600.jpg"}

// Picture returns the address of a picture with about the given width. Pictures of other
// hosts come through the image proxy, so that those hosts learn nothing about visitors.
func (p *Page) Picture(address string, width int) string {
	if path, own := strings.CutPrefix(address, p.Base); own && strings.HasPrefix(path, "/media/") {
		size := 1600
		for _, w := range []int{960, smallPicture} {
			if width <= w {
				size = w
			}
		}
		for _, ending := range ownPictures {
			if start, own := strings.CutSuffix(path, ending); own {
				return start + "-" + strconv.Itoa(size) + ".jpg"
			}
		}
		return path
	}
	return "/api/images/proxy?url=" + url.QueryEscape(address) + "&w=" + strconv.Itoa(width)
}

// smallPicture is the width of a picture that is a part of a list.
const smallPicture = 480

// coverSizes are the widths at which a page shows a large cover.
const coverSizes = "(min-width: 76rem) 76rem, 100vw"

// pictures returns the addresses of a picture in all widths, of which the browser chooses one (srcset).
func (p *Page) pictures(address string) string {
	var all []string
	for _, width := range []int{smallPicture, 960, 1600} {
		all = append(all, p.Picture(address, width)+" "+strconv.Itoa(width)+"w")
	}
	return strings.Join(all, ", ")
}

// Piece is a piece of a text: a link if it has an address.
type Piece struct{ Text, Address string }

var address = regexp.MustCompile(`https://[^\s<>"'` + "`" + `\\^{|}]+`)

// Linkify splits a text at the https addresses in it. Punctuation after an address does not
// belong to it.
func Linkify(text string) []Piece {
	var pieces []Piece
	rest := 0
	for _, found := range address.FindAllStringIndex(text, -1) {
		start, end := found[0], found[1]
		link := trimPunctuation(text[start:end])
		u, err := url.Parse(link)
		if err != nil || u.Hostname() == "" || u.User != nil {
			continue
		}
		if start > rest {
			pieces = append(pieces, Piece{Text: text[rest:start]})
		}
		pieces = append(pieces, Piece{Text: link, Address: u.String()})
		rest = start + len(link)
	}
	if rest < len(text) {
		pieces = append(pieces, Piece{Text: text[rest:]})
	}
	return pieces
}

func trimPunctuation(link string) string {
	for {
		trimmed := strings.TrimRightFunc(link, func(r rune) bool {
			return r != '/' && r != ')' && r != '=' && r != '#' && r != '&' && r != '-' && r != '_' && r != '%' && r != '+' && r != '~' &&
				unicode.IsPunct(r)
		})
		if strings.HasSuffix(trimmed, ")") && strings.Count(trimmed, ")") > strings.Count(trimmed, "(") {
			trimmed = strings.TrimSuffix(trimmed, ")")
		}
		if trimmed == link {
			return link
		}
		link = trimmed
	}
}

// cut returns at most the first n characters of a text, with an ellipsis if there are more.
func cut(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n]) + "…"
	}
	return s
}
