package discovery

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/event"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
	"moothall/internal/platform/geo"
	"moothall/internal/postings"
)

// search finds the events of a filter with one statement. The text of the statement
// depends only on which fields the filter has; their values are parameters. Each
// text is registered when it is first used. The directory testdata/search shows the
// texts.
type search struct {
	Filter
	plan
	viewer     domain.Viewer
	now        time.Time
	maxScanned int // postings

	args        []any
	viewerParam string // or access.Anonymous
	nowParam    string
	lowerParam  string // of the exclusive lower bound of the keys
	key         string // the column that is scanned in time order: of postings d or events e
}

// run returns at most Limit cards, and a look-ahead card when there are more. If
// the search stops at maxScanned, Next is the last posting that was read.
func (s *search) run(ctx context.Context, q db.Querier) (p Page, err error) {
	text := s.text()
	stmt := db.SQL("discovery.search "+hash(text), text)
	p.Cards = make([]event.Card, 0, s.Limit+1)
	scan := func(row db.Row, c *event.Card) error {
		var found bool
		err := event.ScanCard(row, c, &found)
		if !found {
			p.Next = new(event.KeyTime(c.StartsKey))
		}
		return err
	}
	if p.Cards, err = db.Append(ctx, q, p.Cards, scan, stmt, s.args...); err != nil {
		return Page{}, err
	}
	if p.Next != nil { // the last row is the last posting
		p.Cards = p.Cards[:len(p.Cards)-1]
	}
	s.setValidity(ctx, p.Cards)
	p.Cards = p.Cards[:min(len(p.Cards), s.Limit+1)]
	return p, nil
}

// setValidity lets the page be cached until the first of its events is over. A change of
// its events or organizers ends its validity too, and so does a change of the tables
// that decide which events are on the page.
func (s *search) setValidity(ctx context.Context, cards []event.Card) {
	cache.Until(ctx, time.Time{})
	for _, c := range cards {
		cache.Until(ctx, c.NextExpiry(s.now))
	}
}

func hash(text string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	return strconv.FormatUint(h.Sum64(), 36)
}

// arg adds a parameter and returns its name in the text.
func (s *search) arg(v any) string {
	s.args = append(s.args, v)
	return "$" + strconv.Itoa(len(s.args))
}

// rows returns how many cards the statement reads. It is part of the text, because
// PostgreSQL plans a statement again at every call if LIMIT is a parameter.
func (s *search) rows() string {
	if s.Limit <= 20 {
		return "21"
	}
	return "101"
}

// text returns the text of the statement and sets args.
func (s *search) text() string {
	s.begin()
	switch {
	case s.scanned != nil:
		return s.postingsText(`d.starts_key FROM event_terms d WHERE d.term_id`, s.scanned)
	case s.cells != nil && !s.personal():
		return s.postingsText(`d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell`, s.cells)
	default:
		s.key = `e.starts_key`
		return s.eventsText()
	}
}

// begin adds the parameters of every text.
func (s *search) begin() {
	s.viewerParam = access.Anonymous
	if s.viewer.SignedIn() {
		s.viewerParam = s.arg(s.viewer.UserID)
	}
	s.nowParam = s.arg(s.now)
	s.lowerParam = s.arg(s.lowerBound(s.now))
	s.key = `d.starts_key`
}

// and separates conditions: each is on a line of its own.
const and = "\n\tAND "

// eventsText returns the text of a statement that scans events by an index in time
// order, or the few events of one person.
func (s *search) eventsText() string {
	from, where := `events e`, access.InDiscovery("e", s.viewerParam, s.nowParam)+s.upperBound()+s.inGroups()+s.hasPrice()+s.inBox()+s.inCircle()
	if s.Organizer != nil {
		where += and + `e.organizer_id = ` + s.arg(*s.Organizer)
	}
	if s.Participant != nil {
		from, where = `participants p CROSS JOIN events e`, where+and+`e.id = p.event_id`+s.isAttended()
	}
	return event.SelectCards(s.viewerParam, s.nowParam, `TRUE`, from) +
		"\nWHERE " + where + and + `e.starts_key > ` + s.lowerParam + "\nORDER BY e.starts_key LIMIT " + s.rows()
}

// postingsText returns the text of a statement that merges posting lists in time order.
// The statement stops when the page is full or after maxScanned postings, and then
// reads the cards. If it stops at maxScanned, the last row is the last posting.
func (s *search) postingsText(list string, ids []int64) string {
	ids = padToBucket(ids)
	branches, upperBound := make([]string, len(ids)), s.upperBound()
	for i := range ids {
		branches[i] = "SELECT " + list + ` = ` + s.arg(ids[i]) + ` AND d.starts_key > ` + s.lowerParam + upperBound
	}
	scanned := "(\n\t" + strings.Join(branches, "\n\tUNION ALL ") + "\n\tORDER BY starts_key LIMIT " + strconv.Itoa(s.maxScanned) + `) AS d`
	found, rows := `SELECT `, s.rows()
	if s.scanned != nil && len(ids) > 1 { // an event may have several of the terms
		found = `SELECT DISTINCT `
	}
	return `WITH page AS (` + found + `d.starts_key FROM ` + scanned + "\nWHERE " + s.onPosting() + "\nORDER BY d.starts_key LIMIT " + rows + `),
last AS (SELECT d.starts_key FROM ` + scanned + `
ORDER BY d.starts_key LIMIT (SELECT CASE WHEN COUNT(*) < ` + rows + ` THEN 1 ELSE 0 END FROM page) OFFSET ` + strconv.Itoa(s.maxScanned-1) + `)
` + event.SelectCards(s.viewerParam, s.nowParam, `d.found`, `(SELECT starts_key, TRUE AS found FROM page UNION ALL SELECT starts_key, FALSE FROM last) AS d CROSS JOIN events e`) + `
WHERE e.starts_key = d.starts_key ORDER BY e.starts_key, d.found DESC`
}

