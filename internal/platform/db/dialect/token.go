package dialect

import "strings"

// tokenKind distinguishes the tokens that rewriting treats differently.
type tokenKind int

const (
	space   tokenKind = iota // white space and comments
	word                     // keyword or name
	param                    // $1
	literal                  // '...' or "..."
	other                    // one character of anything else
)

type token struct {
	kind tokenKind
	text string
}

// is reports whether the token is this word in any case.
func (t token) is(upper string) bool {
	return t.kind == word && len(t.text) == len(upper) && strings.EqualFold(t.text, upper)
}

// tokenize splits SQL so that text inside strings, quoted names and comments is
// never taken for SQL. Joining the tokens returns the input.
func tokenize(sql string) []token {
	var tokens []token
	for sql != "" {
		kind, n := nextToken(sql)
		tokens = append(tokens, token{kind, sql[:n]})
		sql = sql[n:]
	}
	return tokens
}

func nextToken(sql string) (tokenKind, int) {
	c := sql[0]
	switch {
	case strings.HasPrefix(sql, "--"):
		return space, lengthUntil(sql, "\n") // the line break is a separate token
	case strings.HasPrefix(sql, "/*"):
		return space, lengthThrough(sql, 2, "*/")
	case isSpace(c):
		return space, lengthWhile(sql, isSpace)
	case c == '\'' || c == '"':
		return literal, quotedLength(sql, c)
	case c == '$' && len(sql) > 1 && isDigit(sql[1]):
		return param, 1 + lengthWhile(sql[1:], isDigit)
	case isLetter(c):
		return word, lengthWhile(sql, func(c byte) bool { return isLetter(c) || isDigit(c) })
	case isDigit(c):
		return other, lengthWhile(sql, isDigit)
	}
	return other, 1
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= 0x80
}

func lengthWhile(s string, ok func(byte) bool) int {
	n := 0
	for n < len(s) && ok(s[n]) {
		n++
	}
	return n
}

func lengthUntil(s, stop string) int {
	if n := strings.Index(s, stop); n >= 0 {
		return n
	}
	return len(s)
}

func lengthThrough(s string, from int, end string) int {
	if n := strings.Index(s[from:], end); n >= 0 {
		return from + n + len(end)
	}
	return len(s)
}

// quotedLength returns the length up to the closing quote. A literal with a doubled
// quote becomes two adjacent literals: joining them returns the same text.
func quotedLength(s string, quote byte) int {
	return lengthThrough(s, 1, string(quote))
}

func join(tokens []token) string {
	var text strings.Builder
	for _, t := range tokens {
		text.WriteString(t.text)
	}
	return text.String()
}

// skipSpace returns the index of the first token from i on that is not space.
func skipSpace(tokens []token, i int) int {
	for i < len(tokens) && tokens[i].kind == space {
		i++
	}
	return i
}

// at returns the first token from i on that is not space, or the zero token (a
// space) when there is none. next is the index after it.
func at(tokens []token, i int) (t token, next int) {
	if i = skipSpace(tokens, i); i >= len(tokens) {
		return token{}, i
	}
	return tokens[i], i + 1
}

// words reports whether the tokens from i on, spaces excepted, are these words,
// and returns the index after them.
func words(tokens []token, i int, upper ...string) (next int, ok bool) {
	for _, w := range upper {
		var t token
		if t, i = at(tokens, i); !t.is(w) {
			return 0, false
		}
	}
	return i, true
}
