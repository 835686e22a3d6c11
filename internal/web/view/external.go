package view

import (
	"net/url"
	"slices"

	"moothall/api/gen"
)

// maxSources is the number of calendars of a group (contract).
const maxSources = 5

// hostOf returns the host of an address.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Hostname()
}

// sourceError says why the last attempt to read a calendar changed nothing.
func (p *Page) sourceError(code gen.GroupSourceError) string {
	if !slices.Contains(gen.GroupSourceError("").AllValues(), code) {
		return p.T("sources.error.other")
	}
	return p.T("sources.error." + string(code))
}
