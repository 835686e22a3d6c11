package db_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

type (
	mood  string
	level int
)

// sample is a row of the table samples; nil is NULL.
type sample struct {
	ID     domain.ID[sampleKind]
	Text   *string
	Number *int64
	Small  *level
	Flag   *bool
	Ratio  *float64
	Bytes  []byte
	Moment *time.Time
}

var (
	addSample = db.SQL("test.add_sample", `INSERT INTO samples (id, text, number, small, flag, ratio, bytes, moment)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`)
	getSample = db.SQL("test.get_sample", `SELECT id, text, number, small, flag, ratio, bytes, moment FROM samples WHERE id = $1`)
)

func everyByte() []byte {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	return all
}

func TestValuesRoundTrip(t *testing.T) {
	samples := map[string]sample{
		"nothing":   {},
		"empty":     {Text: new(""), Number: new(int64(0)), Flag: new(false), Ratio: new(0.0), Bytes: []byte{}, Moment: new(time.UnixMicro(0).UTC())},
		"highest":   {Number: new(int64(math.MaxInt64)), Small: new(level(math.MaxInt32)), Flag: new(true), Ratio: new(math.MaxFloat64)},
		"lowest":    {Number: new(int64(math.MinInt64)), Small: new(level(math.MinInt32)), Ratio: new(-math.MaxFloat64)},
		"2^53 + 1":  {Number: new(int64(1<<53 + 1)), Ratio: new(math.SmallestNonzeroFloat64)},
		"infinite":  {Ratio: new(math.Inf(1))},
		"minus 0":   {Ratio: new(math.Copysign(0, -1))},
		"a third":   {Ratio: new(1.0 / 3)},
		"scripts":   {Text: new("Grüße, Привет, 你好, مرحبا, שלום, नमस्ते, 👩‍👩‍👧‍👦, e\u0301 is not é, ﬁ, \U0010FFFF")},
		"SQL":       {Text: new(`'; DROP TABLE samples; -- $1 ?1 \ " %`)},
		"a novel":   {Text: new(strings.Repeat("é", 1<<19)), Bytes: make([]byte, 1<<20)},
		"all bytes": {Bytes: everyByte()},
		"2000":      {Moment: new(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))},
		"2100":      {Moment: new(time.Date(2100, 12, 31, 23, 59, 59, 999_999_000, time.UTC))},
	}
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		for name, in := range samples {
			t.Run(name, func(t *testing.T) {
				in.ID = newID()
				_, err := d.Exec(t.Context(), addSample, in.ID, in.Text, in.Number, in.Small, in.Flag, in.Ratio, in.Bytes, in.Moment)
				must(t, err)
				out := sample{Text: new("old"), Bytes: []byte("old")} // Scan must overwrite it
				must(t, d.One(t.Context(), getSample, in.ID).Scan(&out.ID, &out.Text, &out.Number, &out.Small, &out.Flag, &out.Ratio, &out.Bytes,
					&out.Moment))
				compareSamples(t, in, out)
			})
		}
	})
}

func compareSamples(t *testing.T, in, out sample) {
	t.Helper()
	if in.ID != out.ID || !same(in.Text, out.Text) || !same(in.Number, out.Number) || !same(in.Small, out.Small) ||
		!same(in.Flag, out.Flag) || !same(in.Ratio, out.Ratio) || !same(in.Moment, out.Moment) ||
		string(in.Bytes) != string(out.Bytes) || (in.Bytes == nil) != (out.Bytes == nil) {
		t.Errorf("got  %+v\nwant %+v", out, in)
	}
}

func same[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}

func TestEveryMicrosecondOfACenturyFits(t *testing.T) {
	echo := db.SQL("test.echo_time", `SELECT CAST($1 AS BIGINT)`)
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		first := time.Date(2000, 1, 1, 0, 0, 0, 1000, time.UTC)
		must(t, d.Read(t.Context(), func(q db.Querier) error {
			for in := first; in.Year() <= 2100; in = in.Add(137*time.Hour + 7*time.Microsecond) {
				var out time.Time
				if err := q.One(t.Context(), echo, in).Scan(&out); err != nil {
					return err
				}
				if !out.Equal(in) || out.Location() != time.UTC {
					t.Fatalf("got %v, want %v", out, in)
				}
			}
			return nil
		}))
	})
}

