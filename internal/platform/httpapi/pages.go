package httpapi

import (
	"net/http"
	"time"
)

// WebClient serves the web pages. A page may have the address of an operation; wantsPage decides which one a client gets.
type WebClient interface {
	// Page returns the pattern of the page at a path, or "" if there is none.
	Page(path string) string

	// Variant names everything besides the URL and the session on which a page depends, such
	// as the language.
	Variant(r *http.Request) string

	// Fragments returns large parts, one of which each page contains unchanged, such as style sheets. They are compressed only once. One
	// that contains another comes first.
	Fragments() []string

	// ServePage writes a page, or the page of status 404 if no page is at the path. It calls operations by Server.Call, with
	// the context of the page's request. An error is answered like one of an operation.
	ServePage(w http.ResponseWriter, r *http.Request) error

	// WriteError writes the page of a status for a request that no page answers.
	WriteError(w http.ResponseWriter, r *http.Request, status int)
}

// apiPrefix is a second address of all operations. There are no pages below it.
const apiPrefix = "/api"

// pageVary are the request headers that decide between a page and an operation.
const pageVary = "Accept, HX-Request, Sec-Fetch-Mode"

// pageFreshness limits how long a page is cached, because it may say that an event is today.
// In every time zone the day begins at a multiple of it.
const pageFreshness = 15 * time.Minute

// pageAt returns the pattern of the page at the address of a request, or "". Programs that send Authorization get no pages.
func (s *Server) pageAt(r *http.Request) string {
	if s.web == nil || isRead(r) && r.Header["Authorization"] != nil {
		return ""
	}
	return s.web.Page(r.URL.Path)
}

// writesPage writes the page of a refusal. At an address of an operation, only a browser that says that it navigates gets it:
// a person followed a link, for example to a download.
func (s *Server) writesPage(w http.ResponseWriter, r *http.Request, st *requestState, status int) bool {
	if s.web == nil || !st.wantsPage {
		return false
	}
	if st.op != nil && !st.op.isPage && r.Header.Get("Sec-Fetch-Mode") != "navigate" {
		return false
	}
	s.web.WriteError(w, r, status)
	return true
}
