// Package text holds the rules for what people write: clean-up and length of
// fields (contract §0), and folding and words for search. It is pure: the same
// text gives the same answer on every engine and machine.
package text

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"
)

// Line cleans a single-line field and holds it to min..max grapheme clusters
// after trimming (contract §0 "Text clean-up", "Text length"). A clean line
// passes again unchanged. The error says in words what would be right.
func Line(s string, min, max int) (string, error) {
	s, err := clean(s)
	if err != nil {
		return "", err
	}
	if strings.ContainsFunc(s, breaksLine) {
		return "", errors.New("must be a single line without tabs")
	}
	return s, checkLength(s, min, max)
}

// Block is Line for a field of several lines: line feeds and tabs may stay.
func Block(s string, min, max int) (string, error) {
	s, err := clean(s)
	if err != nil {
		return "", err
	}
	return s, checkLength(s, min, max)
}

// Optional is Block for a field that may be left out: nil, and what is empty
// once it is clean, give nil.
func Optional(s *string, max int) (*string, error) {
	if s == nil {
		return nil, nil
	}
	clean, err := Block(*s, 0, max)
	if err != nil || clean == "" {
		return nil, err
	}
	return &clean, nil
}

// clean refuses what no field takes and gives the rest in NFC (in the
// stream-safe form of UAX #15, at most 30 marks on one base), with LF line ends
// and without outer white space.
func clean(s string) (string, error) {
	if !utf8.ValidString(s) {
		return "", errors.New("must be valid UTF-8")
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	s = strings.ReplaceAll(s, "\r", "\n")
	for _, r := range s {
		if isRefused(r) {
			return "", fmt.Errorf("must not contain the character U+%04X", r)
		}
	}
	return strings.TrimSpace(norm.NFC.String(s)), nil
}

// isRefused names the characters that no field takes: controls, what decoders
// put in place of broken text, and overrides that make text read otherwise
// than it is stored.
func isRefused(r rune) bool {
	switch {
	case r == '\n', r == '\t':
		return false
	case r == utf8.RuneError:
		return true
	case '\u202a' <= r && r <= '\u202e', '\u2066' <= r && r <= '\u2069':
		return true
	}
	return unicode.IsControl(r)
}

func breaksLine(r rune) bool {
	return r == '\n' || r == '\t' || r == '\u2028' || r == '\u2029'
}

// checkLength counts grapheme clusters, and caps code points at four times
// their number because one cluster may hold a thousand of them.
func checkLength(s string, min, max int) error {
	if n := graphemes(s); n < min || n > max || utf8.RuneCountInString(s) > 4*max {
		if min == 0 {
			return fmt.Errorf("must be at most %d characters", max)
		}
		return fmt.Errorf("must be %d to %d characters", min, max)
	}
	if min > 0 && !strings.ContainsFunc(s, isVisible) {
		return errors.New("must contain something visible")
	}
	return nil
}

func graphemes(s string) int {
	if isASCII(s) {
		return len(s) // there is no CR, the only character of ASCII that joins
	}
	return uniseg.GraphemeClusterCount(s)
}

func isVisible(r rune) bool { return !unicode.IsSpace(r) && !isIgnorable(r) }

// isIgnorable names the characters that show nothing by themselves: joiners,
// fillers, variation selectors, directional marks, the blank braille pattern.
func isIgnorable(r rune) bool {
	if r < utf8.RuneSelf {
		return false
	}
	return r == '\u2800' ||
		unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) &&
			!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}
