package discovery

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/geo"
)

// kind is a kind of lists of keys. A value is the name of its statements.
type kind string

const (
	ofAll         kind = "all"         // listed events
	ofOrganizer   kind = "organizer"   // listed events of a person
	ofGroup       kind = "group"       // listed events of a group
	ofParticipant kind = "participant" // listed events to which a person goes publicly
	ofViewer      kind = "viewer"      // listed events to which the viewer goes
	ofTerms       kind = "terms"       // posting lists of terms
	ofCells       kind = "cells"       // posting lists of cells
)

// lists are the SQL queries of one list of each kind. They return keys and leaf cells,
// 0 if unknown. $1 and $2 are the bounds of the keys. %s is the id of the list.
var lists = map[kind]string{
	ofAll:         `SELECT d.starts_key, CAST(0 AS BIGINT) AS leaf FROM events d WHERE d.listed`,
	ofOrganizer:   `SELECT d.starts_key, CAST(0 AS BIGINT) AS leaf FROM events d WHERE d.organizer_id = %s AND d.listed`,
	ofGroup:       `SELECT d.starts_key, CAST(0 AS BIGINT) AS leaf FROM events d WHERE d.group_id = %s AND d.listed`,
	ofParticipant: attended + ` AND p.visibility = 'public' AND ` + access.NotBlocked("$3", "$4"),
	ofViewer:      attended,
	ofTerms:       `SELECT d.starts_key, CAST(0 AS BIGINT) AS leaf FROM event_terms d WHERE d.term_id = %s`,
	ofCells:       `SELECT d.starts_key, d.leaf FROM event_cells d WHERE d.cell = %s`,
}

const attended = `SELECT d.starts_key, CAST(0 AS BIGINT) AS leaf FROM participants p CROSS JOIN events d
	WHERE p.user_id = %s AND p.status = 'going' AND d.id = p.event_id AND d.listed`

// source is where a search finds keys: some lists of one kind.
type source struct {
	kind  kind
	lists int   // number of merged lists
	args  []any // ids of the lists, and other parameters from $3 on
}

// noList is the id of no list. It fills a bucket. SQLite would prepare a statement again each
// time an id changes to or from 0 or 1.
const noList = int64(-1)

// listSource returns the merged posting lists of some ids.
func listSource(k kind, ids []int64) source {
	s := source{kind: k}
	for _, id := range ids {
		s.args = append(s.args, id)
	}
	s.lists = bucket(len(ids))
	for len(s.args) < s.lists {
		s.args = append(s.args, noList)
	}
	return s
}

// bucket returns the smallest bucket of n lists.
func bucket(n int) int {
	i, _ := slices.BinarySearch(buckets, n)
	return buckets[i]
}

// participantSource returns the events of a participant: those to which they go publicly,
// or all for themselves.
func participantSource(user domain.UserID, v domain.Viewer) source {
	if user == v.UserID {
		return source{kind: ofViewer, args: []any{user}}
	}
	return source{kind: ofParticipant, args: []any{user, v.UserID}}
}

// buckets are the numbers of lists, and chunkSizes the numbers of keys, for which there
// are statements. They are part of the text, because PostgreSQL plans a statement again
// at every call if LIMIT is a parameter.
var (
	buckets    = []int{1, 4, 16, geo.MaxCells}
	chunkSizes = []int{32, 128, 512}
)

// walkShape is what the text of a walk depends on.
type walkShape struct {
	kind        kind
	lists, size int
}

var walkStmts = func() map[walkShape]*db.Stmt {
	all := map[walkShape]*db.Stmt{}
	for k := range lists {
		numbers := []int{0}
		if k == ofTerms || k == ofCells {
			numbers = buckets
		}
		for _, n := range numbers {
			for _, size := range chunkSizes {
				s := walkShape{k, n, size}
				all[s] = db.SQL("discovery.walk "+fmt.Sprint(k, " ", n, " ", size), s.text())
			}
		}
	}
	return all
}()

