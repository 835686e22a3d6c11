package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold removes differences that people ignore when they search: case, accents, width,
// ligatures and invisible characters. White space becomes single spaces. Folding is
// idempotent.
//
// It removes marks where they are accents or optional points (Latin, Greek, Cyrillic,
// Arabic, Hebrew, Syriac). It retains marks that are vowels, tones or letters (scripts
// of India and South-East Asia, kana).
func Fold(s string) string {
	if isASCII(s) {
		return strings.Join(strings.Fields(strings.ToLower(s)), " ")
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/4)
	var last rune // the last rune written
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
	breve   = '\u0306' // й is a separate letter, as in the root collation of CLDR
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

// isAccent reports combining marks that do not change the word. The sound marks of kana
// change the letter, although they are also in the script Inherited.
func isAccent(r rune) bool {
	return r >= '\u0300' &&
		unicode.In(r, unicode.Mn, unicode.Me) &&
		unicode.In(r, unicode.Inherited, unicode.Cyrillic, unicode.Arabic, unicode.Hebrew, unicode.Syriac) &&
		r != '\u3099' && r != '\u309a'
}

// lower folds case. It converts to upper case first, so that all forms of a letter
// (final sigma, dotless i) become equal.
func lower(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }

// plainLetters returns the usual replacement of letters that Unicode does not
// decompose, or "" for all others.
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

// maxWord is the maximum length of a word in code points. Longer words are cut in the
// index and in queries, so that they still match, and fit an index key on every engine.
const maxWord = 40

// Words returns the distinct folded words of a text in order, for the search index. A
// word is a run of letters, digits and their marks, or an emoji. In scripts without
// spaces (Han, kana, Thai, Lao, Khmer, Myanmar) every character and every pair of
// neighbours is a word. So a query finds any part of a text.
func Words(s string) []string {
	c := collector{seen: map[string]bool{}}
	for rest := Fold(s); rest != ""; {
		kind, run := firstRun(rest)
		rest = rest[len(run):]
		switch kind {
		case letters:
			c.add(run)
		case dense, symbols:
			c.addUnits(run, kind == dense)
		case gaps:
		}
	}
	return c.words
}

// kind is how a run of characters becomes words.
type kind int

const (
	gaps    kind = iota // between words
	letters             // the run is one word
	dense               // each character is a word, and each pair of neighbours
	symbols             // each character is a word
)

// firstRun returns the longest prefix of s of one kind, at least one unit.
func firstRun(s string) (kind, string) {
	first, end := kindOf(s), 0
	for end < len(s) && kindOf(s[end:]) == first {
		end += len(firstUnit(s[end:]))
	}
	return first, s[:end]
}

// kindOf returns the kind of the first code point of s.
func kindOf(s string) kind {
	r, _ := utf8.DecodeRuneInString(s)
	switch {
	case r < utf8.RuneSelf:
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return letters
		}
		return gaps
	case isDense(r):
		return dense
	case unicode.In(r, unicode.L, unicode.N, unicode.M):
		return letters
	case unicode.Is(unicode.So, r):
		return symbols
	}
	return gaps
}

// isDense reports letters of scripts without spaces between words.
func isDense(r rune) bool {
	const prolonged = 'ー'  // in no script table, because hiragana and katakana use it
	const first = '\u0e01' // the first Thai letter: faster than seven tables
	return r == prolonged || r >= first && unicode.IsLetter(r) &&
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
			unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// firstUnit returns the first code point of s and the marks that follow it.
func firstUnit(s string) string {
	_, end := utf8.DecodeRuneInString(s)
	for end < len(s) && s[end] >= utf8.RuneSelf {
		r, size := utf8.DecodeRuneInString(s[end:])
		if !unicode.Is(unicode.M, r) {
			break
		}
		end += size
	}
	return s[:end]
}

type collector struct {
	words []string
	seen  map[string]bool
}

func (c *collector) add(word string) {
	word = Prefix(word, maxWord)
	if !c.seen[word] {
		c.seen[word] = true
		c.words = append(c.words, word)
	}
}

// addUnits adds each unit of a run and, with pairs, each pair of neighbours.
func (c *collector) addUnits(run string, pairs bool) {
	for before := ""; run != ""; {
		unit := firstUnit(run)
		c.add(unit)
		if pairs && before != "" {
			c.add(before + unit)
		}
		before, run = unit, run[len(unit):]
	}
}

// maxCityKey is the length of the keys of cities, in code points.
const maxCityKey = 40

// CityKey returns the key by which lists compare the names of cities: folded and cut.
func CityKey(city string) string { return Prefix(Fold(city), maxCityKey) }

// Prefix returns the first n code points of s.
func Prefix(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
