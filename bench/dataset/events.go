package dataset

import (
	"fmt"
	"iter"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"moothall/internal/core/access"
)

// Shares of the events that are drafts, canceled, private or paid.
const (
	shareDraft    = 0.03
	shareCanceled = 0.03
	sharePrivate  = 0.04
	sharePaid     = 0.12
)

// Events returns the events.
func (s *Dataset) Events() iter.Seq[Event] { return stream(s.plan.Events, s.event) }

func (s *Dataset) event(n int) Event {
	d := newRandom(s.plan.Seed, forEvent, n)
	cityIndex := drawCity(d)
	c := allCities()[cityIndex]
	l := languageOf(d, c.country)
	residents := s.residentsOf(cityIndex)
	e := Event{
		ID:           newID(d, n),
		OrganizerID:  s.userID(int(residents[d.zipf(len(residents))])),
		Status:       access.Published,
		Visibility:   access.Public,
		Tie:          tie(s.plan.Seed, n),
		Timezone:     c.zone.String(),
		City:         c.name,
		LocationText: l.join(l.word(d), l.street) + fmt.Sprintf(" %d", 1+d.zipf(200)),
		number:       n,
		city:         cityIndex,
	}
	s.setWords(d, &e, l)
	s.setTimes(d, &e, c)
	setPlace(d, &e, c)
	setTerms(d, &e, c)
	s.setState(d, &e)
	return e
}

// tie returns a different value from 1 to 999,999,999 for each n below
// 999,999,999: 7^9 and 999,999,999 are coprime.
func tie(seed uint64, n int) int64 {
	const ties = 999_999_999
	return 1 + int64((uint64(n)*40_353_607+seed%ties)%ties)
}

// setWords sets title, description and category in the language.
func (s *Dataset) setWords(d random, e *Event, l *language) {
	category := d.zipf(len(categories))
	topic := l.topics[category]
	e.Category = categories[category]
	var title strings.Builder
	l.write(&title, d, pick(d, l.titles), topic)
	e.Title = capital(title.String())
	if d.chance(0.15) {
		return
	}
	var b strings.Builder
	first := d.IntN(len(l.sentences))
	for i := range 1 + d.IntN(min(3, len(l.sentences))) {
		l.write(&b, d, l.sentences[(first+i)%len(l.sentences)], topic)
		b.WriteString("\n")
	}
	words := make([]string, d.zipf(30))
	for i := range words {
		words[i] = l.word(d)
	}
	b.WriteString(l.join(words...))
	text := strings.TrimSpace(b.String())
	e.Description = &text
}

func capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToTitle(first)) + s[size:]
}

// Relative frequency of each starting hour, on working days and at weekends.
var (
	hoursWorkday = []float64{7: 3, 8: 4, 9: 3, 12: 4, 13: 2, 15: 1, 16: 2, 17: 8, 18: 28, 19: 32, 20: 14, 21: 4, 23: 0}
	hoursWeekend = []float64{6: 1, 7: 3, 8: 5, 9: 8, 10: 14, 11: 14, 12: 9, 13: 7, 14: 9, 15: 9, 16: 7, 17: 6, 18: 8, 19: 8, 20: 6, 21: 3,
		22: 1, 23: 0}
)

// setTimes sets start, end and creation time.
func (s *Dataset) setTimes(d random, e *Event, c city) {
	day := s.today.AddDate(0, 0, d.IntN(365)-30)
	if !weekend(day) && d.chance(0.3) { // weekends are busier
		day = s.today.AddDate(0, 0, d.IntN(365)-30)
	}
	hours := hoursWorkday
	if weekend(day) {
		hours = hoursWeekend
	}
	hour := d.weighted(len(hours), func(i int) float64 { return hours[i] })
	minute := 0
	if d.chance(0.2) {
		minute = 30
	}
	e.StartsAt = time.Date(day.Year(), day.Month(), day.Day(), hour, minute, 0, 0, c.zone).UTC()
	if d.chance(0.85) {
		end := e.StartsAt.Add(time.Duration(2+d.zipf(8)) * 30 * time.Minute)
		if d.chance(0.01) {
			end = end.AddDate(0, 0, 1+d.IntN(3))
		}
		e.EndsAt = &end
	}
	known := earlier(e.StartsAt, s.today)
	e.CreatedAt = d.between(known.AddDate(0, 0, -45), known.AddDate(0, 0, -2))
}

