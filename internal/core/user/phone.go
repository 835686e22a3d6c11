package user

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/nyaruka/phonenumbers"
)

// Phone is a valid phone number in E.164 form.
type Phone string

// maxPhone is the maximum length in E.164: the plus sign and 15 digits.
const maxPhone = 16

// PhoneRules restrict phone numbers to countries.
type PhoneRules struct {
	DefaultRegion string   // for numbers without a country code: ISO 3166-1, like RU
	Allowed       []string // regions; empty: all
}

var errPhone = errors.New("must be the number of a phone that can make calls, like +79991234567")

// Parse validates a number by contract §2.2: it is valid, belongs to an allowed
// country, and can make calls.
func (r PhoneRules) Parse(s string) (Phone, error) {
	s = plainPhone(s)
	if len(s) < 3 || len(s) > 32 || strings.Trim(s, "+0123456789 ()-./") != "" || strings.LastIndexByte(s, '+') > 0 {
		return "", errPhone
	}
	n, err := phonenumbers.Parse(s, r.DefaultRegion)
	if err != nil || !phonenumbers.IsValidNumber(n) || n.GetExtension() != "" || !canCall(n) {
		return "", errPhone
	}
	region := phonenumbers.GetRegionCodeForNumber(n)
	if len(region) != 2 || len(r.Allowed) > 0 && !slices.Contains(r.Allowed, region) { // "001" is no country
		return "", errPhone
	}
	p := Phone(phonenumbers.Format(n, phonenumbers.E164))
	if len(p) > maxPhone { // some German numbers are valid, but longer than the standard allows
		return "", errPhone
	}
	return p, nil
}

// plainPhone converts the spaces and dashes that address books put into numbers to
// ASCII and removes invisible characters.
func plainPhone(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r):
			return -1
		case unicode.Is(unicode.Zs, r):
			return ' '
		case unicode.Is(unicode.Pd, r):
			return '-'
		}
		return r
	}, s))
}

// canCall reports whether a number can belong to a person. Service numbers, which
// only receive calls, cannot.
func canCall(n *phonenumbers.PhoneNumber) bool {
	switch phonenumbers.GetNumberType(n) {
	case phonenumbers.FIXED_LINE, phonenumbers.MOBILE, phonenumbers.FIXED_LINE_OR_MOBILE, phonenumbers.VOIP,
		phonenumbers.PERSONAL_NUMBER:
		return true
	default:
		return false
	}
}

// Pretty returns the number in the international format for display.
func (p Phone) Pretty() string {
	n, err := phonenumbers.Parse(string(p), "")
	if err != nil {
		return string(p)
	}
	return phonenumbers.Format(n, phonenumbers.INTERNATIONAL)
}

// Masked returns the pretty form with the national digits hidden except the last
// four, or except half if there are fewer than eight: "+7 *** ***-06-02".
func (p Phone) Masked() string {
	code, national, _ := strings.Cut(p.Pretty(), " ")
	digits := 0
	for _, r := range national {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	hidden := digits - min(4, digits/2)
	return code + " " + strings.Map(func(r rune) rune {
		if !unicode.IsDigit(r) || hidden == 0 {
			return r
		}
		hidden--
		return '*'
	}, national)
}

// IsRegion reports whether a code names a country that has phone numbers.
func IsRegion(code string) bool { return phonenumbers.GetSupportedRegions()[code] && len(code) == 2 }
