package notify

import (
	"embed"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/language"

	"moothall/internal/core/user"
	"moothall/internal/platform/text"
)

// texts are the messages by language. texts/en.json has all their ids.
//
//go:embed texts
var texts embed.FS

// Language is a language of notifications: English, German or Russian. The zero Language
// has no messages.
type Language struct {
	text.Language
	zone string // of the reader; empty: unknown
}

// languages are the languages that notifications exist in; the first is the fallback.
var languages = text.LoadLanguages(texts, language.English, language.German, language.Russian)

// In returns the language for a reader in a time zone: texts with a time also say what time it is there.
func (l Language) In(zone string) Language {
	l.zone = zone
	return l
}

// LanguageOf returns the language of a tag; English if there are no texts in it.
func LanguageOf(tag string) Language { return Language{Language: text.BestLanguage(languages, tag)} }

// BestLanguage returns the language for an Accept-Language header.
func BestLanguage(accepted string) Language {
	return Language{Language: text.BestLanguage(languages, accepted)}
}

// Name returns how texts call a user: a guest if they have not chosen a name.
func (l Language) Name(p user.Public) string {
	if !p.NameChosen {
		return l.message("guest", nil)
	}
	return p.DisplayName
}

// Text renders a message without values, and Count one with a count.
func (l Language) Text(id string) string { return l.message(id, nil) }

// Count renders a message with a count.
func (l Language) Count(id string, count int) string {
	return l.plural(id, int64(count), templateData{})
}

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
