// Package mailtemplate renders every mail of the service: HTML for mail programs, and plain text beside it.
package mailtemplate

import (
	"bytes"
	_ "embed" // mail.html
	"html/template"
	"strings"
)

// Brand is what all mails have at the top.
type Brand struct {
	Home string // URL of the first page
	Logo string // URL of a square picture; empty: the mails show the name alone
}

// Mail is the content of a mail. All texts are plain text.
type Mail struct {
	Language string // BCP 47
	Subject  string
	Brand    Brand
	Cover    *Cover    // nil: none
	Sections []Section // at least one
	Note     string    // below the sections; empty: none
	Footer   []Link    // such as to unsubscribe
}

// Cover is a picture above the text.
type Cover struct {
	URL string
	Alt string // description; empty: the organizer has written none
}

// Section is one message of a mail. A digest has several.
type Section struct {
	Title   string
	Date    *Date // of an event; nil: none
	Lines   []string
	Code    string   // to type into a form; empty: none
	Button  *Link    // the main action; nil: none
	Actions []Link   // others
	After   []string // small print
}

// Date is the day of an event, in the language of the mail.
type Date struct{ Weekday, Day, Month string }

// Link is a text with a URL.
type Link struct{ Text, URL string }

//go:embed mail.html
var source string

var page = template.Must(template.New("mail").Parse(source))

// HTML returns the mail for programs that show HTML.
func (m Mail) HTML() (string, error) {
	var b bytes.Buffer
	err := page.Execute(&b, m)
	return b.String(), err
}

// Preview returns what mail programs show beside the subject in a list of mails.
func (m Mail) Preview() string {
	return strings.Join(m.Sections[0].Lines, " · ")
}

// Text returns the mail for programs that show plain text.
func (m Mail) Text() string {
	var b strings.Builder
	for _, s := range m.Sections {
		s.write(&b)
	}
	if m.Note != "" {
		b.WriteString(m.Note + "\n\n")
	}
	if len(m.Footer) > 0 {
		b.WriteString("-- \n")
	}
	for _, link := range m.Footer {
		b.WriteString(link.Text + ": " + link.URL + "\n")
	}
	return b.String()
}

func (s Section) write(b *strings.Builder) {
	lines := append([]string{s.Title}, s.Lines...)
	if s.Code != "" {
		lines = append(lines, "", s.Code, "")
	}
	if s.Button != nil {
		lines = append(lines, s.Button.Text+":", s.Button.URL)
	}
	for _, link := range s.Actions {
		lines = append(lines, link.Text+": "+link.URL)
	}
	lines = append(lines, s.After...)
	b.WriteString(strings.Join(lines, "\n") + "\n\n")
}
