package event

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
	"moothall/internal/platform/db"
)

// search answers a filter in one statement. Its text depends on the shape of
// the filter only, values are parameters; each shape is registered when it is
// first met.
type search struct {
	Filter
	plan
	viewer domain.Viewer
	now    time.Time
	most   int // candidates that it looks at

	args []any
	me   string // the viewer's parameter, or access.Anonymous
	at   string // the parameter of now
	low  string // the parameter of the exclusive lower bound of the keys
	key  string // the column that is walked in time order: of postings d or events e
}

// farthest is how many postings a search of posting lists looks at: of lists
// that rarely meet, every one may be in vain. A map, which has no next page,
// looks further, by farther times.
const (
	farthest = 5000
	farther  = 4
)

// found gives at most Limit cards, and one more when there are more. Where it
// stopped looking before that, Next is the last candidate.
func (s *search) found(ctx context.Context, q db.Querier) (p Page, err error) {
	text := s.text()
	stmt := db.SQL("event.search "+hash(text), text)
	p.Cards = make([]Card, 0, s.Limit+1)
	scan := func(row db.Row, c *Card) error {
		var found bool
		err := ScanCard(row, c, &found)
		if !found {
			p.Next = new(keyTime(c.StartsKey))
		}
		return err
	}
	if p.Cards, err = db.Append(ctx, q, p.Cards, scan, stmt, s.args...); err != nil {
		return Page{}, fmt.Errorf("event.search: %w", err)
	}
	if p.Next != nil { // it comes last
		p.Cards = p.Cards[:len(p.Cards)-1]
	}
	keepCards(ctx, stmt, p.Cards, s.now)
	p.Cards = p.Cards[:min(len(p.Cards), s.Limit+1)]
	return p, nil
}

func hash(text string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	return strconv.FormatUint(h.Sum64(), 36)
}

// arg adds a parameter and gives its name in the text.
func (s *search) arg(v any) string {
	s.args = append(s.args, v)
	return "$" + strconv.Itoa(len(s.args))
}

// rows is how many cards the statement reads. It stands in the text, because
// PostgreSQL plans a LIMIT that is a parameter anew at every call.
func (s *search) rows() int {
	if s.Limit <= 20 {
		return 21
	}
	return 101
}

func (s *search) text() string {
	s.begin()
	switch {
	case s.drive != nil:
		return s.merged(`d.starts_key FROM event_terms d WHERE d.term_id`, s.drive)
	case s.cells != nil && !s.personal():
		return s.merged(`d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell`, s.cells)
	default:
		s.key = `e.starts_key`
		return s.direct()
	}
}

// begin names what every text needs, for a walk of posting lists.
func (s *search) begin() {
	s.me = access.Anonymous
	if s.viewer.SignedIn() {
		s.me = s.arg(s.viewer.UserID)
	}
	s.at = s.arg(s.now)
	s.low = s.arg(s.lowest(s.now))
	s.key = `d.starts_key`
}

// direct reads from a source that is in time order by itself, or small.
func (s *search) direct() string {
	from, where := `events e`, access.InDiscovery("e", s.me, s.at)+s.upTo()+s.conditions()+s.priced()+s.inBox()+s.inCircle()
	if s.Organizer != nil {
		where += ` AND e.organizer_id = ` + s.arg(*s.Organizer)
	}
	if s.Participant != nil {
		from, where = `participants p CROSS JOIN events e`, where+` AND e.id = p.event_id`+s.attended()
	}
	return SelectCards(s.me, s.at, `TRUE`, from) +
		` WHERE ` + where + ` AND e.starts_key > ` + s.low + ` ORDER BY e.starts_key LIMIT ` + strconv.Itoa(s.rows())
}

// merged walks several posting lists in time order at once, only as far as the
// page goes and never past most candidates. Events themselves are looked at when
// the page is known. Where it is short, the last candidate comes after it.
func (s *search) merged(list string, ids []int64) string {
	ids = padded(ids)
	branches, upTo := make([]string, len(ids)), s.upTo()
	for i := range ids {
		branches[i] = `SELECT ` + list + ` = ` + s.arg(ids[i]) + ` AND d.starts_key > ` + s.low + upTo
	}
	candidates := `(` + strings.Join(branches, ` UNION ALL `) + ` ORDER BY starts_key LIMIT ` + strconv.Itoa(s.most) + `) AS d`
	found, rows := `SELECT `, strconv.Itoa(s.rows())
	if s.drive != nil && len(ids) > 1 { // an event may have several of the words
		found = `SELECT DISTINCT `
	}
	return `WITH page AS (` + found + `d.starts_key FROM ` + candidates + ` WHERE ` + s.onPosting() + ` ORDER BY d.starts_key LIMIT ` + rows + `),
		last AS (SELECT d.starts_key FROM ` + candidates + ` ORDER BY d.starts_key
			LIMIT (SELECT CASE WHEN COUNT(*) < ` + rows + ` THEN 1 ELSE 0 END FROM page) OFFSET ` + strconv.Itoa(s.most-1) + `)
		` + SelectCards(s.me, s.at, `d.found`, `(SELECT starts_key, TRUE AS found FROM page UNION ALL SELECT starts_key, FALSE FROM last) AS d CROSS JOIN events e`) +
		` WHERE e.starts_key = d.starts_key ORDER BY e.starts_key, d.found DESC`
}

