// Package text cleans text of users (contract §0), prepares it for search by folding and
// splitting into words, and renders texts of the service in several languages. The same text
// gives the same result on every engine and machine.
package text

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"

	"moothall/internal/domain"
)

// Cleaner cleans the value of a field. Its error says what the value must be.
type Cleaner func(s string) (string, error)

// Clean replaces the value of an optional field by its clean form. A nil value
// stays nil. A value that the cleaner rejects stays as it is and is added to problems.
func Clean(problems *domain.Problems, pointer string, value **string, cleaner Cleaner) {
	if *value == nil {
		return
	}
	clean, err := cleaner(**value)
	if err != nil {
		problems.Add(pointer, err.Error())
		return
	}
	*value = &clean
}

// CleanOrNil is Clean for a field where an empty text means no text: a value
// that is empty after cleaning becomes nil.
func CleanOrNil(problems *domain.Problems, pointer string, value **string, cleaner Cleaner) {
	Clean(problems, pointer, value, cleaner)
	if *value != nil && **value == "" {
		*value = nil
	}
}

// CleanList cleans a list of at most max values, and removes values that differ
// from an earlier one in letter case only. A nil list stays nil.
func CleanList(problems *domain.Problems, pointer string, list **[]string, max int, cleaner Cleaner) {
	if *list == nil {
		return
	}
	if len(**list) > max {
		problems.Add(pointer, fmt.Sprintf("must have at most %d items", max))
		return
	}
	unique := []string{}
	for i, value := range **list {
		value, err := cleaner(value)
		if err != nil {
			problems.Add(pointer+"/"+strconv.Itoa(i), err.Error())
			continue
		}
		if !slices.ContainsFunc(unique, func(other string) bool { return strings.EqualFold(other, value) }) {
			unique = append(unique, value)
		}
	}
	*list = &unique
}

// Line accepts a single line of min to max grapheme clusters after trimming
// (contract §0 "Text clean-up", "Text length"). Cleaning a clean line again
// changes nothing.
func Line(min, max int) Cleaner {
	return func(s string) (string, error) {
		s, err := clean(s)
		if err != nil {
			return "", err
		}
		if strings.ContainsFunc(s, breaksLine) {
			return "", errors.New("must be a single line without tabs")
		}
		return s, checkLength(s, min, max)
	}
}

// Block is Line for several lines: it accepts line feeds and tabs.
func Block(min, max int) Cleaner {
	return func(s string) (string, error) {
		s, err := clean(s)
		if err != nil {
			return "", err
		}
		return s, checkLength(s, min, max)
	}
}

// HTTPSURL accepts an absolute https URL with a host and without user
// information, of at most 2048 bytes (contract §0). It returns the URL unchanged.
func HTTPSURL(s string) (string, error) {
	if len(s) > 2048 {
		return "", errors.New("must be at most 2048 bytes")
	}
	if !utf8.ValidString(s) || strings.ContainsFunc(s, notInURL) {
		return "", errors.New("must not contain spaces, backslashes or invisible characters")
	}
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Scheme != "https" || u.Hostname() == "":
		return "", errors.New("must be an absolute https URL with a host")
	case u.User != nil:
		return "", errors.New("must not contain user information")
	case u.Port() != "" && !isPort(u.Port()):
		return "", errors.New("must have a valid port or none")
	}
	return s, nil
}

func notInURL(r rune) bool {
	return r == '\\' || r == utf8.RuneError || unicode.IsSpace(r) || !unicode.IsGraphic(r)
}

func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0
}

// clean returns s in NFC with LF line ends and without outer white space. NFC is
// the stream-safe form of UAX #15: at most 30 marks on one base character.
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

// isRefused reports characters that no field accepts: controls, U+FFFD, and
// overrides that show text in another order than it is stored.
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

// checkLength counts grapheme clusters. It also limits code points to four times
// max, because one cluster may have a thousand of them.
func checkLength(s string, min, max int) error {
	if n := graphemes(s); n < min || n > max || utf8.RuneCountInString(s) > 4*max {
		if min == 0 {
			return fmt.Errorf("must be at most %d characters", max)
		}
		return fmt.Errorf("must be %d to %d characters", min, max)
	}
	if min > 0 && !strings.ContainsFunc(s, isVisible) {
		return errors.New("must contain a visible character")
	}
	return nil
}

func graphemes(s string) int {
	if isASCII(s) {
		return len(s) // clean has removed CR, the only ASCII character that joins another
	}
	return uniseg.GraphemeClusterCount(s)
}

func isVisible(r rune) bool { return !unicode.IsSpace(r) && !isIgnorable(r) }

// isIgnorable reports characters that are invisible by themselves: joiners,
// fillers, variation selectors, directional marks, the blank braille pattern.
func isIgnorable(r rune) bool {
	if r < utf8.RuneSelf {
		return false
	}
	return r == '\u2800' ||
		unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) &&
			!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}
