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

func providerURL(name, returnTo string) templ.SafeURL {
	return templ.SafeURL("/api/auth/idp/start?" + url.Values{"provider": {name}, "return_to": {returnTo}}.Encode())
}
