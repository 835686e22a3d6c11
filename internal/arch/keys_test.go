package arch_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"moothall/internal/platform/db"
)

var (
	tableBody   = regexp.MustCompile(`(?s)\bCREATE TABLE (\w+) \((.*?)\n\)`)
	keyOfMany   = regexp.MustCompile(`PRIMARY KEY \((\w+)`)
	keyOfOne    = regexp.MustCompile(`(\w+)\s+\w+\s+PRIMARY KEY`)
	listOfIDs   = regexp.MustCompile(`\(SELECT \* FROM unnest\((\$\d+)::uuid\[\]\) WITH ORDINALITY AS list \(value, ord\)\)`)
	assignments = regexp.MustCompile(`\bSET .*?( WHERE |$)`)
	inserted    = regexp.MustCompile(`INTO (\w+) \((\w+)[^)]*\) (?:VALUES \(|SELECT )(?:CAST\()?([\w.$]+)`)
	mentioned   = regexp.MustCompile(`\b(INTO|UPDATE|DELETE FROM|FROM|JOIN) (\w+)(?: AS)?(?: ([a-z]\w*))?`)

	equalities = []*regexp.Regexp{
		regexp.MustCompile(`([\w.$]+) = ([\w.$]+)`),
		regexp.MustCompile(`([\w.]+) IN \(SELECT value FROM (\$\d+) AS`),
		regexp.MustCompile(`\((\w+), \w+\) IN \( ?SELECT (\w+),`),
		regexp.MustCompile(`(\$\d+) AS (\w+)`), // a list stands for its values
	}
)

// firstKeys returns the first column of every table's primary key.
func firstKeys(t *testing.T) map[string]string {
	t.Helper()
	files, err := os.ReadDir(filepath.Join(root, migrations))
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]string{}
	for _, f := range files {
		for _, table := range tableBody.FindAllStringSubmatch(read(t, migrations+"/"+f.Name()), -1) {
			key := keyOfMany.FindStringSubmatch(table[2])
			if key == nil {
				key = keyOfOne.FindStringSubmatch(table[2])
			}
			if key != nil {
				keys[table[1]] = key[1]
			}
		}
	}
	return keys
}

// TestKeysMatchStatements compares every db.Key with the text of its statement: the
// statement must compare the first column of the primary key with the parameter
// wherever it reads the table, or writes it. A wrong key makes cached responses
// stale. The test does not understand OR.
func TestKeysMatchStatements(t *testing.T) {
	first, found := firstKeys(t), 0
	for _, s := range db.Statements() {
		for _, key := range s.Keys() {
			found++
			if problem := wrongKey(s.Text(db.PostgreSQL), key, first[key.Table]); problem != "" {
				t.Errorf("%s: %s", s.Name(), problem)
			}
		}
	}
	if found == 0 {
		t.Error("no statement has a key")
	}
}

