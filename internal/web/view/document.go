package view

import (
	"context"
	"io"

	"github.com/a-h/templ"

	"moothall/internal/web/documents"
)

// rendered writes the HTML of a document. Its Markdown has no HTML of its own.
func rendered(d documents.Document) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, d.HTML)
		return err
	})
}

func documentURL(d documents.Document) templ.SafeURL { return templ.SafeURL("/pages/" + d.Name) }
