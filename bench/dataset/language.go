package dataset

import (
	"embed"
	"fmt"
	"path"
	"strconv"
	"strings"
	"sync"
)

//go:embed languages/*.txt
var languageFiles embed.FS

// categories are the values of an event's category. Each language has a topic for
// each of them, in this order.
var categories = []string{
	"games", "chess", "music", "dance", "sports", "running", "hiking", "cycling", "yoga", "languages",
	"books", "films", "art", "photography", "tech", "startups", "food", "crafts", "volunteering", "family",
}

// vocabulary is the number of words of a language. The listed words are the most
// common ones; the others are combinations of syllables.
const vocabulary = 20_000

// language is one file of languages/: tab-separated lines "key value".
type language struct {
	countries map[string]float64 // weight among the languages of a country
	spaces    bool               // between words
	given     []name
	family    []string
	street    string
	topics    []string // one for each category
	titles    []template
	sentences []template
	words     []string
	syllables []string
}

// name is a given name in its own script and in ASCII letters.
type name struct{ native, latin string }

// template is a text with slots: literal, slot, literal, slot, ..., literal.
type template []string

var allLanguages = sync.OnceValue(func() []*language {
	files, err := languageFiles.ReadDir("languages")
	if err != nil {
		panic(err)
	}
	var all []*language
	for _, f := range files {
		text, err := languageFiles.ReadFile(path.Join("languages", f.Name()))
		if err != nil {
			panic(err)
		}
		l, err := parseLanguage(string(text))
		if err != nil {
			panic(fmt.Sprintf("dataset: languages/%s: %v", f.Name(), err))
		}
		all = append(all, l)
	}
	return all
})

func parseLanguage(text string) (*language, error) {
	l := &language{countries: map[string]float64{}, spaces: true}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		key, value, ok := strings.Cut(line, "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if !ok {
			return nil, fmt.Errorf("no tab in %q", line)
		}
		if err := l.set(key, value); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
	}
	if len(l.topics) != len(categories) {
		return nil, fmt.Errorf("%d topics for %d categories", len(l.topics), len(categories))
	}
	return l, nil
}

func (l *language) set(key, value string) error {
	switch key {
	case "countries":
		return l.setCountries(value)
	case "spaces":
		l.spaces = value == "yes"
	case "given":
		for pair := range strings.FieldsSeq(value) {
			native, latin, _ := strings.Cut(pair, "/")
			l.given = append(l.given, name{native, latin})
		}
	case "family":
		l.family = strings.Fields(value)
	case "street":
		l.street = value
	case "topics":
		l.topics = strings.Split(value, ";")
	case "title":
		l.titles = append(l.titles, parseTemplate(value))
	case "sentence":
		l.sentences = append(l.sentences, parseTemplate(value))
	case "words":
		l.words = strings.Fields(value)
	case "syllables":
		l.syllables = strings.Fields(value)
	default:
		return fmt.Errorf("unknown key")
	}
	return nil
}

// setCountries parses "RU:19 KZ:8". The default weight is 10.
func (l *language) setCountries(value string) error {
	for entry := range strings.FieldsSeq(value) {
		country, weight, ok := strings.Cut(entry, ":")
		if !ok {
			weight = "10"
		}
		n, err := strconv.ParseFloat(weight, 64)
		if err != nil {
			return err
		}
		l.countries[country] = n
	}
	return nil
}

func parseTemplate(text string) template {
	var t template
	for {
		literal, rest, ok := strings.Cut(text, "{")
		t = append(t, literal)
		if !ok {
			return t
		}
		slot, after, _ := strings.Cut(rest, "}")
		t = append(t, slot)
		text = after
	}
}

// languageOf returns a random language of the country.
func languageOf(d random, country string) *language {
	all := allLanguages()
	return all[d.weighted(len(all), func(i int) float64 { return all[i].countries[country] })]
}

// write writes a template with its slots filled.
func (l *language) write(b *strings.Builder, d random, t template, topic string) {
	for i, part := range t {
		if i%2 == 0 {
			b.WriteString(part)
			continue
		}
		switch part {
		case "topic":
			b.WriteString(topic)
		case "given":
			b.WriteString(pick(d, l.given).native)
		case "street":
			b.WriteString(l.street)
		default:
			b.WriteString(l.word(d))
		}
	}
}

// word returns a random word with the frequencies of natural text (Zipf).
func (l *language) word(d random) string {
	rank := d.zipf(vocabulary)
	if rank < len(l.words) {
		return l.words[rank]
	}
	return l.syntheticWord(rank)
}

// syntheticWord returns the word of a rank beyond the listed words. The word of a rank
// is always the same.
func (l *language) syntheticWord(rank int) string {
	h := mix(uint64(rank))
	var b strings.Builder
	for range 2 + h%2 {
		h = mix(h)
		b.WriteString(l.syllables[h%uint64(len(l.syllables))])
	}
	return b.String()
}

// join joins words as the language does.
func (l *language) join(words ...string) string {
	if l.spaces {
		return strings.Join(words, " ")
	}
	return strings.Join(words, "")
}
