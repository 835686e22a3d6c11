package text

import (
	"io/fs"
	"sync"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

// Language renders messages in one language. The zero Language has none.
type Language struct {
	tag       string
	base      language.Base
	localizer *i18n.Localizer
	constant  *sync.Map // rendered messages without data, by id
	country   string    // upper case; empty: unknown
}

// LoadLanguages reads the messages of each language from texts/TAG.json. The first language is the
// fallback, which has all messages. LoadLanguages panics if a file is missing or malformed, because
// the files are embedded.
func LoadLanguages(texts fs.FS, tags ...language.Tag) []Language {
	bundle := i18n.NewBundle(tags[0])
	all := make([]Language, len(tags))
	for i, tag := range tags {
		if _, err := bundle.LoadMessageFileFS(texts, "texts/"+tag.String()+".json"); err != nil {
			panic(err)
		}
		base, _ := tag.Base()
		all[i] = Language{tag: tag.String(), base: base, localizer: i18n.NewLocalizer(bundle, tag.String()), constant: new(sync.Map)}
	}
	return all
}

// maxAcceptLanguage is the longest Accept-Language that is parsed, in bytes.
const maxAcceptLanguage = 1000

// BestLanguage returns the language with the highest weight in an Accept-Language header, for any
// country; the first language if the header accepts none of them. The country decides about
// Clock. It does not use the matcher of x/text, which returns Russian for Belarusian.
func BestLanguage(languages []Language, accepted string) Language {
	if len(accepted) > maxAcceptLanguage {
		return languages[0]
	}
	wanted, _, err := language.ParseAcceptLanguage(accepted)
	if err != nil {
		return languages[0]
	}
	for _, tag := range wanted {
		base, _ := tag.Base()
		for _, l := range languages {
			if l.base == base {
				l.country = countryOf(tag)
				return l
			}
		}
	}
	return languages[0]
}

// countryOf returns the country that a tag names; empty if it names none.
func countryOf(tag language.Tag) string {
	if _, _, region := tag.Raw(); region.IsCountry() {
		return region.String()
	}
	return ""
}

// String returns the tag for Content-Language.
func (l Language) String() string { return l.tag }

// Locale returns the tag with the country, such as "en-US", if the country is known.
func (l Language) Locale() string {
	if l.country == "" {
		return l.tag
	}
	return l.tag + "-" + l.country
}

// Message renders a message. Messages without data are rendered once.
func (l Language) Message(id string, data any) string {
	if data != nil {
		text, _ := l.localizer.Localize(&i18n.LocalizeConfig{MessageID: id, TemplateData: data})
		return text
	}
	if text, known := l.constant.Load(id); known {
		return text.(string)
	}
	text, err := l.localizer.Localize(&i18n.LocalizeConfig{MessageID: id})
	if err == nil { // unknown ids are not stored, so the map stays as small as the files
		l.constant.Store(id, text)
	}
	return text
}

// Plural renders a message whose form depends on a count.
func (l Language) Plural(id string, count int64, data any) string {
	text, _ := l.localizer.Localize(&i18n.LocalizeConfig{MessageID: id, PluralCount: count, TemplateData: data})
	return text
}
