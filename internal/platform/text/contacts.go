package text

import (
	"regexp"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/unicode/norm"
)

var (
	addressPattern = regexp.MustCompile(`(?i)\S*(?:[a-z][a-z0-9+.-]*:/|www\.|@)\S*`)
	phonePattern   = regexp.MustCompile(`\+?\(?\d(?:[\s().\-/–]{0,3}\d){6,}`)
	domainPattern  = regexp.MustCompile(`[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}[\p{L}\p{N}-]+(?:[/:?#]\S*)?`)
)

// dots are the characters that browsers take for the dot of a domain (UTS 46) and NFKC leaves.
var dots = strings.NewReplacer("。", ".", "｡", ".")

// WithoutContacts returns a line without URLs, e-mail addresses and phone numbers, for places such as the subject of
// a mail, where programs make links of them. A word like Node.js loses its dot.
func WithoutContacts(s string) string {
	plain := dots.Replace(norm.NFKC.String(strings.Map(func(r rune) rune {
		if isIgnorable(r) {
			return -1
		}
		return r
	}, s)))
	clean := addressPattern.ReplaceAllString(plain, " ")
	clean = domainPattern.ReplaceAllStringFunc(clean, func(word string) string {
		host := strings.ToLower(word[:strings.IndexAny(word+"/", "/:?#")])
		ascii, _ := idna.Lookup.ToASCII(host) // empty for invalid names
		if _, known := publicsuffix.PublicSuffix(ascii); known || len(host) < len(word) {
			return " "
		}
		return strings.ReplaceAll(word, ".", " ")
	})
	clean = phonePattern.ReplaceAllString(clean, " ")
	if clean == plain {
		return s
	}
	return strings.Join(strings.Fields(clean), " ")
}
