package notify

import (
	"embed"
	"strings"
	"unicode/utf8"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/rivo/uniseg"
	"golang.org/x/text/language"
)

// texts are the messages by language. texts/en.json has all their ids.
//
//go:embed texts
var texts embed.FS

// Language is a language of notifications: English or Russian. The zero Language
// has no messages.
type Language struct {
	tag       string
	localizer *i18n.Localizer
}

// tags are the languages that notifications exist in; the first is the fallback.
var tags = []language.Tag{language.English, language.Russian}

var languages = loadLanguages()

func loadLanguages() []Language {
	bundle := i18n.NewBundle(tags[0])
	all := make([]Language, len(tags))
	for i, tag := range tags {
		if _, err := bundle.LoadMessageFileFS(texts, "texts/"+tag.String()+".json"); err != nil {
			panic(err) // the texts are embedded
		}
		all[i] = Language{tag.String(), i18n.NewLocalizer(bundle, tag.String())}
	}
	return all
}

// maxAcceptLanguage is the longest Accept-Language that is parsed, in bytes.
const maxAcceptLanguage = 1000

// BestLanguage returns the language with the highest weight in an Accept-Language
// header, for any country; English if the header accepts neither language. It does
// not use the matcher of x/text, which returns Russian for Belarusian.
func BestLanguage(accepted string) Language {
	if len(accepted) > maxAcceptLanguage {
		return languages[0]
	}
	wanted, _, err := language.ParseAcceptLanguage(accepted)
	if err != nil {
		return languages[0]
	}
	for _, tag := range wanted {
		base, _ := tag.Base()
		for i, tag := range tags {
			if known, _ := tag.Base(); known == base {
				return languages[i]
			}
		}
	}
	return languages[0]
}

// String returns the tag for Content-Language.
func (l Language) String() string { return l.tag }

// message renders a message. A test checks that every language has every id
// that is used.
func (l Language) message(id string, data any) string {
	text, _ := l.localizer.Localize(&i18n.LocalizeConfig{MessageID: id, TemplateData: data})
	return text
}

// plural renders a message whose form depends on a count.
func (l Language) plural(id string, count int64, data templateData) string {
	data.Count = count
	text, _ := l.localizer.Localize(&i18n.LocalizeConfig{MessageID: id, PluralCount: count, TemplateData: data})
	return text
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
