package user

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/nyaruka/phonenumbers"
)

// Phone is a phone number in E.164 form that passed the rules.
type Phone string

// PhoneRules say which numbers are taken.
type PhoneRules struct {
	DefaultRegion string   // of numbers without a country code: ISO 3166-1, like RU
	Allowed       []string // regions; empty: all
}

var errPhone = errors.New("must be the number of a phone that can make calls, best in the form +79991234567")

// Parse holds a number to the rules of contract §2.2: valid, of an allowed
// country, and of a kind that calls can come from.
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
	if len(region) != 2 || len(r.Allowed) > 0 && !slices.Contains(r.Allowed, region) { // "001": of no country
		return "", errPhone
	}
	return Phone(phonenumbers.Format(n, phonenumbers.E164)), nil
}

// plainPhone brings what address books put into numbers, invisible marks and
// typographic spaces and dashes, down to ASCII.
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

// canCall tells numbers of people from those that only companies are called on.
func canCall(n *phonenumbers.PhoneNumber) bool {
	switch phonenumbers.GetNumberType(n) {
	case phonenumbers.FIXED_LINE, phonenumbers.MOBILE, phonenumbers.FIXED_LINE_OR_MOBILE, phonenumbers.VOIP,
		phonenumbers.PERSONAL_NUMBER:
		return true
	default:
		return false
	}
}

// Pretty gives the number in the international form for people.
func (p Phone) Pretty() string {
	n, err := phonenumbers.Parse(string(p), "")
	if err != nil {
		return string(p)
	}
	return phonenumbers.Format(n, phonenumbers.INTERNATIONAL)
}

// Masked gives the pretty form with its digits between the country code and
// the last four, at most half of them, hidden: "+7 *** ***-06-02".
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