// padded repeats an id that nothing has, so that few lengths occur and with
// them few texts.
func padded(ids []int64) []int64 {
	ids = slices.Clone(ids)
	for len(ids) != 1 && len(ids) != 4 && len(ids) != 16 && len(ids) < mostCells {
		ids = append(ids, 0)
	}
	return ids
}

// onPosting are the conditions on a posting d that is walked. What they ask of
// other tables they ask as a value, (SELECT 1 ...) = 1: of EXISTS both engines
// may make a join and walk it in another order.
func (s *search) onPosting() string {
	where := `TRUE`
	if s.drive == nil {
		where += s.near("d") + s.about("d")
	}
	where += s.conditions()
	if s.drive != nil {
		where += s.inCircle()
	}
	return where + ` AND (SELECT 1 FROM events e WHERE e.starts_key = d.starts_key AND ` + access.InDiscovery("e", s.me, s.at) + s.priced() + s.inBox() + `) = 1`
}

// upTo is the upper bound of the keys.
func (s *search) upTo() string {
	if s.To == nil {
		return ""
	}
	return ` AND ` + s.key + ` <= ` + s.arg(keysUpTo(*s.To))
}

// conditions are those on the key that every way of reading shares.
func (s *search) conditions() (where string) {
	for _, terms := range alike(s.must) {
		where += ` AND (SELECT 1 FROM event_terms t WHERE t.starts_key = ` + s.key + ` AND t.term_id ` + s.oneOf(terms) + ` LIMIT 1) = 1`
	}
	return where
}

// oneOf compares with the only id, or with any of several.
func (s *search) oneOf(ids []int64) string {
	if len(ids) == 1 {
		return `= ` + s.arg(ids[0])
	}
	return `IN (SELECT value FROM ints(` + s.arg(ids) + `) AS l)`
}

// alike repeats the last condition so that few numbers of them, and with them
// few texts, occur.
func alike(must [][]int64) [][]int64 {
	for n := len(must); n == 3 || n > 4 && n < mostWords+2; n++ {
		must = append(must, must[n-1])
	}
	return must
}

// priced asks for the price, which can be walked by its index only where
// nothing better is there.
func (s *search) priced() string {
	switch {
	case s.Price == "":
		return ""
	case s.key == `e.starts_key` && !s.personal():
		return ` AND e.price = ` + s.arg(s.Price)
	default:
		return ` AND e.price || '' = ` + s.arg(s.Price)
	}
}

// inBox asks for the box, to the last digit.
func (s *search) inBox() string {
	switch {
	case s.Box == nil && s.Placed:
		return ` AND e.lat IS NOT NULL`
	case s.Box == nil:
		return ""
	}
	b := s.Box
	both := ` AND `
	if b.West > b.East {
		both = ` OR `
	}
	return ` AND e.lat >= ` + s.arg(b.South) + ` AND e.lat <= ` + s.arg(b.North) +
		` AND (e.lng >= ` + s.arg(b.West) + both + `e.lng <= ` + s.arg(b.East) + `)`
}

// about asks for the box on a posting c of a cell. A pole lies on every meridian.
func (s *search) about(c string) string {
	if s.Box == nil {
		return ""
	}
	e := s.Box.edges()
	both := ` AND `
	if e.wide {
		both = ` OR `
	}
	south, north, west, east := s.arg(e.south), s.arg(e.north), [2]string{s.arg(e.west.X), s.arg(e.west.Y)}, [2]string{s.arg(e.east.X), s.arg(e.east.Y)}
	return fmt.Sprintf(` AND %[1]s.z >= %[2]s AND %[1]s.z <= %[3]s AND (%[1]s.y*%[4]s - %[1]s.x*%[5]s >= %[9]s%[8]s%[1]s.x*%[7]s - %[1]s.y*%[6]s >= %[9]s)`,
		c, south, north, west[0], west[1], east[0], east[1], both, s.arg(-hair))
}

// near asks for the circle on a posting c of a cell.
func (s *search) near(c string) string {
	if s.Circle == nil {
		return ""
	}
	a := s.Circle.Around()
	return ` AND ` + Within(c, s.arg(a.X), s.arg(a.Y), s.arg(a.Z), s.arg(a.Chord2))
}

// inCircle asks for the circle where its cells are not what is walked.
func (s *search) inCircle() string {
	if s.Circle == nil {
		return ""
	}
	return ` AND (SELECT 1 FROM event_cells c WHERE c.starts_key = ` + s.key + ` AND c.cell ` + s.oneOf(s.Circle.coarse()) + s.near("c") + ` LIMIT 1) = 1`
}

// attended are the events one person goes to, openly unless that person asks.
func (s *search) attended() string {
	who := s.arg(*s.Participant)
	where := ` AND p.user_id = ` + who + ` AND p.status = 'going'`
	if *s.Participant == s.viewer.UserID {
		return where
	}
	where += ` AND p.visibility = 'public'`
	if s.viewer.SignedIn() {
		where += ` AND ` + access.NotBlocked(who, s.me)
	}
	return where
}
