package user_test

import (
	"strings"
	"testing"

	"moothall/internal/core/user"
)

var russia = user.PhoneRules{DefaultRegion: "RU"}

func TestParsePhone(t *testing.T) {
	for _, c := range []struct{ text, want, pretty, masked string }{
		{"+79991230602", "+79991230602", "+7 999 123-06-02", "+7 *** ***-06-02"},
		{"8 (999) 123-06-02", "+79991230602", "+7 999 123-06-02", "+7 *** ***-06-02"},
		{"\u202a+7\u00a0(999)\u00a0123\u201106\u201102\u202c", "+79991230602", "+7 999 123-06-02", "+7 *** ***-06-02"},
		{"9991230602", "+79991230602", "+7 999 123-06-02", "+7 *** ***-06-02"},
		{"810 49 30 901820", "+4930901820", "+49 30 901820", "+49 ** **1820"},
		{"+49 30/901820", "+4930901820", "+49 30 901820", "+49 ** **1820"},
		{"+1 202-555-0123", "+12025550123", "+1 202-555-0123", "+1 ***-***-0123"},
		{"+39 06 6982", "+39066982", "+39 06 6982", "+39 ** *982"},
		{"112", "", "", ""},
		{"", "", "", ""},
		{"+", "", "", ""},
		{"+7999123060", "", "", ""},
		{"+799912306021", "", "", ""},
		{"7+9991230602", "", "", ""},
		{"++79991230602", "", "", ""},
		{"+79991230602 ext. 5", "", "", ""},
		{"tel:+79991230602", "", "", ""},
		{"+79991230602;phone-context=+1", "", "", ""},
		{"+7999CALLME1", "", "", ""},
		{"+7٩٩٩١٢٣٠٦٠٢", "", "", ""},
		{"+78005008275", "", "", ""},  // toll-free: receives calls only
		{"+19005551234", "", "", ""},  // premium rate
		{"+80012345678", "", "", ""},  // international freephone
		{"+881612345678", "", "", ""}, // satellite
		{"+882161234567", "", "", ""}, // international networks
		{"+4999300183001820", "", "", ""},
		{strings.Repeat("7", 33), "", "", ""},
	} {
		p, err := russia.Parse(c.text)
		if string(p) != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%q: %q, %v", c.text, p, err)
		}
		if err == nil && (p.Pretty() != c.pretty || p.Masked() != c.masked) {
			t.Errorf("%q: pretty %q, masked %q", c.text, p.Pretty(), p.Masked())
		}
	}
	onlyRussia := user.PhoneRules{DefaultRegion: "RU", Allowed: []string{"RU"}}
	if p, err := onlyRussia.Parse("+77012345678"); err == nil { // Kazakhstan shares the country code
		t.Errorf("%s", p)
	}
}

// FuzzPhone checks that an accepted number is in E.164, parses to itself, and that
// its masked form shows at most four of its digits.
func FuzzPhone(f *testing.F) {
	for _, seed := range []string{"+79991230602", "8 (999) 123-06-02", "112", "+49 30/901820", "+39 06 6982", "\u202a+7\u00a0999", "+1900555",
		"tel:1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := russia.Parse(text)
		if err != nil {
			return
		}
		if len(p) < 8 || len(p) > 16 || p[0] != '+' || strings.Trim(string(p[1:]), "0123456789") != "" {
			t.Fatalf("%q became %q", text, p)
		}
		if again, err := russia.Parse(string(p)); again != p {
			t.Fatalf("%q became %q and then %q, %v", text, p, again, err)
		}
		code, rest, _ := strings.Cut(p.Masked(), " ")
		if shown := strings.Map(digitsOnly, rest); len(shown) > 4 || !strings.HasSuffix(string(p), shown) || !strings.HasPrefix(string(p), code) {
			t.Fatalf("%q is masked as %q", p, p.Masked())
		}
	})
}

func digitsOnly(r rune) rune {
	if r < '0' || r > '9' {
		return -1
	}
	return r
}
