package view

import (
	"net/url"

	"github.com/a-h/templ"
)

// LoginData is what the sign-in shows.
type LoginData struct {
	ReturnTo string // address to open after it
	Error    string // of an identity provider
}

// CallData is a phone call that the service waits for.
type CallData struct {
	Number  string // to call
	Pending bool   // otherwise it is too late
}

// SignIn is a form that signs in by a code in a mail.
type SignIn struct {
	Start    string // the action that sends the code
	ReturnTo string // address to open after it
	Target   string // id of the element that the steps replace
	Name     bool   // it also asks for a name, for new accounts
	Join     bool   // it then joins an event
}

// The ids of the forms of the two steps.
const (
	startForm  = "sign-in"
	verifyForm = "verify-code"
)

// finish is the text of the last button.
func (d SignIn) finish(p *Page) string {
	if d.Join {
		return p.T("join.finish")
	}
	return p.T("login.verify")
}

// autocomplete offers passkeys only where their script is loaded.
func (d SignIn) autocomplete() string {
	if d.Join {
		return "email"
	}
	return "username webauthn"
}

func providerURL(name, returnTo string) templ.SafeURL {
	return templ.SafeURL("/api/auth/idp/start?" + url.Values{"provider": {name}, "return_to": {returnTo}}.Encode())
}
