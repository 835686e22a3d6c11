package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold makes texts equal that a person searching takes for equal: whatever
// their case, accents, width, ligatures and invisible characters. White space
// becomes single spaces. Folded text folds to itself.
//
// Marks go only where they are accents or optional points (Latin, Greek,
// Cyrillic, Arabic, Hebrew, Syriac); where they are vowels, tones or letters
// (the scripts of India and South-East Asia, kana) they stay.
func Fold(s string) string {
	if isASCII(s) {
		return strings.Join(strings.Fields(strings.ToLower(s)), " ")
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/4)
	var last rune // the last one written
	for _, r := range norm.NFKD.String(strings.ToValidUTF8(s, " ")) {
		if r == tatweel || isIgnorable(r) || isAccent(r) && !(r == breve && last == 'и') {
			continue
		}
		r = lower(r)
		if unicode.IsSpace(r) {
			if r = ' '; last == ' ' || last == 0 {
				continue
			}
		}
		if plain := plainLetters(r); plain != "" {
			b.WriteString(plain)
		} else {
			b.WriteRune(r)
		}
		last = r
	}
	return norm.NFC.String(strings.TrimSuffix(b.String(), " "))
}

const (
	breve   = '\u0306' // й is a letter of its own, as in the root collation of CLDR
	tatweel = '\u0640' // only stretches Arabic words
)

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// isAccent reports a mark that readers leave out without changing the word.
// The sound marks of kana are inherited too, but make another letter.
func isAccent(r rune) bool {
	return r >= '\u0300' &&
		unicode.In(r, unicode.Mn, unicode.Me) &&
		unicode.In(r, unicode.Inherited, unicode.Cyrillic, unicode.Arabic, unicode.Hebrew, unicode.Syriac) &&
		r != '\u3099' && r != '\u309a'
}

// lower folds case; by way of the upper case, so that the forms of one letter
// (final sigma, dotless i) become the same.
func lower(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }

// plainLetters spells letters that have no decomposition the way people type
// them without their keyboard; "" for all others.
func plainLetters(r rune) string {
	switch r {
	case 'ß':
		return "ss"
	case 'æ':
		return "ae"
	case 'œ':
		return "oe"
	case 'þ':
		return "th"
	case 'ø':
		return "o"
	case 'đ', 'ð':
		return "d"
	case 'ł':
		return "l"
	case 'ħ':
		return "h"
	case 'ŧ':
		return "t"
	case 'ə':
		return "e"
	case 'ى', 'ی':
		return "ي"
	case 'ک':
		return "ك"
	case 'ة':
		return "ه"
	}
	return ""
}