func TestWrongKeysAreFound(t *testing.T) {
	const ids = `(SELECT * FROM unnest($1::uuid[]) WITH ORDINALITY AS list (value, ord))`
	for sql, right := range map[string]bool{
		`SELECT n FROM seats WHERE event = $1`:                                                                         true,
		`SELECT n FROM seats WHERE slot = $1`:                                                                          false,
		`SELECT n FROM seats WHERE event = $2 AND slot = $1`:                                                           false,
		`SELECT n FROM seats s WHERE s.event = $1 AND EXISTS (SELECT 1 FROM seats o WHERE o.slot = $2)`:                false,
		`SELECT n FROM seats s WHERE s.event = $1 AND s.n > (SELECT COUNT(*) FROM seats)`:                              false,
		`SELECT s.n FROM seats s, seats o WHERE s.event = $1`:                                                          false,
		`SELECT s.n FROM seats s JOIN seats o ON o.event = s.event WHERE s.event = $1`:                                 true,
		`SELECT s.n FROM events e JOIN seats s ON s.event = e.id WHERE e.id = $1`:                                      true,
		`SELECT s.n FROM seats s WHERE s.event = $1 UNION ALL SELECT s.n FROM seats s WHERE s.slot = 1`:                false,
		`SELECT n FROM seats WHERE event IN (SELECT value FROM ` + ids + ` AS l)`:                                      true,
		`SELECT s.n FROM ` + ids + ` AS l JOIN seats s ON s.event = l.value`:                                           true,
		`UPDATE seats SET event = $1 WHERE slot = $2`:                                                                  false,
		`UPDATE seats SET n = 0 WHERE event = $1 AND NOT EXISTS (SELECT 1 FROM seats o WHERE o.n = 1)`:                 true,
		`UPDATE seats SET n = 0 WHERE (event, slot) IN (SELECT l.value, o.value FROM ` + ids + ` AS l JOIN o ON TRUE)`: true,
		`INSERT INTO seats (event, slot) VALUES ($1, $2)`:                                                              true,
		`INSERT INTO seats (slot, event) VALUES ($1, $2)`:                                                              false,
		`INSERT INTO seats (event, slot) VALUES ($2, $1)`:                                                              false,
		`INSERT INTO seats (event, slot) SELECT e.id, 0 FROM events e WHERE e.id = $1`:                                 true,
		`INSERT INTO seats (event, slot) SELECT e.id, 0 FROM events e WHERE e.owner = $1`:                              false,
		`INSERT INTO events (id) SELECT s.event FROM seats s WHERE s.event = $1`:                                       false, // no key of the written table
		`DELETE FROM seats WHERE event = $1`:                                                                           true,
		`DELETE FROM seats WHERE slot = $1`:                                                                            false,
	} {
		if problem := wrongKey(sql, db.Key{Table: "seats", Param: 1}, "event"); right != (problem == "") {
			t.Errorf("%s: %q", sql, problem)
		}
	}
}

// wrongKey returns what is wrong with a key, "" if nothing is. column is the first
// column of the table's primary key.
func wrongKey(sql string, key db.Key, column string) string {
	sql = strings.Join(strings.Fields(listOfIDs.ReplaceAllString(sql, "$1")), " ")
	sql = assignments.ReplaceAllString(sql, "SET$1")
	equal := equals(strings.ReplaceAll(sql, ".value", ""))
	parameter := fmt.Sprintf("$%d", key.Param)
	writes := written.MatchString(rowLock.ReplaceAllString(sql, ""))
	seen, named := 0, map[string]int{}
	for _, m := range mentioned.FindAllStringSubmatch(sql, -1) {
		if m[2] != key.Table {
			continue
		}
		if seen++; writes && (m[1] == "FROM" || m[1] == "JOIN") {
			continue // a transaction that writes is not cached
		}
		name := column
		if m[3] != "" {
			name = m[3] + "." + column
		}
		if m[1] == "INTO" {
			into := inserted.FindStringSubmatch(sql)
			if len(into) == 0 || into[2] != column {
				return column + " is not the first column that is inserted"
			}
			name = into[3]
			equal = append(equal, [2]string{name, name}) // it needs no comparison
		}
		named[name]++
	}
	if !writes && seen != len(regexp.MustCompile(`\b`+key.Table+`\b[^.]`).FindAllString(sql+" ", -1)) {
		return "the table is mentioned in an unknown way"
	}
	if len(named) == 0 {
		return "the table is not written"
	}
	for name, times := range named {
		if len(comparedWith(equal, name)) < times || !implied(equal, name, parameter) {
			return fmt.Sprintf("%s is not compared with %s %d times", name, parameter, times)
		}
	}
	return ""
}

// equals returns the pairs that the statement compares.
func equals(sql string) (pairs [][2]string) {
	for _, form := range equalities {
		for _, m := range form.FindAllStringSubmatch(sql, -1) {
			pairs = append(pairs, [2]string{m[1], m[2]})
		}
	}
	return pairs
}

// comparedWith returns what is compared with a name.
func comparedWith(pairs [][2]string, name string) (others []string) {
	for _, p := range pairs {
		switch name {
		case p[0]:
			others = append(others, p[1])
		case p[1]:
			others = append(others, p[0])
		}
	}
	return others
}

// implied reports whether the comparisons imply that two names are equal.
func implied(pairs [][2]string, from, to string) bool {
	reached := []string{from}
	for i := 0; i < len(reached); i++ {
		for _, next := range comparedWith(pairs, reached[i]) {
			if !slices.Contains(reached, next) {
				reached = append(reached, next)
			}
		}
	}
	return slices.Contains(reached, to)
}
