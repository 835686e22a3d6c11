package text_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"moothall/internal/platform/text"
)

func TestLineAndBlock(t *testing.T) {
	const refused = "\x00refused"
	family := "👨\u200d👩\u200d👧\u200d👦"
	for _, c := range []struct {
		name, in    string
		min, max    int
		line, block string
	}{
		{"plain", "Board games", 1, 80, "Board games", "Board games"},
		{"trimmed", " \t\u00a0\u3000a b\n", 1, 80, "a b", "a b"},
		{"two lines", "a\r\nb\rc", 1, 80, refused, "a\nb\nc"},
		{"tab inside", "a\tb", 1, 80, refused, "a\tb"},
		{"line separator", "a\u2028b", 1, 80, refused, "a\u2028b"},
		{"composed", "e\u0301", 1, 80, "é", "é"},
		{"kept as typed", "<b>2 < 3 & \"q\"</b> a\u00a0b", 1, 80, "<b>2 < 3 & \"q\"</b> a\u00a0b", "<b>2 < 3 & \"q\"</b> a\u00a0b"},
		{"marks of direction stay", "\u200fשלום", 1, 80, "\u200fשלום", "\u200fשלום"},
		{"private use stays", "\ue000", 1, 80, "\ue000", "\ue000"},
		{"last plane stays", "\U0010ffff", 1, 80, "\U0010ffff", "\U0010ffff"},

		{"empty", "", 1, 80, refused, refused},
		{"empty allowed", "", 0, 80, "", ""},
		{"blank", "          ", 1, 80, refused, refused},
		{"invisible only", "\u200b\u2060", 1, 80, refused, refused},
		{"fillers only", "\u3164\u115f\ufe0f\u2800\u00ad", 1, 80, refused, refused},
		{"invisible allowed in an optional field", "\u200b", 0, 80, "\u200b", "\u200b"},

		{"NUL", "a\x00b", 1, 80, refused, refused},
		{"escape", "\x1b[31mred", 1, 80, refused, refused},
		{"delete", "a\x7f", 1, 80, refused, refused},
		{"C1", "a\u0085\u009bb", 1, 80, refused, refused},
		{"replacement character", "a\ufffd", 1, 80, refused, refused},
		{"not UTF-8", "a\xff", 1, 80, refused, refused},
		{"override", "\u202egnp.exe", 1, 80, refused, refused},
		{"isolate", "a\u2066b\u2069", 1, 80, refused, refused},

		{"graphemes count", strings.Repeat("e\u0301", 5), 1, 5, "ééééé", "ééééé"},
		{"flags count once", "🇺🇳🇺🇳", 1, 2, "🇺🇳🇺🇳", "🇺🇳🇺🇳"},
		{"hangul", "한국어", 3, 3, "한국어", "한국어"},
		{"one too many", "abcdef", 1, 5, refused, refused},
		{"one too few", "ab", 3, 5, refused, refused},
		{"a family is one, but seven code points", family, 1, 2, family, family},
		{"code points are capped too", family, 1, 1, refused, refused},
	} {
		check := func(kind string, cleaner text.Cleaner, want string) {
			got, err := cleaner(c.in)
			if err != nil {
				got = refused
			}
			if got != want {
				t.Errorf("%s as %s: got %q (%v), want %q", c.name, kind, got, err, want)
			}
		}
		check("line", text.Line(c.min, c.max), c.line)
		check("block", text.Block(c.min, c.max), c.block)
	}
}

func TestFold(t *testing.T) {
	for _, same := range [][]string{
		{"Ёлка", "елка", "ЁЛКА", "Е\u0308лка"},
		{"STRASSE", "straße", "STRAẞE"},
		{"İstanbul", "istanbul", "ISTANBUL", "ıstanbul"},
		{"Ｆｕｌｌ", "full"},
		{"مُحَمَّد", "محمد", "محـــمد"},
		{"أحمد", "احمد"},
		{"Ὀδυσσεύς", "ΟΔΥΣΣΕΥΣ", "οδυσσευσ"},
		{"Đà Nẵng", "da nang", "ĐÀ NẴNG"},
		{"한국어", norm.NFD.String("한국어")},
		{"שָׁלוֹם", "שלום"},
		{"Łódź", "lodz"},
		{"København", "kobenhavn"},
		{"ﬁne", "FINE"},
		{"Çırağan", "ciragan"},
		{"ｶﾞ", "ガ", norm.NFD.String("ガ")},
		{"می\u200cخواهم", "میخواهم"},
		{"soft\u00adhyphen", "softhyphen"},
		{" a \u00a0\n b ", "a b"},
		{"Москва\u0301", "МОСКВА"},
		{"क्षेत्र", norm.NFD.String("क्षेत्र")},
		{"Kelvin", "kelvin"},
	} {
		for _, s := range same[1:] {
			if text.Fold(s) != text.Fold(same[0]) {
				t.Errorf("%q folds to %+q, %q to %+q", same[0], text.Fold(same[0]), s, text.Fold(s))
			}
		}
	}
	for _, other := range [][2]string{
		{"мой", "мои"},            // й is a letter
		{"कि", "का"}, {"कि", "क"}, // vowel signs
		{"क्", "क"},                  // virama
		{"ไม้", "ไม"}, {"กิน", "กน"}, // Thai tone and vowel
		{"が", "か"}, {"ポ", "ホ"}, // voiced kana
		{"கி", "க"}, {"မြန်", "မန"}, // Tamil, Burmese
		{"ބަ", "ބ"},            // Thaana vowels
		{"в", "б"}, {"a", "а"}, // look-alikes of two scripts
	} {
		if text.Fold(other[0]) == text.Fold(other[1]) {
			t.Errorf("%q and %q are different, both fold to %q", other[0], other[1], text.Fold(other[0]))
		}
	}
}

