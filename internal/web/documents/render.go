package documents

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown renders CommonMark with tables, strikethrough and bare links. It leaves out raw HTML, links that
// run code, and pictures, of which it shows the description: pages load nothing from other hosts.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(pictures{}, 1))),
)

// pictures renders a picture as its description, which its children are.
type pictures struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (pictures) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindImage, func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) { return ast.WalkContinue, nil })
}

// maxTitle is the greatest length of a title, in characters.
const maxTitle = 80

// render returns the first heading, and the HTML of the rest.
func render(source []byte) (title, html string, err error) {
	if !utf8.Valid(source) {
		return "", "", errors.New("must be UTF-8")
	}
	root := markdown.Parser().Parse(text.NewReader(source))
	heading := root.FirstChild()
	for heading != nil && heading.Kind() != ast.KindHeading {
		heading = heading.NextSibling()
	}
	if heading == nil {
		return "", "", errors.New("needs a heading, like # Imprint")
	}
	if title = strings.Join(strings.Fields(plain(heading, source)), " "); title == "" || utf8.RuneCountInString(title) > maxTitle {
		return "", "", errors.New("the first heading must have 1 to 80 characters")
	}
	root.RemoveChild(root, heading)
	var body bytes.Buffer
	err = markdown.Renderer().Render(&body, source, root)
	return title, body.String(), err
}

// plain returns the text of a node.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // never fails
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(n.Value(source)))))
				if n.SoftLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				b.Write(n.Value)
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}
