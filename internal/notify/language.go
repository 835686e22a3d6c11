package notify

import (
	"embed"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/language"

	"moothall/internal/platform/localize"
)

// texts are the messages by language. texts/en.json has all their ids.
//
//go:embed texts
var texts embed.FS

// Language is a language of notifications: English or Russian. The zero Language
// has no messages.
type Language struct{ localize.Language }

// languages are the languages that notifications exist in; the first is the fallback.
var languages = localize.Load(texts, language.English, language.Russian)

// BestLanguage returns the language for an Accept-Language header.
func BestLanguage(accepted string) Language { return Language{localize.Best(languages, accepted)} }

// message renders a message. A test checks that every language has every id
// that is used.
func (l Language) message(id string, data any) string { return l.Message(id, data) }

// plural renders a message whose form depends on a count.
func (l Language) plural(id string, count int64, data templateData) string {
	data.Count = count
	return l.Plural(id, count, data)
}

// shorten cuts a text between two graphemes to at most n code points, so to at
// most n graphemes.
func shorten(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	end, left := 0, n-1 // one for the ellipsis
	for g := uniseg.NewGraphemes(s); g.Next(); {
		if left -= len(g.Runes()); left < 0 {
			break
		}
		_, end = g.Positions()
	}
	return strings.TrimSpace(s[:end]) + "…"
}
