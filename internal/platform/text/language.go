package text

import (
	"io/fs"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// Language renders messages in one language. The zero Language has none.
type Language struct {
	tag      language.Tag
	name     string // of the tag
	base     language.Base
	messages map[string]*message // by id
	country  string              // upper case; empty: unknown
	pseudo   bool                // its messages stand in brackets
}

// LoadLanguages reads the messages of each language from texts/TAG.json. The first language is the
// fallback, which has all messages. LoadLanguages panics if a file is missing or malformed, because
// the files are embedded.
func LoadLanguages(texts fs.FS, tags ...language.Tag) []Language {
	all := make([]Language, len(tags))
	for i, tag := range tags {
		messages, err := loadMessages(texts, tag)
		if err != nil {
			panic(err)
		}
		base, _ := tag.Base()
		for id, fallback := range all[0].messages {
			if messages[id] == nil {
				messages[id] = fallback
			}
		}
		all[i] = Language{tag: tag, name: tag.String(), base: base, messages: messages}
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

// Tag returns the tag without a country.
func (l Language) Tag() language.Tag { return l.tag }

// String returns the tag for Content-Language.
func (l Language) String() string { return l.name }

// Locale returns the tag with the country, such as "en-US", if the country is known.
func (l Language) Locale() string {
	if l.country == "" {
		return l.name
	}
	return l.name + "-" + l.country
}

// Pseudo returns a pseudo-language for tests: it has the messages of a language in the brackets ⟦ and ⟧, and is read from right to left.
// Its tag, qps-Arab, is for private use, so no browser asks for it.
func Pseudo(of Language) Language {
	of.tag = language.MustParse("qps-Arab")
	of.base, _ = of.tag.Base()
	of.name, of.pseudo = of.tag.String(), true
	return of
}

// Direction returns "rtl" for a language that is read from right to left, else "ltr".
func (l Language) Direction() string {
	switch script, _ := l.tag.Script(); script.String() {
	case "Arab", "Hebr", "Syrc", "Thaa":
		return "rtl"
	}
	return "ltr"
}

// Message renders a message with the fields of data: Fields, a map, a struct or nil. It returns "" if there is no such message.
func (l Language) Message(id string, data any) string { return l.render(id, plural.Other, data) }

func (l Language) render(id string, form plural.Form, data any) string {
	message := l.messages[id].render(form, data)
	if l.pseudo {
		return "⟦" + message + "⟧"
	}
	return message
}

// Plural renders a message whose form depends on a count.
func (l Language) Plural(id string, count int64, data any) string {
	return l.render(id, plural.Cardinal.MatchPlural(l.tag, int(count), 0, 0, 0, 0), data)
}
