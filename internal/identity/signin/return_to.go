package signin

import (
	"net/url"
	"regexp"
	"strings"
)

// defaultReturn is the path that a sign-in returns to if return_to is missing or
// not allowed (specification §4.2).
const defaultReturn = "/profile"

const maxReturnTo = 512 // bytes

var (
	// localForm is the form of contract §2.3, in printable ASCII. It starts with
	// exactly one slash and has no backslash, which browsers read as a slash.
	localForm = regexp.MustCompile(`^/([^[:^graph:]/\\][^[:^graph:]\\]*)?$`)

	// escapedControl matches an escaped control character.
	escapedControl = regexp.MustCompile(`(?i)%(?:[01][0-9a-f]|7f)`)
)

// LocalPath returns the path of the web client that a sign-in returns to:
// returnTo if it is a plain local path, else the default. The result never leads
// to another origin, even if it is decoded twice, and never to the API.
func LocalPath(returnTo string) string {
	path, _, _ := strings.Cut(returnTo, "#")
	path, _, _ = strings.Cut(path, "?")
	decoded, err := url.PathUnescape(path)
	if err != nil || len(returnTo) > maxReturnTo || !localForm.MatchString(returnTo) || escapedControl.MatchString(returnTo) ||
		badEscape(returnTo) || !plainPath(decoded) {
		return defaultReturn
	}
	return returnTo
}

// plainPath reports whether a decoded path has no dot segments, double slashes or further
// escapes. Paths of the API and of sign-in are not plain.
func plainPath(decoded string) bool {
	if strings.ContainsAny(decoded, `\%`) {
		return false
	}
	segments := strings.Split(decoded, "/")[1:]
	for i, segment := range segments {
		empty := segment == "" && i < len(segments)-1 // the last one may be empty
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

// badEscape reports whether a % is not followed by two hexadecimal digits.
func badEscape(s string) bool {
	_, err := url.PathUnescape(s)
	return err != nil
}
