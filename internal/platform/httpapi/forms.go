package httpapi

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// The one written form of values that the generated decoder reads too
// generously; ids, moments and numbers with a point it checks itself.

var (
	errInteger = errors.New("must be an integer like 20")
	errBoolean = errors.New("must be true or false")
	errText    = errors.New("must be valid UTF-8 without U+0000")
)

// checkInteger refuses the sign that strconv takes ("+5").
func checkInteger(s string) error {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return errInteger
	}
	return nil
}

// checkBoolean refuses the short forms that strconv takes ("1", "T").
func checkBoolean(s string) error {
	if s != "true" && s != "false" {
		return errBoolean
	}
	return nil
}

// checkText refuses what a database would choke on.
func checkText(s string) error {
	if !utf8.ValidString(s) || strings.Contains(s, "\x00") {
		return errText
	}
	return nil
}
