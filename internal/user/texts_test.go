package user_test

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// normalized is what the contract says a text that is taken reads back as.
func normalized(field, s string) string {
	switch field {
	case "username":
		return strings.ToLower(s)
	case "avatar_url":
		return s
	case "display_name": // RFC 8266
		return strings.Join(strings.Fields(norm.NFKC.String(s)), " ")
	}
	return strings.TrimSpace(norm.NFC.String(s))
}
