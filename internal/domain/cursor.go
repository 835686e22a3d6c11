package domain

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"time"
)

// maxCursor is the longest cursor in bytes (contract §0).
const maxCursor = 512

// Page is one page of a list (contract §0).
type Page[T any] struct {
	Items []T
	Next  string // the cursor of the next page; empty on the last one
}

// DefaultLimit is the number of items of a page if the client sends no limit (contract §0).
const DefaultLimit = 20

// EndOfTime is later than every stored time: the start of a list that shows the latest first.
var EndOfTime = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

// NewPage returns a page of at most limit items. The caller reads up to limit + 1
// rows; the last one, the look-ahead row, shows that another page follows. cursor
// returns the cursor of the page after an item.
func NewPage[T any](rows []T, limit int, cursor func(last T) string) Page[T] {
	if len(rows) <= limit {
		return Page[T]{Items: rows}
	}
	return Page[T]{Items: rows[:limit], Next: cursor(rows[limit-1])}
}

// InvalidCursor is the refusal of a cursor that the list did not issue.
var InvalidCursor = Invalid("?cursor", "must be the next_cursor of the previous page")

// Cursor encodes where the next page of a list starts. list names the list and the
// version of its values ("people.1"), so that other lists refuse the cursor. Values
// are strings, integers, booleans, float64s, times and ids. Strings must be short,
// because ReadCursor refuses more than 512 bytes.
func Cursor(list string, values ...any) string {
	encoded, _ := json.Marshal(append([]any{list}, values...)) // such values always encode
	return base64.RawURLEncoding.EncodeToString(encoded)
}

// ReadCursor decodes the values of a cursor of the list, in order, into pointers of
// their types. It returns InvalidCursor for any other text.
func ReadCursor(text, list string, into ...any) error {
	if len(text) > maxCursor {
		return InvalidCursor
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || bytes.Contains(raw, []byte(`\u0000`)) { // NUL: databases refuse it
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
