package postgres

import (
	"encoding/base64"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"time"

	"moothall/internal/platform/db/change"
	"moothall/internal/platform/db/driver"
	"moothall/internal/platform/observe"
)

const (
	noticeChannel = "moothall_changes_1" // the number of the format, and of the hash of counters
	noticeCells   = 2000                 // in one notice, which PostgreSQL limits to 8,000 bytes
	noticeTopics  = 2500                 // bytes of topics
)

// transactionNotice begins a notice that is sent inside a transaction.
const transactionNotice = "transaction "

var notifyStmt = driver.NewStmt("db.notify", `SELECT pg_notify('`+noticeChannel+`', $1)`)

// encodeCells encodes each cell in two bytes, in base64. The text of no cell is "-".
func encodeCells(cells map[change.Cell]bool) string {
	if len(cells) == 0 {
		return "-"
	}
	if len(cells) > noticeCells {
		cells = map[change.Cell]bool{change.AllCells: true}
	}
	var raw []byte
	for cell := range cells {
		raw = binary.BigEndian.AppendUint16(raw, uint16(cell))
	}
	return base64.RawStdEncoding.EncodeToString(raw)
}

// decodeCells decodes the text of encodeCells. It returns everything for invalid text.
func decodeCells(text string) (cells []change.Cell) {
	if text == "-" {
		return nil
	}
	raw, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil || len(raw)%2 != 0 {
		return []change.Cell{change.AllCells}
	}
	for ; len(raw) > 0; raw = raw[2:] {
		cells = append(cells, change.Cell(binary.BigEndian.Uint16(raw)))
	}
	return cells
}

// topics are the shared topics that wait to be sent.
type topics struct {
	names map[string]bool
	bytes int
	since time.Duration // of the first one
}

func (t *topics) add(names []string) {
	if len(t.names) == 0 {
		*t = topics{names: map[string]bool{}, since: observe.Uptime()}
	}
	for _, name := range names {
		if t.names[change.AnyTopic] || t.names[name] {
			continue
		}
		t.names[name] = true
		if t.bytes += len(name) + 1; t.bytes > noticeTopics {
			t.names = map[string]bool{change.AnyTopic: true}
		}
	}
}

// line returns the second line of a notice, and empties the topics.
func (t *topics) line() string {
	if len(t.names) == 0 {
		return ""
	}
	names := slices.Collect(maps.Keys(t.names))
	t.names = nil
	return "\n" + strings.Join(names, " ")
}