func weekend(day time.Time) bool {
	return day.Weekday() == time.Saturday || day.Weekday() == time.Sunday
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

const kmPerDegree = 111.2

// setPlace sets coordinates near the centre, in a suburb or far outside; a few
// events have none.
func setPlace(d random, e *Event, c city) {
	spread := 2.5 // km, standard deviation
	switch kind := d.Float64(); {
	case kind < 0.02:
		return
	case kind < 0.06:
		spread = 40
	case kind < 0.30:
		spread = 10
	}
	lat, lng := c.offset(d.NormFloat64()*spread, d.NormFloat64()*spread)
	e.Lat, e.Lng = &lat, &lng
}

// offset returns the coordinates of a place, in km north and east of the centre.
func (c city) offset(north, east float64) (lat, lng float64) {
	lat = c.lat + north/kmPerDegree
	lng = c.lng + east/(kmPerDegree*math.Cos(c.lat*math.Pi/180))
	return degrees(max(-90, min(90, lat))), degrees(math.Remainder(lng, 360))
}

// degrees rounds to six decimals, about 10 cm.
func degrees(x float64) float64 { return math.Round(x*1e6) / 1e6 }

// currencies by country; all others use the euro.
var currencies = map[string]string{
	"RU": "RUB", "KZ": "KZT", "GE": "GEL", "TR": "TRY", "GB": "GBP", "US": "USD", "CA": "CAD", "IN": "INR",
	"CH": "CHF", "PL": "PLN", "CZ": "CZK", "SE": "SEK", "BR": "BRL", "MX": "MXN", "AU": "AUD", "NZ": "NZD", "SG": "SGD",
}

// setTerms sets price and capacity.
func setTerms(d random, e *Event, c city) {
	if d.chance(sharePaid) {
		amount := int64(500 * (1 + d.zipf(40)))
		currency := "EUR"
		if local, ok := currencies[c.country]; ok {
			currency = local
		}
		e.PriceAmount, e.PriceCurrency = &amount, &currency
	}
	if d.chance(0.6) {
		capacity := 4 + d.zipf(300)
		e.Capacity = &capacity
	}
}

// setState sets visibility and status with their times.
func (s *Dataset) setState(d random, e *Event) {
	if d.chance(sharePrivate) {
		e.Visibility = access.Private
	}
	state := d.Float64()
	if state < shareDraft {
		e.Status = access.Draft
		return
	}
	published := d.between(e.CreatedAt, e.CreatedAt.AddDate(0, 0, 1))
	e.PublishedAt = &published
	if state < shareDraft+shareCanceled {
		e.Status = access.Canceled
		canceled := d.between(published, published.AddDate(0, 0, 1))
		e.CanceledAt = &canceled
	}
}

// Attendance returns the participants of an event of this dataset. Most events have
// a handful, a few have very many. Drafts and private events have none.
func (s *Dataset) Attendance(e *Event) Attendance {
	a := Attendance{
		EventID: e.ID, Capacity: e.Capacity, Canceled: e.Status == access.Canceled,
	}
	if e.PublishedAt == nil || e.Visibility == access.Private {
		return a
	}
	d := newRandom(s.plan.Seed, forAttendance, e.number)
	residents := s.residentsOf(e.city)
	size := attendanceSize(d)
	if e.Capacity != nil {
		size = min(size, *e.Capacity)
	}
	size = min(size, len(residents))
	if size == 0 {
		return a
	}
	// Visit the most active residents in steps. A coprime step visits nobody twice.
	active := size + d.zipf(len(residents)-size+1)
	from, step := d.IntN(active), coprime(d, active)
	until := earlier(e.StartsAt, s.today)
	if e.CanceledAt != nil {
		until = *e.CanceledAt
	}
	a.Going = make([]Going, size)
	for i := range a.Going {
		a.Going[i] = Going{
			UserID:    s.userID(int(residents[(from+i*step)%active])),
			Incognito: d.chance(0.1),
			JoinedAt:  d.between(*e.PublishedAt, until),
		}
	}
	return a
}

func attendanceSize(d random) int {
	switch kind := d.Float64(); {
	case kind < 0.15:
		return 0
	case kind < 0.99:
		return 1 + d.zipf(20)
	}
	return 1 + d.zipf(1000)
}

// coprime returns a random number from 1 to n that is coprime to n.
func coprime(d random, n int) int {
	for {
		step := 1 + d.IntN(n)
		if gcd(step, n) == 1 {
			return step
		}
	}
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
