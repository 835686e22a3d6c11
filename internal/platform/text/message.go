package text

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"sync"
	"text/template"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// message is a message in the plural forms of its language. Each has at least the form plural.Other.
type message [plural.Many + 1]*phrase

var pluralForms = map[string]plural.Form{
	"zero": plural.Zero, "one": plural.One, "two": plural.Two, "few": plural.Few, "many": plural.Many, "other": plural.Other,
}

// UnmarshalJSON reads a template, or an object with one for each plural form.
func (m *message) UnmarshalJSON(data []byte) error {
	forms := map[string]string{}
	if data[0] == '{' {
		if err := json.Unmarshal(data, &forms); err != nil {
			return err
		}
	} else {
		var only string
		if err := json.Unmarshal(data, &only); err != nil {
			return err
		}
		forms["other"] = only
	}
	for name, source := range forms {
		form, known := pluralForms[name]
		if !known {
			return fmt.Errorf("there is no plural form %q", name)
		}
		m[form] = newPhrase(source)
	}
	if m[plural.Other] == nil {
		return fmt.Errorf("the plural form %q is missing", "other")
	}
	return nil
}

// render returns the message in a plural form, or in the form plural.Other if it has no such form; "" if there is no message.
func (m *message) render(form plural.Form, data any) string {
	switch {
	case m == nil:
		return ""
	case m[form] == nil:
		form = plural.Other
	}
	return m[form].render(data)
}

// loadMessages reads the messages of a language by id from texts/TAG.json.
func loadMessages(texts fs.FS, tag language.Tag) (map[string]*message, error) {
	name := "texts/" + tag.String() + ".json"
	file, err := fs.ReadFile(texts, name)
	if err != nil {
		return nil, err
	}
	messages := map[string]*message{}
	if err := json.Unmarshal(file, &messages); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return messages, nil
}

// phrase is a text with fields, such as "{{.Count}} new".
type phrase struct {
	pieces   []piece                            // nil if the text does more than insert fields
	template func() (*template.Template, error) // the whole text
}

// piece is a text, and the name of the field that follows it. After the last piece follows none.
type piece struct{ text, field string }

var fieldAction = regexp.MustCompile(`\{\{\.(\w+)\}\}`)

func newPhrase(source string) *phrase {
	p := &phrase{template: sync.OnceValues(func() (*template.Template, error) { return template.New("").Parse(source) })}
	if strings.Contains(fieldAction.ReplaceAllString(source, ""), "{{") {
		return p
	}
	start := 0
	for _, at := range fieldAction.FindAllStringSubmatchIndex(source, -1) {
		p.pieces = append(p.pieces, piece{text: source[start:at[0]], field: source[at[2]:at[3]]})
		start = at[1]
	}
	p.pieces = append(p.pieces, piece{text: source[start:]})
	return p
}

// render returns the text with the fields of Fields, a map or a struct; "" if the template cannot be executed with them.
func (p *phrase) render(data any) string {
	fields, listed := data.(Fields)
	switch {
	case len(p.pieces) == 1:
		return p.pieces[0].text
	case listed && p.pieces != nil:
		return p.insert(fields)
	case listed:
		data = fields.toMap()
	}
	var b strings.Builder
	if t, err := p.template(); err != nil || t.Execute(&b, data) != nil {
		return ""
	}
	return b.String()
}

// insert returns what the template would. Templates took a third of the time of a page with many cards.
func (p *phrase) insert(fields Fields) string {
	var b strings.Builder
	for _, piece := range p.pieces {
		b.WriteString(piece.text)
		if piece.field != "" {
			switch value := fields.value(piece.field).(type) {
			case string:
				b.WriteString(value)
			default:
				fmt.Fprint(&b, value)
			}
		}
	}
	return b.String()
}

// Fields are the fields of a message: names and values, alternately.
type Fields []any

// value returns the value of a field; nil if there is none.
func (f Fields) value(name string) any {
	for i := 0; i+1 < len(f); i += 2 {
		if f[i] == name {
			return f[i+1]
		}
	}
	return nil
}

func (f Fields) toMap() map[string]any {
	all := make(map[string]any, len(f)/2)
	for i := 0; i+1 < len(f); i += 2 {
		all[f[i].(string)] = f[i+1]
	}
	return all
}
