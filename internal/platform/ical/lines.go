package ical

import (
	"bytes"
	"io"
	"iter"
	"mime/quotedprintable"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// property is one content line (RFC 5545 §3.1).
type property struct {
	name   string // upper case
	params []param
	value  string // not unescaped
}

type param struct{ name, value string } // the name is upper case; of several values the first

// param returns the value of a parameter, or an empty string.
func (p property) param(name string) string {
	for _, one := range p.params {
		if one.name == name {
			return one.value
		}
	}
	return ""
}

// properties returns the content lines of a calendar. It leaves out lines that are none. It takes linear time.
func properties(data []byte) iter.Seq[property] {
	return func(yield func(property) bool) {
		for line := range unfolded(decode(data)) {
			if p, ok := parseLine(line); ok && !yield(p) {
				return
			}
		}
	}
}

// decode returns the text of a file in UTF-8 or UTF-16. unfolded still has to check UTF-8, because programs fold inside characters.
func decode(data []byte) string {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		if wide, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(data); err == nil {
			data = wide
		}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !bytes.Contains(data, []byte("\n")) {
		data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	}
	return string(data)
}

// unfolded returns the lines of a text. A line that begins with a space or a tab continues the one before.
func unfolded(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			var line string
			line, text = cutLine(text)
			if text != "" && isFold(text[0]) {
				var long strings.Builder
				long.WriteString(line)
				for text != "" && isFold(text[0]) {
					line, text = cutLine(text[1:])
					long.WriteString(line)
				}
				line = long.String()
			}
			if !utf8.ValidString(line) { // such as a file of an old Outlook
				line, _ = charmap.Windows1252.NewDecoder().String(line) // decodes every byte
			}
			if !yield(line) {
				return
			}
		}
	}
}

func isFold(c byte) bool { return c == ' ' || c == '\t' }

func cutLine(text string) (line, rest string) {
	line, rest, _ = strings.Cut(text, "\n")
	return strings.TrimSuffix(line, "\r"), rest
}

// parseLine parses NAME;PARAM=VALUE,"VALUE":VALUE. It reports false for a line without a value.
func parseLine(line string) (p property, ok bool) {
	end := strings.IndexAny(line, ";:")
	if end <= 0 {
		return p, false
	}
	p.name = strings.ToUpper(line[:end])
	for line[end] == ';' {
		line = line[end+1:]
		name, value, ok := strings.Cut(line, "=")
		if !ok {
			return p, false
		}
		name = strings.ToUpper(name)
		line = value
		value, end, ok = paramValue(line)
		if !ok {
			return p, false
		}
		p.params = append(p.params, param{name, value})
	}
	p.value = line[end+1:]
	if strings.EqualFold(p.param("ENCODING"), "QUOTED-PRINTABLE") {
		if plain, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(p.value))); err == nil {
			p.value = strings.ToValidUTF8(string(plain), "�")
		}
	}
	return p, true
}

// paramValue returns the first value of a parameter, and the index of the ";" or ":" behind all its values.
func paramValue(line string) (first string, end int, ok bool) {
	for isFirst := true; ; isFirst = false {
		var value string
		if strings.HasPrefix(line[end:], `"`) {
			length := strings.IndexByte(line[end+1:], '"')
			if length < 0 {
				return "", 0, false
			}
			value = line[end+1 : end+1+length]
			end += length + 2
		} else {
			length := strings.IndexAny(line[end:], ",;:")
			if length < 0 {
				return "", 0, false
			}
			value = line[end : end+length]
			end += length
		}
		if isFirst {
			first = value
		}
		switch {
		case end >= len(line):
			return "", 0, false
		case line[end] == ',':
			end++
		case line[end] == ';' || line[end] == ':':
			return first, end, true
		default:
			return "", 0, false
		}
	}
}

// unescapes are the escapes of TEXT values (RFC 5545 §3.3.11).
var unescapes = strings.NewReplacer(`\\`, `\`, `\;`, `;`, `\,`, `,`, `\n`, "\n", `\N`, "\n")

// text returns a TEXT value.
func (p property) text() string { return strings.TrimSpace(unescapes.Replace(p.value)) }

// texts returns a list of TEXT values, which commas separate.
func (p property) texts() (all []string) {
	begin := 0
	add := func(end int) {
		if one := (property{value: p.value[begin:end]}).text(); one != "" {
			all = append(all, one)
		}
	}
	for i := 0; i < len(p.value); i++ {
		switch p.value[i] {
		case '\\':
			i++
		case ',':
			add(i)
			begin = i + 1
		}
	}
	add(len(p.value))
	return all
}
