// Package address makes the addresses of the pages that people share: those of events, users and invitation links.
package address

import (
	"context"
	"crypto/rand"
	"math/big"
	"strings"

	"moothall/internal/domain"
	"moothall/internal/platform/text"
)

// Pages is the origin of the pages, such as "https://meet.example.org".
type Pages string

// Event returns the whole address of the page of an event.
func (p Pages) Event(e Event) string { return string(p) + e.Path() }

// Event is what the address of an event depends on.
type Event struct {
	ID      domain.EventID
	Code    *string // nil: a version without codes has created the event, and none was given to it yet
	Title   string
	Private bool
}

// Path returns the path of the page of the event. Only the code in it counts: the words of the title are for people, and an
// address with those of an earlier title leads to the same page. The address of a private event does not contain the title.
func (e Event) Path() string {
	if e.Code == nil {
		return "/events/" + e.ID.String()
	}
	if e.Private {
		return eventPrefix + *e.Code
	}
	return eventPrefix + strings.TrimPrefix(words(e.Title)+"-"+*e.Code, "-")
}

// InviteLink returns the whole address of the page of an invitation link.
func (p Pages) InviteLink(token string) string { return string(p) + "/i/" + token }

// Group returns the whole address of the page of a group.
func (p Pages) Group(slug string) string { return string(p) + Group(slug) }

// Group returns the path of the page of a group.
func Group(slug string) string { return "/g/" + slug }

// minSlug is the least length of a slug.
const minSlug = 3

// Slug returns the slug that the name of a group gives: its words, or "group" if they have less than three letters a to z and digits.
func Slug(name string) string {
	if slug := words(name); len(slug) >= minSlug {
		return slug
	}
	return "group"
}

// User returns the path of the page of a user.
func User(username string) string { return "/p/" + username }

const eventPrefix = "/e/"

// A code has codeLength digits of base 58, which has no characters that look alike: 47 random bits.
const (
	digits     = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	codeLength = 8
)

// codes is the number of codes.
var codes = new(big.Int).Exp(big.NewInt(int64(len(digits))), big.NewInt(codeLength), nil)

// WithCode returns a context in which NewCodeIn returns the code. The demo thus has the addresses of the examples in the contract.
func WithCode(ctx context.Context, code string) context.Context {
	return context.WithValue(ctx, codeKey{}, code)
}

type codeKey struct{}

// NewCodeIn returns the code of WithCode, or else NewCode.
func NewCodeIn(ctx context.Context) string {
	if code, ok := ctx.Value(codeKey{}).(string); ok {
		return code
	}
	return NewCode()
}

// NewCode returns a random code. The unique index of the events decides whether it is free: their rows are never deleted,
// so no code is used again.
func NewCode() string {
	n, err := rand.Int(rand.Reader, codes)
	if err != nil {
		panic(err) // the reader never fails
	}
	return Code(n.Uint64())
}

// Code returns the code that is a number in base 58, of which it has the last digits.
func Code(n uint64) string {
	var code [codeLength]byte
	for i := range code {
		code[codeLength-1-i] = digits[n%uint64(len(digits))]
		n /= uint64(len(digits))
	}
	return string(code[:])
}

// maxWords is the maximum length of the words of a title.
const maxWords = 40

// words returns the words of a title in the letters a to z and digits, with hyphens between them. It leaves out what does not fold
// to these, and the words beyond the maximum length.
func words(title string) string {
	joined := ""
	for _, word := range strings.FieldsFunc(text.Fold(title), isNoWord) {
		longer := strings.TrimPrefix(joined+"-"+word, "-")
		if len(longer) > maxWords {
			break
		}
		joined = longer
	}
	return joined
}

func isNoWord(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }
