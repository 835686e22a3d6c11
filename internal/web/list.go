package web

import (
	"net/url"

	"moothall/api/gen"
)

// optional returns a parameter of a query. An empty field of a form counts as absent.
func optional(query url.Values, name string) gen.OptString {
	return gen.OptString{Value: query.Get(name), Set: query.Get(name) != ""}
}

// more returns the address of the page with the next items of a list, whose cursor is the named parameter; "" if there
// are no more.
func (v *visit) more(parameter string, next gen.NilString) string {
	if next.Null {
		return ""
	}
	query := v.page.URL.Query()
	query.Set(parameter, next.Value)
	return (&url.URL{Path: v.page.URL.Path, RawQuery: query.Encode()}).String()
}
