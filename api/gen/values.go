package gen

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-faster/jx"
	"github.com/google/uuid"
	"github.com/ogen-go/ogen/uri"
)

// The syntax of the contract's values, used by the generated code in place of
// its own, which takes more than the contract promises.

// The moments that the contract accepts: from earliest, before latest.
var (
	earliest = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
)

// parseTime reads an RFC 3339 date-time with an offset and gives it in UTC.
func parseTime(s string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || !strictTime(s) {
		return time.Time{}, errors.New("must be an RFC 3339 date-time with an offset")
	}
	if t.Before(earliest) || !t.Before(latest) {
		return time.Time{}, fmt.Errorf("must be from %d to %d", earliest.Year(), latest.Year())
	}
	return t.UTC(), nil
}

// strictTime refuses what time.Parse takes beyond RFC 3339: an hour of one
// digit, a comma before the fraction, an offset out of 23:59.
func strictTime(s string) bool {
	const hour, fraction = len("2006-01-02T15"), len("2006-01-02T15:04:05")
	if len(s) <= fraction || s[hour] != ':' || s[fraction] == ',' {
		return false
	}
	if strings.HasSuffix(s, "Z") {
		return true
	}
	offset := s[len(s)-len("23:59"):]
	return offset[:2] <= "23" && offset[3:] <= "59"
}

func formatTime(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

func decodeTime(d *jx.Decoder) (time.Time, error) {
	s, err := d.Str()
	if err != nil {
		return time.Time{}, err
	}
	return parseTime(s)
}

func encodeTime(e *jx.Encoder, t time.Time) {
	var buf [len(time.RFC3339Nano)]byte
	e.ByteStr(t.UTC().AppendFormat(buf[:0], time.RFC3339Nano))
}

// parseUUID reads the canonical form, in any letter case.
func parseUUID(s string) (uuid.UUID, error) {
	const canonical = len("00000000-0000-0000-0000-000000000000")
	id, err := uuid.Parse(s)
	if err != nil || len(s) != canonical {
		return uuid.UUID{}, errors.New("must be a UUID")
	}
	return id, nil
}

func decodeUUID(d *jx.Decoder) (uuid.UUID, error) {
	s, err := d.Str()
	if err != nil {
		return uuid.UUID{}, err
	}
	return parseUUID(s)
}

// parseFloat reads a decimal number: no hexadecimal digits, underscores, NaN or infinities.
func parseFloat(s string) (float64, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(f, 0) || strings.Trim(s, "-.0123456789eE") != "" {
		return 0, errors.New("must be a decimal number")
	}
	return f, nil
}

// CheckTime tells what is wrong with the text of a date-time, nil when nothing.
func CheckTime(s string) error {
	_, err := parseTime(s)
	return err
}

// CheckUUID tells what is wrong with the text of an id, nil when nothing.
func CheckUUID(s string) error {
	_, err := parseUUID(s)
	return err
}

// queryDecoder is ogen's, with a cheap way to miss a parameter.
type queryDecoder struct {
	*uri.QueryDecoder
	values url.Values
}

func newQueryDecoder(values url.Values) queryDecoder {
	return queryDecoder{uri.NewQueryDecoder(values), values}
}

var errAbsent = errors.New("query parameter is missing")

// HasParam gives an error when a parameter is not there.
func (d queryDecoder) HasParam(cfg uri.QueryParameterDecodingConfig) error {
	if _, ok := d.values[cfg.Name]; !ok && len(cfg.Fields) == 0 {
		return errAbsent
	}
	return d.QueryDecoder.HasParam(cfg)
}

// inOrder gives the entries of a map by their keys.
func inOrder[M ~map[string]V, V any](m M) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if !yield(key, m[key]) {
				return
			}
		}
	}
}
