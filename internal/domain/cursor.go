package domain

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
)

// maxCursor is the longest cursor in bytes (contract §0).
const maxCursor = 512

// Page is one page of a list.
type Page[T any] struct {
	Items []T
	Next  string // the cursor of the next page; empty on the last one
}

// NewPage makes a page of at most limit items from rows that were read with a
// limit of limit + 1: a row more means that a next page follows. cursor returns
// the cursor behind an item.
func NewPage[T any](rows []T, limit int, cursor func(last T) string) Page[T] {
	if len(rows) <= limit {
		return Page[T]{Items: rows}
	}
	return Page[T]{Items: rows[:limit], Next: cursor(rows[limit-1])}
}

// InvalidCursor refuses a cursor that no page of the list has given.
var InvalidCursor = Invalid("?cursor", "must be the next_cursor of the page before")

// Cursor makes the opaque cursor of a list: where its next page begins. The
// list names what it lists and the version of its values ("people.1"), so that
// no other list takes the cursor. The values are strings, integers, booleans,
// float64s, times and ids, and keep the whole within 512 bytes: a text that
// people wrote does not belong here.
func Cursor(list string, values ...any) string {
	encoded, _ := json.Marshal(append([]any{list}, values...)) // such values always encode
	return base64.RawURLEncoding.EncodeToString(encoded)
}

// ReadCursor reads the values of a cursor of the list into pointers of their
// types, in their order. It refuses everything that Cursor has not made of
// such values with an invalid "?cursor".
func ReadCursor(text, list string, into ...any) error {
	if len(text) > maxCursor {
		return InvalidCursor
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || bytes.Contains(raw, []byte(`\u0000`)) { // NUL: no engine takes it
		return InvalidCursor
	}
	var parts []json.RawMessage
	if json.Unmarshal(raw, &parts) != nil || len(parts) != len(into)+1 {
		return InvalidCursor
	}
	for i, to := range append([]any{new(string)}, into...) {
		if bytes.Equal(parts[i], []byte("null")) || json.Unmarshal(parts[i], to) != nil {
			return InvalidCursor
		}
	}
	if named, _ := json.Marshal(list); !bytes.Equal(parts[0], named) {
		return InvalidCursor
	}
	return nil
}
