package text

import (
	"unicode"
	"unicode/utf8"
)

// maxWord is how many code points of a word count: longer ones are cut, in the
// index and in the query alike, so that they still meet and stay far below the
// size of an index key on every engine.
const maxWord = 40

// Words gives the folded words of a text for the search index, in order, each
// once. A word is a run of letters, digits and their marks; an emoji is a word.
// Scripts that write no spaces (Han, kana, Thai, Lao, Khmer, Myanmar) give every
// character and every pair of neighbours, so that any part of a text is found
// by the pairs it consists of.
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

// kind says how a run of characters becomes words.
type kind int

const (
	gaps    kind = iota // separate words
	letters             // the run is one word
	dense               // each is a word, and each pair of neighbours
	symbols             // each is a word
)

// firstRun gives the longest start of s, at least one unit, that is of one kind.
func firstRun(s string) (kind, string) {
	first, end := kindOf(s), 0
	for end < len(s) && kindOf(s[end:]) == first {
		end += len(firstUnit(s[end:]))
	}
	return first, s[:end]
}

// kindOf looks at the first code point of s, the base of its first unit.
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

// isDense reports a letter of a script that writes no spaces between words.
func isDense(r rune) bool {
	const prolonged = 'ー'  // belongs to both kana, so to no script in the tables
	const first = '\u0e01' // the first Thai letter: cheaper than asking seven tables
	return r == prolonged || r >= first && unicode.IsLetter(r) &&
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
			unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// firstUnit is the first code point of s with the marks that follow it.
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
	word = cut(word, maxWord)
	if !c.seen[word] {
		c.seen[word] = true
		c.words = append(c.words, word)
	}
}

// addUnits adds each unit of a run, and with pairs also each two neighbours.
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

// cut gives the first n code points of s.
func cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