// padToBucket pads a list to 1, 4, 16 or 32 ids, so that there are few texts. The
// additional ids have no postings.
func padToBucket(ids []int64) []int64 {
	ids = slices.Clone(ids)
	for len(ids) != 1 && len(ids) != 4 && len(ids) != 16 && len(ids) < geo.MaxCells {
		ids = append(ids, 0)
	}
	return ids
}

// onPosting returns the conditions on a scanned posting d. Conditions on other tables
// are (SELECT 1 ...) = 1, not EXISTS: both engines may turn EXISTS into a join and
// scan the other table first.
func (s *search) onPosting() string {
	where := `TRUE`
	if s.scanned == nil {
		where += s.cellInCircle("d") + s.cellInBox("d")
	}
	where += s.inGroups()
	if s.scanned != nil {
		where += s.inCircle()
	}
	return where + and + `(SELECT 1 FROM events e WHERE e.starts_key = d.starts_key AND ` + access.InDiscovery("e", s.viewerParam, s.nowParam) + s.hasPrice() + s.inBox() + "\n\t) = 1"
}

// upperBound is the condition of To.
func (s *search) upperBound() string {
	if s.To == nil {
		return ""
	}
	return ` AND ` + s.key + ` <= ` + s.arg(event.KeysUpTo(*s.To))
}

// inGroups is the condition that the event has a term of each group.
func (s *search) inGroups() (where string) {
	for _, terms := range padGroups(s.groups) {
		where += and + `(SELECT 1 FROM event_terms t WHERE t.starts_key = ` + s.key + ` AND t.term_id ` + s.isOneOf(terms) + ` LIMIT 1) = 1`
	}
	return where
}

// isOneOf returns the condition that a column is one of the ids.
func (s *search) isOneOf(ids []int64) string {
	if len(ids) == 1 {
		return `= ` + s.arg(ids[0])
	}
	return `IN (SELECT value FROM ints(` + s.arg(ids) + `) AS l)`
}

// padGroups repeats the last group until there are 1, 2, 4 or maxWords+2 groups, so
// that there are few texts.
func padGroups(groups [][]int64) [][]int64 {
	for n := len(groups); n == 3 || n > 4 && n < maxWords+2; n++ {
		groups = append(groups, groups[n-1])
	}
	return groups
}

// hasPrice is the condition of Price. Only a scan of all events may use the index of
// prices: appending an empty text prevents it elsewhere.
func (s *search) hasPrice() string {
	switch {
	case s.Price == "":
		return ""
	case s.key == `e.starts_key` && !s.personal():
		return and + `e.price = ` + s.arg(s.Price)
	default:
		return and + `e.price || '' = ` + s.arg(s.Price)
	}
}

// inBox is the exact condition of Box and Placed on an event.
func (s *search) inBox() string {
	switch {
	case s.Box == nil && s.Placed:
		return and + `e.lat IS NOT NULL`
	case s.Box == nil:
		return ""
	}
	b := s.Box
	both := ` AND `
	if b.West > b.East {
		both = ` OR `
	}
	return and + `e.lat >= ` + s.arg(b.South) + ` AND e.lat <= ` + s.arg(b.North) +
		` AND (e.lng >= ` + s.arg(b.West) + both + `e.lng <= ` + s.arg(b.East) + `)`
}

// cellInBox is the condition of Box on an event_cells row c. A pole is on every
// meridian.
func (s *search) cellInBox(c string) string {
	if s.Box == nil {
		return ""
	}
	e := s.Box.Edges()
	both := ` AND `
	if e.Wide {
		both = ` OR `
	}
	south, north, west, east := s.arg(e.South), s.arg(e.North), [2]string{s.arg(e.West.X), s.arg(e.West.Y)}, [2]string{s.arg(e.East.X), s.arg(e.East.Y)}
	return and + fmt.Sprintf(`%[1]s.z >= %[2]s AND %[1]s.z <= %[3]s AND (%[1]s.y*%[4]s - %[1]s.x*%[5]s >= %[9]s%[8]s%[1]s.x*%[7]s - %[1]s.y*%[6]s >= %[9]s)`,
		c, south, north, west[0], west[1], east[0], east[1], both, s.arg(-geo.Epsilon))
}

// cellInCircle is the condition of Circle on an event_cells row c.
func (s *search) cellInCircle(c string) string {
	if s.Circle == nil {
		return ""
	}
	chord := s.Circle.Chord()
	return and + postings.InCircle(c, s.arg(chord.X), s.arg(chord.Y), s.arg(chord.Z), s.arg(chord.Squared))
}

// inCircle is the condition of Circle where its cells are not scanned.
func (s *search) inCircle() string {
	if s.Circle == nil {
		return ""
	}
	return and + `(SELECT 1 FROM event_cells c WHERE c.starts_key = ` + s.key + ` AND c.cell ` + s.isOneOf(s.Circle.CoarseCells()) + s.cellInCircle("c") + "\n\tLIMIT 1) = 1"
}

// isAttended is the condition of Participant: the participant goes publicly, or
// is the viewer.
func (s *search) isAttended() string {
	who := s.arg(*s.Participant)
	where := and + `p.user_id = ` + who + ` AND p.status = 'going'`
	if *s.Participant == s.viewer.UserID {
		return where
	}
	where += ` AND p.visibility = 'public'`
	if s.viewer.SignedIn() {
		where += and + access.NotBlocked(who, s.viewerParam)
	}
	return where
}
