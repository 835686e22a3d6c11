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
	"moothall/internal/db"
	"moothall/internal/meet"
)

// search answers a filter in one statement. Its text depends on the shape of
// the filter only, values are parameters; each shape is registered when it is
// first met.
type search struct {
	Filter
	plan
	viewer meet.Viewer
	now    time.Time

	args []any
	me   string // the viewer's parameter, or access.Anonymous
	at   string // the parameter of now
	low  string // the parameter of the exclusive lower bound of the keys
	key  string // the column that is walked in time order
}

// found gives at most Limit cards, and whether there are more.
func (s *search) found(ctx context.Context, q db.Querier) (cards []Card, more bool, err error) {
	text := s.text()
	cards = make([]Card, 0, s.Limit+1)
	stmt := db.SQL("event.search "+hash(text), text)
	cards, err = db.Append(ctx, q, cards, scanCard, stmt, s.args...)
	if err != nil {
		return nil, false, fmt.Errorf("event.search: %w", err)
	}
	keepCards(ctx, stmt, cards, s.now)
	if len(cards) > s.Limit {
		return cards[:s.Limit], true, nil
	}
	return cards, false, nil
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
func (s *search) rows() string {
	if s.Limit <= 20 {
		return "21"
	}
	return "101"
}

func (s *search) text() string {
	s.me = access.Anonymous
	if s.viewer.SignedIn() {
		s.me = s.arg(s.viewer.UserID)
	}
	s.at = s.arg(s.now)
	s.low = s.arg(s.lowest(s.now))
	s.key = `d.starts_key`
	switch {
	case s.drive != nil:
		return s.merged(`event_terms d`, `d.term_id`, s.drive, s.conditions()+s.inPlace())
	case s.cells != nil && s.Organizer == nil && s.Participant == nil:
		return s.merged(`event_cells d`, `d.cell`, s.cells, s.conditions()+s.near("d"))
	default:
		s.key = `e.starts_key`
		return s.direct()
	}
}

// direct reads from a source that is in time order by itself, or small.
func (s *search) direct() string {
	from, where := `events e`, s.conditions()+s.inPlace()
	if s.Organizer != nil {
		where += ` AND e.organizer_id = ` + s.arg(*s.Organizer)
	}
	if s.Participant != nil {
		from, where = `participants p CROSS JOIN events e`, where+` AND e.id = p.event_id`+s.attended()
	}
	return `SELECT ` + cardColumns(s.me, s.at) + ` FROM ` + from + cardJoins +
		` WHERE ` + where + ` AND e.starts_key > ` + s.low + ` ORDER BY e.starts_key LIMIT ` + s.rows()
}

// merged walks several posting lists in time order, each for one page, and
// merges the pages. CROSS JOIN keeps SQLite from walking the events instead.
func (s *search) merged(list, key string, ids []int64, where string) string {
	var branches []string
	for _, id := range padded(ids) {
		branches = append(branches, `SELECT starts_key FROM (SELECT d.starts_key FROM `+list+` CROSS JOIN events e
			WHERE `+key+` = `+s.arg(id)+` AND d.starts_key > `+s.low+` AND e.starts_key = d.starts_key AND `+where+` ORDER BY d.starts_key LIMIT `+s.rows()+`) AS b`)
	}
	return `WITH page AS (SELECT DISTINCT starts_key FROM (` + strings.Join(branches, ` UNION ALL `) + `) AS u ORDER BY starts_key LIMIT ` + s.rows() + `)
		SELECT ` + cardColumns(s.me, s.at) + ` FROM page JOIN events e ON e.starts_key = page.starts_key` + cardJoins + ` ORDER BY e.starts_key`
}

// padded repeats an id that nothing has, so that few lengths occur and with
// them few texts.
func padded(ids []int64) []int64 {
	ids = slices.Clone(ids)
	for len(ids) != 1 && len(ids) != 4 && len(ids) < mostCells {
		ids = append(ids, 0)
	}
	return ids
}

// conditions are those on the row e that every way of reading shares.
func (s *search) conditions() string {
	where := access.InDiscovery("e", s.me, s.at)
	if s.To != nil {
		where += ` AND ` + s.key + ` <= ` + s.arg(keysUpTo(*s.To))
	}
	if s.Price != "" {
		where += ` AND ` + s.priceColumn() + ` = ` + s.arg(s.Price)
	}
	for _, terms := range alike(s.must) {
		where += ` AND EXISTS (SELECT 1 FROM event_terms t WHERE t.starts_key = e.starts_key AND t.term_id IN (SELECT value FROM ints(` + s.arg(terms) + `) AS l))`
	}
	switch {
	case s.Box != nil:
		where += s.inBox()
	case s.Placed:
		where += ` AND e.lat IS NOT NULL`
	}
	return where
}

// priceColumn can be walked by its index only where nothing better is there.
func (s *search) priceColumn() string {
	if s.key == `e.starts_key` && s.Organizer == nil && s.Participant == nil {
		return `e.price`
	}
	return `e.price || ''`
}

// alike repeats the last condition so that few numbers of them, and with them
// few texts, occur.
func alike(must [][]int64) [][]int64 {
	for n := len(must); n == 3 || n > 4 && n < mostWords+2; n++ {
		must = append(must, must[n-1])
	}
	return must
}

func (s *search) inBox() string {
	b := s.Box
	both := ` AND `
	if b.West > b.East {
		both = ` OR `
	}
	return ` AND e.lat >= ` + s.arg(b.South) + ` AND e.lat <= ` + s.arg(b.North) +
		` AND (e.lng >= ` + s.arg(b.West) + both + `e.lng <= ` + s.arg(b.East) + `)`
}

// near is the exact distance on a posting c of a cell.
func (s *search) near(c string) string {
	if s.Circle == nil {
		return ""
	}
	p := point(s.Circle.Lat, s.Circle.Lng)
	x, y, z := s.arg(p.X), s.arg(p.Y), s.arg(p.Z)
	return fmt.Sprintf(` AND (%[1]s.x-%[2]s)*(%[1]s.x-%[2]s) + (%[1]s.y-%[3]s)*(%[1]s.y-%[3]s) + (%[1]s.z-%[4]s)*(%[1]s.z-%[4]s) <= %[5]s`,
		c, x, y, z, s.arg(s.Circle.chord2()))
}

// inPlace asks for the circle where its cells are not what is walked.
func (s *search) inPlace() string {
	if s.Circle == nil {
		return ""
	}
	return ` AND EXISTS (SELECT 1 FROM event_cells c WHERE c.starts_key = e.starts_key AND c.cell IN (SELECT value FROM ints(` +
		s.arg(s.cells) + `) AS l)` + s.near("c") + `)`
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
