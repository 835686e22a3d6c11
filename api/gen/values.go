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

// This file parses values by the contract's syntax. The generated code calls it
// in place of ogen's parsers, which accept more.

// The contract accepts times from earliest up to, but not including, latest.
var (
	earliest = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
)

// ParseTime parses an RFC 3339 date-time with an offset and returns it in UTC.
func ParseTime(s string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || !strictTime(s) {
		return time.Time{}, errors.New("must be an RFC 3339 date-time with an offset")
	}
	if !IsTime(t) {
		return time.Time{}, fmt.Errorf("must be from %d to %d", earliest.Year(), latest.Year())
	}
	return t.UTC(), nil
}

// IsTime reports whether the contract accepts a time.
func IsTime(t time.Time) bool { return !t.Before(earliest) && t.Before(latest) }

// strictTime reports whether s has none of the deviations from RFC 3339 that
// time.Parse accepts: a one-digit hour, a comma before the fraction, an offset
// beyond 23:59.
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

// timeForm is the form of a time in responses: whole seconds have no fraction, others have
// six digits. Only cursors have nanoseconds.
func timeForm(t time.Time) string {
	switch ns := t.Nanosecond(); {
	case ns == 0:
		return "2006-01-02T15:04:05Z"
	case ns%int(time.Microsecond) == 0:
		return "2006-01-02T15:04:05.000000Z"
	}
	return "2006-01-02T15:04:05.000000000Z"
}

// FormatTime returns a time as the contract writes it, in UTC.
func FormatTime(t time.Time) string { return t.UTC().Format(timeForm(t)) }

func decodeTime(d *jx.Decoder) (time.Time, error) {
	s, err := d.Str()
	if err != nil {
		return time.Time{}, err
	}
	return ParseTime(s)
}

func encodeTime(e *jx.Encoder, t time.Time) {
	var buf [len(time.RFC3339Nano)]byte
	e.ByteStr(t.UTC().AppendFormat(buf[:0], timeForm(t)))
}

// ParseUUID parses the canonical form of a UUID, ignoring case.
func ParseUUID(s string) (uuid.UUID, error) {
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
	return ParseUUID(s)
}

// decodeInt decodes an integer. It may be written with a fraction or an exponent, like
// 5.0 or 5e0, because some JSON encoders know only floating-point numbers.
func decodeInt(d *jx.Decoder) (int, error) {
	number, err := d.Num()
	if err != nil {
		return 0, err
	}
	if i, err := strconv.Atoi(string(number)); err == nil {
		return i, nil
	}
	const exact = 1 << 53 // up to here, a float64 is exact
	f, err := strconv.ParseFloat(string(number), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > exact {
		return 0, errors.New("must be an integer")
	}
	return int(f), nil
}

// ParseFloat parses a decimal number without hexadecimal digits, underscores, NaN and infinities.
func ParseFloat(s string) (float64, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(f, 0) || strings.Trim(s, "-.0123456789eE") != "" {
		return 0, errors.New("must be a decimal number")
	}
	return f, nil
}

// CheckTime returns an error if s is not a date-time that the contract accepts.
func CheckTime(s string) error {
	_, err := ParseTime(s)
	return err
}

// CheckUUID returns an error if s is not a canonical UUID.
func CheckUUID(s string) error {
	_, err := ParseUUID(s)
	return err
}

// queryDecoder is ogen's decoder, without formatting an error for each absent
// parameter.
type queryDecoder struct {
	*uri.QueryDecoder
	values url.Values
}

func newQueryDecoder(values url.Values) queryDecoder {
	return queryDecoder{uri.NewQueryDecoder(values), values}
}

var errAbsent = errors.New("query parameter is missing")

// HasParam returns an error if the query lacks the parameter.
func (d queryDecoder) HasParam(cfg uri.QueryParameterDecodingConfig) error {
	if _, ok := d.values[cfg.Name]; !ok && len(cfg.Fields) == 0 {
		return errAbsent
	}
	return d.QueryDecoder.HasParam(cfg)
}

// sorted iterates over a map in the order of its keys.
func sorted[M ~map[string]V, V any](m M) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if !yield(key, m[key]) {
				return
			}
		}
	}
}
