package text_test

import (
	"testing"
	"testing/fstest"

	"golang.org/x/text/language"

	"moothall/internal/platform/text"
)

var messages = fstest.MapFS{
	"texts/en.json": {Data: []byte(`{
		"plain": "Hello, {you}",
		"date": "{{.Day}} {{.Month}}{{.Year}}",
		"logic": "{{.Name}}{{if .Name}} and {{.Other}}{{end}}",
		"broken": "{{.Name.First}}",
		"new": {"one": "{{.Count}} message", "other": "{{.Count}} messages"}
	}`)},
	"texts/ru.json": {Data: []byte(`{
		"plain": "Привет",
		"new": {"one": "{{.Count}} сообщение", "few": "{{.Count}} сообщения", "many": "{{.Count}} сообщений", "other": "{{.Count}} сообщения"}
	}`)},
}

func TestMessagesInsertFields(t *testing.T) {
	type person struct{ Name, Other string }
	english := text.LoadLanguages(messages, language.English)[0]
	for _, c := range []struct {
		id   string
		data any
		want string
	}{
		{"plain", nil, "Hello, {you}"},
		{"plain", person{}, "Hello, {you}"},
		{"date", text.Fields{"Day", 27, "Month", "<May>", "Year", 2026}, "27 <May>2026"},
		{"date", map[string]any{"Day": 27, "Month": "<May>", "Year": 2026}, "27 <May>2026"},
		{"logic", text.Fields{"Name", "Alice", "Other", "Bob"}, "Alice and Bob"},
		{"logic", map[string]any{"Name": "Alice", "Other": "Bob"}, "Alice and Bob"},
		{"logic", person{"Alice", "Bob"}, "Alice and Bob"},
		{"logic", person{}, ""},
		{"broken", person{Name: "Alice"}, ""},
		{"new", text.Fields{"Count", 2}, "2 messages"},
		{"unknown", nil, ""},
	} {
		if got := english.Message(c.id, c.data); got != c.want {
			t.Errorf("%s with %v: %q, want %q", c.id, c.data, got, c.want)
		}
	}
}

func TestMessagesHavePluralForms(t *testing.T) {
	languages := text.LoadLanguages(messages, language.English, language.Russian)
	for _, c := range []struct {
		language int
		count    int64
		want     string
	}{
		{0, 0, "0 messages"}, {0, 1, "1 message"}, {0, 21, "21 messages"},
		{1, 1, "1 сообщение"}, {1, 2, "2 сообщения"}, {1, 5, "5 сообщений"}, {1, 11, "11 сообщений"}, {1, 21, "21 сообщение"},
		{1, 1_000_000, "1000000 сообщений"},
	} {
		if got := languages[c.language].Plural("new", c.count, text.Fields{"Count", c.count}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestMissingMessagesAreThoseOfTheFirstLanguage(t *testing.T) {
	russian := text.LoadLanguages(messages, language.English, language.Russian)[1]
	if got := russian.Message("date", text.Fields{"Day", 1, "Month", "May", "Year", 0}); got != "1 May0" {
		t.Errorf("%q", got)
	}
	if got := (text.Language{}).Message("plain", nil); got != "" {
		t.Errorf("the zero Language returned %q", got)
	}
}

func TestMalformedMessagesPanic(t *testing.T) {
	for _, file := range []string{`{`, `{"a": 1}`, `{"a": {"one": "x"}}`, `{"a": {"other": "x", "several": "y"}}`} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s was loaded", file)
				}
			}()
			text.LoadLanguages(fstest.MapFS{"texts/en.json": {Data: []byte(file)}}, language.English)
		}()
	}
}