// text returns the text of a statement that merges lists in time order. Each list has its
// own ORDER BY: without it, PostgreSQL reads the lists to their ends and sorts them.
func (s walkShape) text() string {
	branches, bounds := make([]string, max(s.lists, 1)), ` AND d.starts_key > $1 AND d.starts_key <= $2`
	if s.kind == ofAll { // PostgreSQL's planner does not see the bounds: otherwise it plans each execution (docs/adr/0039)
		bounds = ` AND d.starts_key > (SELECT CAST($1 AS BIGINT)) AND d.starts_key <= (SELECT CAST($2 AS BIGINT))`
	}
	for i := range branches {
		branches[i] = strings.ReplaceAll(lists[s.kind], "%s", fmt.Sprintf("$%d", i+3)) + bounds
	}
	if len(branches) > 1 {
		for i, list := range branches {
			branches[i] = fmt.Sprintf("SELECT starts_key, leaf FROM (%s ORDER BY d.starts_key) AS list%d", list, i)
		}
	}
	return strings.Join(branches, "\n\tUNION ALL ") + fmt.Sprintf("\n\tORDER BY starts_key LIMIT %d", s.size)
}

// walk reads the keys of a plan in time order, in chunks of growing size.
type walk struct {
	plan
	mayContain  func(leaf int64) bool // only called for keys with a leaf cell
	after, upTo int64                 // bounds of the remaining keys
	chunk       int                   // index of the next chunk's size
	scanned     int                   // postings
	done        bool                  // there are no more keys
}

// next returns the keys of the next chunk that have a term of each group and may be in
// circle and box.
func (w *walk) next(ctx context.Context, q db.Querier) (keys []int64, err error) {
	shape := walkShape{w.source.kind, w.source.lists, chunkSizes[w.chunk]}
	var key, leaf int64
	rows := 0
	for row, err := range q.Query(ctx, walkStmts[shape], append([]any{w.after, w.upTo}, w.source.args...)...) {
		if err == nil {
			err = row.Scan(&key, &leaf)
		}
		if err != nil {
			return nil, err
		}
		if key != w.after && (leaf == 0 || w.mayContain(leaf)) { // an event may have several of the terms
			keys = append(keys, key)
		}
		w.after = key
		rows++
	}
	w.scanned += rows
	w.done = rows < shape.size
	w.chunk = min(w.chunk+1, len(chunkSizes)-1)
	return w.having(ctx, q, keys)
}

// having returns the keys that have a term of each group. Keys are in ascending order.
func (p plan) having(ctx context.Context, q db.Querier, keys []int64) (_ []int64, err error) {
	for _, terms := range p.groups {
		if len(keys) == 0 {
			break
		}
		if keys, err = intersect(ctx, q, keys, terms); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// intersect returns the keys that have one of some terms. It reads a chunk of the lists of
// the terms along the keys, which is cheaper than looking up each key, and looks up the
// keys after that chunk.
func intersect(ctx context.Context, q db.Querier, keys, terms []int64) (found []int64, err error) {
	w := &walk{plan: plan{source: listSource(ofTerms, terms)}, after: keys[0] - 1, upTo: keys[len(keys)-1]}
	for w.chunk < len(chunkSizes)-1 && chunkSizes[w.chunk] < len(keys) {
		w.chunk++
	}
	listed, err := w.next(ctx, q)
	if err != nil {
		return nil, err
	}
	compared := len(keys)
	if !w.done {
		compared, _ = slices.BinarySearch(keys, w.after+1)
	}
	for _, key := range keys[:compared] {
		if _, has := slices.BinarySearch(listed, key); has {
			found = append(found, key)
		}
	}
	if compared == len(keys) {
		return found, nil
	}
	scan := func(row db.Row, key *int64) error { return row.Scan(key) }
	return db.Append(ctx, q, found, scan, lookupStmt, keys[compared:], terms)
}

// lookupStmt returns the keys of $1 that have one of the terms $2, in their order.
// (SELECT 1 ...) = 1 is not EXISTS, which both engines may turn into a scan of the terms.
var lookupStmt = db.SQL("discovery.lookup", `
	SELECT l.value FROM unseen_ints($1) AS l
	WHERE (SELECT 1 FROM event_terms t WHERE t.starts_key = l.value AND t.term_id IN (SELECT value FROM unseen_ints($2) AS g) LIMIT 1) = 1
		ORDER BY l.ord`)
