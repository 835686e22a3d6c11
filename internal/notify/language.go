package notify

import (
	"embed"
	"strings"
	"unicode/utf8"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/rivo/uniseg"
	"golang.org/x/text/language"
)

// texts are the messages by language: texts/en.json names every one of them.
//
//go:embed texts
var texts embed.FS

// Language is one in which notifications are told: English or Russian, both
// complete. The zero Language tells nothing.
type Language struct {
	name  string
	texts *i18n.Localizer
}

// languages there are; the first one stands in for all others.
var languages = []language.Tag{language.English, language.Russian}

var speaking = load()

// load reads the texts of all languages.
func load() []Language {
	bundle := i18n.NewBundle(languages[0])
	all := make([]Language, len(languages))
	for i, tag := range languages {
		if _, err := bundle.LoadMessageFileFS(texts, "texts/"+tag.String()+".json"); err != nil {
			panic(err) // the texts are embedded
		}
		all[i] = Language{tag.String(), i18n.NewLocalizer(bundle, tag.String())}
	}
	return all
}

// longestAccept is the longest Accept-Language that is read, in bytes.
const longestAccept = 1000

// BestLanguage is the language for an Accept-Language: the first in the order
// of its weights that there is, whatever the country, English when there is none.
// It is not matched as x/text does, which gives Russian for Belarusian: a
// relative is not what was asked for.
func BestLanguage(accepted string) Language {
	if len(accepted) > longestAccept {
		return speaking[0]
	}
	wanted, _, err := language.ParseAcceptLanguage(accepted)
	if err != nil {
		return speaking[0]
	}
	for _, tag := range wanted {
		base, _ := tag.Base()
		for i, known := range languages {
			if own, _ := known.Base(); own == base {
				return speaking[i]
			}
		}
	}
	return speaking[0]
}

// String is the tag for Content-Language.
func (l Language) String() string { return l.name }

// say fills in a message. A test holds that every language has every message
// that is ever asked for.
func (l Language) say(id string, data any) string {
	said, _ := l.texts.Localize(&i18n.LocalizeConfig{MessageID: id, TemplateData: data})
	return said
}

// count fills in a message whose form depends on a number.
func (l Language) count(id string, n int64, w words) string {
	w.Count = n
	said, _ := l.texts.Localize(&i18n.LocalizeConfig{MessageID: id, PluralCount: n, TemplateData: w})
	return said
}

// shorten cuts a text to at most n code points, and so n graphemes at most,
// between two graphemes.
func shorten(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	end, left := 0, n-1 // the ellipsis is one
	for g := uniseg.NewGraphemes(s); g.Next(); {
		if left -= len(g.Runes()); left < 0 {
			break
		}
		_, end = g.Positions()
	}
	return strings.TrimSpace(s[:end]) + "…"
}