// TestFoldIsStable folds every code point, at the start of a word and inside a word: to
// fold the result again changes nothing. The other planes are for private use only.
func TestFoldIsStable(t *testing.T) {
	const inUse, tags, end = 0x40000, 0xe0000, 0xe0200
	for r := rune(1); r < end; r++ {
		if r == inUse {
			r = tags
		}
		s := "и" + string(r) + "b " + string(r) + "b"
		once := text.Fold(s)
		if twice := text.Fold(once); once != twice {
			t.Errorf("U+%04X: %+q folds to %+q, then to %+q", r, s, once, twice)
		}
	}
}

func TestWords(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"Board Games, board games!", []string{"board", "games"}},
		{"L'Atelier d’été", []string{"l", "atelier", "d", "ete"}},
		{"node.js & C++ in 2026", []string{"node", "js", "c", "in", "2026"}},
		{"東京タ", []string{"東", "京", "東京", "タ", "京タ"}},
		{"JS東京2026", []string{"js", "東", "京", "東京", "2026"}},
		{"กิน", []string{"กิ", "น", "กิน"}},
		{"コーヒー", []string{"コ", "ー", "コー", "ヒ", "ーヒ", "ヒー"}},
		{"हिन्दी कविता", []string{"हिन्दी", "कविता"}},
		{"한국어 모임", []string{"한국어", "모임"}},
		{"🎲 night", []string{"🎲", "night"}},
		{"Привет, Ёлка", []string{"привет", "елка"}},
		{" ,.! ", nil},
		{"", nil},
		{strings.Repeat("x", 100), []string{strings.Repeat("x", 40)}},
	} {
		if got := text.Words(c.in); !slices.Equal(got, c.want) {
			t.Errorf("Words(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestHTTPSURL(t *testing.T) {
	for _, good := range []string{
		"https://example.com", "https://example.com/a.png?x=1#f", "https://example.com:8443/",
		"HTTPS://EXAMPLE.COM/", "https://пример.рф/ёлка", "https://[2001:db8::1]/",
		"https://example.com/" + strings.Repeat("a", 2048-20),
	} {
		if _, err := text.HTTPSURL(good); err != nil {
			t.Errorf("%.60q: %v", good, err)
		}
	}
	for _, bad := range []string{
		"", "https://", "https:///path", "https:example.com", "http://example.com/", "//example.com/", "/a.png",
		"javascript:alert(1)", "data:text/html,x", "ftp://example.com/", "https://u:p@example.com/", "https://@example.com/",
		"https://example.com/a b", "https://exa mple.com/", " https://example.com/", "https://example.com/\n",
		"https://example.com\\@evil.example/", "https://example.com/\u202egnp", "https://example.com/\u200b",
		"https://example.com:99999/", "https://example.com:0/", "https://example.com:x/", "https://:443/",
		"https://example.com/\xff", "https://example.com/\x00",
		"https://example.com/" + strings.Repeat("a", 2048-19),
	} {
		if _, err := text.HTTPSURL(bad); err == nil {
			t.Errorf("%.60q passed", bad)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"Ёлка", "Z\u0335\u0321\u0322", "e\u0301 \u0301", "a\r\nb", "\u200b", "กิน東京", "ﷺ", "𝔘 ①", "\u1100\u1161",
		"İıßς", "ـ ـ", "\xf0Ё"} {
		f.Add(s, 1, 20)
	}
	f.Fuzz(func(t *testing.T, s string, min, max int) {
		if min < 0 || max < min || max > 1<<20 {
			return
		}
		for _, clean := range []text.Cleaner{text.Line(min, max), text.Block(min, max)} {
			once, err := clean(s)
			if err != nil {
				continue
			}
			if twice, err := clean(once); err != nil || twice != once {
				t.Errorf("%+q is cleaned to %+q, then to %+q (%v)", s, once, twice, err)
			}
		}
		folded := text.Fold(s)
		if again := text.Fold(folded); again != folded {
			t.Errorf("%+q folds to %+q, then to %+q", s, folded, again)
		}
		words := text.Words(s)
		if again := text.Words(folded); !slices.Equal(words, again) {
			t.Errorf("words of %+q: %+q, of its folded form: %+q", s, words, again)
		}
		for _, w := range words {
			if w == "" || utf8.RuneCountInString(w) > 40 {
				t.Errorf("word %+q of %+q", w, s)
			}
		}
	})
}

func BenchmarkWords(b *testing.B) {
	for name, s := range map[string]string{
		"latin":    strings.Repeat("Board games évening in the Old Town. ", 25),
		"cyrillic": strings.Repeat("Настольные игры вечером в старом городе. ", 25),
		"chinese":  strings.Repeat("周末在公园一起玩桌游，欢迎新朋友参加。", 50),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				text.Words(s)
			}
		})
	}
}