func TestTimesAreStoredInUTC(t *testing.T) {
	echo := db.SQL("test.echo_time", `SELECT CAST($1 AS BIGINT)`)
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		in := time.Date(2030, 6, 1, 12, 0, 0, 0, time.FixedZone("", 5*3600+1800))
		var out time.Time
		must(t, d.One(t.Context(), echo, in).Scan(&out))
		if !out.Equal(in) {
			t.Errorf("got %v, want %v", out, in)
		}
	})
}

func TestNamedTypesRoundTrip(t *testing.T) {
	echo := db.SQL("test.echo_named", `SELECT CAST($1 AS TEXT), CAST($2 AS BIGINT), CAST($3 AS BOOLEAN), CAST($4 AS UUID),
		CAST($5 AS DOUBLE PRECISION)`)
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		var (
			m       mood
			l       *level
			yes     bool
			id      domain.EventID
			nothing *float64
		)
		want := domain.EventID(newID())
		must(t, d.One(t.Context(), echo, mood("merry"), level(7), true, &want, (*float64)(nil)).Scan(&m, &l, &yes, &id, &nothing))
		if m != "merry" || l == nil || *l != 7 || !yes || id != want || nothing != nil {
			t.Error(m, l, yes, id, nothing)
		}
	})
}

func TestScanRefusesWrongTypes(t *testing.T) {
	row := db.SQL("test.misfit", `SELECT id, text, number, ratio, flag FROM samples`)
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		_, err := d.Exec(t.Context(), addSample, newID(), nil, int64(math.MaxInt64), 1, true, 0.5, nil, nil)
		must(t, err)
		var (
			id     domain.UserID
			text   *string
			number int64
			ratio  float64
			flag   bool
			plain  string
			small  int8
			wrong  chan int
		)
		must(t, d.One(t.Context(), row).Scan(&id, &text, &number, &ratio, &flag))
		for name, dest := range map[string][]any{
			"NULL into a string":       {&id, &plain, &number, &ratio, &flag},
			"an id into a string":      {&plain, &text, &number, &ratio, &flag},
			"a number into an id":      {&id, &text, &id, &ratio, &flag},
			"a fraction into a number": {&id, &text, &number, &number, &flag},
			"a large number":           {&id, &text, &small, &ratio, &flag},
			"too few":                  {&id, &text},
			"too many":                 {&id, &text, &number, &ratio, &flag, &flag},
			"an unknown type":          {&id, &text, &wrong, &ratio, &flag},
			"no pointer":               {id, &text, &number, &ratio, &flag},
		} {
			if err := d.One(t.Context(), row).Scan(dest...); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
	})
}

func TestCallsRefuseWrongArguments(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		for name, args := range map[string][]any{
			"too few":  {"a"},
			"too many": {"a", 1, 2},
			"a struct": {"a", struct{}{}},
			"a map":    {"a", map[string]int{}},
			"NUL":      {"a\x00", 1},
			"no UTF-8": {mood("\xff"), 1},
			"in list":  {[]string{"a\x00"}, 1},
		} {
			if _, err := d.Exec(t.Context(), addMark, args...); err == nil || !strings.HasPrefix(err.Error(), "enginetest.add_mark: ") {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestTextsCompareByCodePoint(t *testing.T) {
	sorted := db.SQL("test.sorted", `SELECT owner FROM marks WHERE owner >= $1 ORDER BY owner`)
	want := []string{"A", "B", "Z", "_", "a", "ab", "b", "z", "ä", "я", "👍"}
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		for i := range want {
			must(t, mark(t.Context(), d, want[(i*7)%len(want)], i))
		}
		got, err := db.All(t.Context(), d, func(r db.Row, s *string) error { return r.Scan(s) }, sorted, "A")
		must(t, err)
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("got  %v\nwant %v", got, want)
		}
	})
}
