package ical

import (
	"strings"

	"golang.org/x/net/html"
)

// description returns the description as plain text. Google writes HTML into DESCRIPTION, Outlook into X-ALT-DESC.
func (c *component) description() string {
	if text := c.text("DESCRIPTION"); text != "" {
		return PlainText(text)
	}
	return PlainText(c.text("X-ALT-DESC"))
}

// breaks are the elements before which a text has a new line.
var breaks = map[string]string{"br": "\n", "p": "\n\n", "div": "\n", "li": "\n- ", "tr": "\n", "h1": "\n\n", "h2": "\n\n", "h3": "\n\n",
	"ul": "\n", "ol": "\n", "html": "", "body": "", "a": "", "b": "", "i": "", "u": "", "strong": "", "em": "", "span": "", "style": "",
	"script": "", "head": "", "title": "", "meta": "", "font": "", "table": "", "td": ""}

// PlainText returns the text of a piece of HTML. A text without the elements of usual texts is returned as it is: "a < b" is no HTML.
func PlainText(text string) string {
	if !strings.ContainsRune(text, '<') && !strings.ContainsRune(text, '&') {
		return text
	}
	var out strings.Builder
	isHTML, hidden, link := false, 0, ""
	tokens := html.NewTokenizer(strings.NewReader(text))
	for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
		token := tokens.Token()
		begins := kind == html.StartTagToken || kind == html.SelfClosingTagToken
		lineBreak, known := breaks[token.Data]
		switch {
		case kind == html.TextToken && hidden == 0:
			out.WriteString(token.Data)
		case begins && known:
			isHTML = true
			out.WriteString(lineBreak)
			if token.Data == "a" {
				link = hrefOf(token)
			}
			if token.Data == "style" || token.Data == "script" || token.Data == "title" {
				hidden++
			}
		case kind == html.EndTagToken && (token.Data == "style" || token.Data == "script" || token.Data == "title"):
			hidden = max(0, hidden-1)
		case kind == html.EndTagToken && token.Data == "a" && link != "" && !strings.HasSuffix(out.String(), link):
			out.WriteString(" (" + link + ")")
			link = ""
		}
	}
	if !isHTML && !strings.Contains(text, "&") {
		return text
	}
	return strings.TrimSpace(tidyLines(out.String()))
}

// hrefOf returns the web address of a link.
func hrefOf(token html.Token) string {
	for _, a := range token.Attr {
		if a.Key == "href" && (strings.HasPrefix(a.Val, "https://") || strings.HasPrefix(a.Val, "http://")) {
			return a.Val
		}
	}
	return ""
}

// tidyLines removes spaces at the ends of lines, and repeated empty lines.
func tidyLines(text string) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(strings.ReplaceAll(line, "\u00a0", " "))
		if line == "" && len(out) > 0 && out[len(out)-1] == "" {
			continue
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}
