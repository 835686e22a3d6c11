package gen_test

import (
	"testing"

	"moothall/api/gen"
)

func TestParseTime(t *testing.T) {
	for value, want := range map[string]string{
		"2026-12-05T16:00:00Z":           "2026-12-05T16:00:00Z",
		"2026-12-05T19:00:00+03:00":      "2026-12-05T16:00:00Z",
		"2026-12-05T16:00:00.482013377Z": "2026-12-05T16:00:00.482013377Z",
		"2026-12-05T16:00:00.5Z":         "2026-12-05T16:00:00.500000Z",
		"2026-12-05T16:00:00.000000010Z": "2026-12-05T16:00:00.000000010Z",
		"2000-01-01T00:00:00Z":           "2000-01-01T00:00:00Z",
		"1999-12-31T23:59:59Z":           "",
		"2100-01-01T00:00:00Z":           "",
		"0000-01-01T00:00:00Z":           "",
		"2026-12-05T16:00:00":            "",
		"2026-12-05":                     "",
		"2026-12-05T16:00Z":              "",
		"2026-12-05T6:00:00Z":            "",
		"2026-12-05 16:00:00Z":           "",
		"2026-12-05T16:00:00,5Z":         "",
		"2026-12-05T16:00:00+24:00":      "",
		"2026-12-05T16:00:00+03:60":      "",
		"2026-02-30T16:00:00Z":           "",
		"2026-12-05T16:00:60Z":           "",
		"":                               "",
	} {
		got, err := gen.ParseTime(value)
		if want == "" && err == nil {
			t.Errorf("%q parsed as %v", value, got)
		}
		if want == "" {
			continue
		}
		shown, _ := gen.NewOptDateTime(got).MarshalJSON() // as in a response
		if err != nil || string(shown) != `"`+want+`"` {
			t.Errorf("%q parsed as %v, %v, shown as %s, want %s", value, got, err, shown, want)
		}
	}
}

func TestParseUUID(t *testing.T) {
	const id = "018f3b0a-5c1d-7000-8000-0000000000e1"
	for value, good := range map[string]bool{
		id:                                     true,
		"018F3B0A-5C1D-7000-8000-0000000000E1": true,
		"{" + id + "}":                         false,
		"urn:uuid:" + id:                       false,
		"018f3b0a5c1d700080000000000000e1":     false,
		"018f3b0a-5c1d-7000-8000-0000000000eg": false,
		"":                                     false,
	} {
		got, err := gen.ParseUUID(value)
		if (err == nil) != good || good && got.String() != id {
			t.Errorf("%q parsed as %v, %v", value, got, err)
		}
	}
}

func TestParseFloat(t *testing.T) {
	for value, good := range map[string]bool{
		"52.5": true, "-0": true, "1e2": true, ".5": true,
		"1_0": false, "0x1p4": false, "NaN": false, "Infinity": false, "1e999": false, "1,5": false, "+5": false, "": false, " 1": false,
	} {
		if got, err := gen.ParseFloat(value); (err == nil) != good {
			t.Errorf("%q parsed as %v, %v", value, got, err)
		}
	}
}
