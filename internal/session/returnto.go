package session

import (
	"net/url"
	"regexp"
	"strings"
)

// defaultReturn is where a sign-in ends that was not told a good place
// (specification §4.2).
const defaultReturn = "/profile"

const maxReturn = 512 // bytes

var (
	// localForm is the form of contract §2.3, in printable ASCII: one slash, then
	// no second one, and no backslash, which browsers read as a slash.
	localForm = regexp.MustCompile(`^/([^[:^graph:]/\\][^[:^graph:]\\]*)?$`)

	// control finds what would come alive if anybody decoded a second time.
	control = regexp.MustCompile(`(?i)%(?:[01][0-9a-f]|7f)`)
)

// localPath gives the place of the web client that a sign-in returns to: the
// one asked for when it is a plain local path, else the default. It never leads
// to another origin, whoever parses it how often, and never to the API.
func localPath(asked string) string {
	path, _, _ := strings.Cut(asked, "#")
	path, _, _ = strings.Cut(path, "?")
	decoded, err := url.PathUnescape(path)
	if err != nil || len(asked) > maxReturn || !localForm.MatchString(asked) || control.MatchString(asked) ||
		badEscape(asked) || !plainPath(decoded) {
		return defaultReturn
	}
	return asked
}

// plainPath reports a path without anything to resolve, collapse or decode
// again, outside of what the API and signing in use.
func plainPath(decoded string) bool {
	if strings.ContainsAny(decoded, `\%`) {
		return false
	}
	segments := strings.Split(decoded, "/")[1:]
	for i, segment := range segments {
		empty := segment == "" && i < len(segments)-1 // only the last one may be
		if empty || segment == "." || segment == ".." {
			return false
		}
	}
	first, _, _ := strings.Cut(segments[0], ";")
	switch strings.ToLower(first) {
	case "api", "auth", "login":
		return false
	}
	return true
}

// badEscape reports a % without its two digits.
func badEscape(s string) bool {
	_, err := url.PathUnescape(s)
	return err != nil
}
