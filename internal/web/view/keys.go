package view

import (
	"slices"
	"strings"

	"moothall/api/gen"
)

// APIKeysData is the API keys of the viewer.
type APIKeysData struct {
	Keys []gen.ApiKey
	Zone string // of the viewer
}

// scopeAreas are what API keys can read or change, in the order of the contract.
var scopeAreas = []string{
	"profile", "relations", "events", "attendance", "posts", "guest_messages", "reviews", "chat", "feed", "calendar", "notifications",
	"images", "webhooks",
}

// onlyWritten is the area that keys can only change.
const onlyWritten = "images"

// lifetimes are how long a new API key can last, in days. 0 is for ever.
var lifetimes = []int{30, 90, 365, 0}

// expired reports whether an API key no longer works.
func (p *Page) expired(k gen.ApiKey) bool {
	return !k.ExpiresAt.Null && !k.ExpiresAt.Value.After(p.Now)
}

// scopes says what an API key may do, like "Events: read, change".
func (p *Page) scopes(k gen.ApiKey) []string {
	var list []string
	for _, area := range scopeAreas {
		var may []string
		for _, verb := range []string{"read", "write"} {
			if slices.Contains(k.Scopes, gen.ApiKeyScope(area+":"+verb)) {
				may = append(may, p.T("keys."+verb))
			}
		}
		if len(may) > 0 {
			list = append(list, p.T("keys.area."+area)+": "+strings.ToLower(strings.Join(may, ", ")))
		}
	}
	return list
}

// sentWith reports whether the form of an action was sent with a value in a field.
func (f Form) sentWith(action, name, value string) bool {
	return f.Action == action && slices.Contains(f.Values[name], value)
}
