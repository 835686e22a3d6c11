package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"moothall/internal/web/view"
)

// The largest forms, in bytes: without and with a picture.
const (
	maxForm   = 64 << 10
	maxUpload = 10<<20 + maxForm
)

// uploads are the actions whose form may have a picture.
var uploads = map[string]bool{"setAvatar": true, "setEventCover": true}

// action handles a form by calling operations. It returns the *view.Problem of an operation that is
// refused; the visitor then sees the form again.
type action func(ctx context.Context, v *visit, form url.Values) (outcome, error)

// outcome is what the visitor sees after an action.
type outcome struct {
	to   string // address of a page of this service
	step string // instead: the page of the form, at another step
}

// Do serves POST /do/{action}: it carries out an action and redirects to a page. A form that
// was refused is shown again with status 422.
func (s *Site) Do(w http.ResponseWriter, r *http.Request) {
	act := s.actions[r.PathValue("action")]
	if act == nil {
		s.WriteError(w, r, http.StatusNotFound)
		return
	}
	if s.origins.Check(r) != nil {
		s.WriteError(w, r, http.StatusForbidden)
		return
	}
	if status := parseForm(w, r); status != http.StatusOK {
		s.WriteError(w, r, status)
		return
	}
	defer removeFiles(r)
	ctx, v := newVisit(w, r)
	if !s.begin(ctx, v) {
		return
	}
	form := view.Form{Action: r.PathValue("action"), Values: r.PostForm}
	out, err := act(ctx, v, r.PostForm)
	problem, refused := errors.AsType[*view.Problem](err)
	switch {
	case refused && problem.Status == http.StatusUnauthorized && !signsIn[form.Action]:
		v.open(loginPath(localPath(r.PostForm.Get("page"))))
	case refused:
		form.Problem = problem
		s.showAgain(ctx, v, form, http.StatusUnprocessableEntity)
	case err != nil:
		panic(err) // the server logs it and answers
	case out.step != "":
		form.Step = out.step
		s.showAgain(ctx, v, form, http.StatusOK)
	default:
		v.open(out.to)
	}
}

// parseForm reads the form of an action. It returns the status of the response if that fails.
func parseForm(w http.ResponseWriter, r *http.Request) int {
	limit, parse := int64(maxForm), r.ParseForm
	if uploads[r.PathValue("action")] && strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") {
		limit, parse = maxUpload, func() error { return r.ParseMultipartForm(maxForm) } //nolint:gosec // MaxBytesReader limits the body
	}
	r.Body = http.MaxBytesReader(w, r.Body, limit)
	err := parse()
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return http.StatusRequestEntityTooLarge
	}
	if err != nil {
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// removeFiles removes the files of a form from the disk.
func removeFiles(r *http.Request) {
	if r.MultipartForm != nil {
		_ = r.MultipartForm.RemoveAll() // they are in the folder for temporary files
	}
}

// showAgain writes the page of a form again, with the values that were sent.
func (s *Site) showAgain(ctx context.Context, v *visit, form view.Form, status int) {
	address := pageOf(form.Values)
	r := v.r.Clone(ctx)
	r.Method, r.URL = http.MethodGet, address
	route := s.match(address.Path, r)
	if route == nil {
		s.WriteError(v.w, v.r, http.StatusNotFound)
		return
	}
	v.r, v.page.URL, v.page.Form = r, address, form
	s.show(ctx, v, route.page, status)
}

// localPath returns an address of this service without the host, or "/" for any other.
func localPath(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.IsAbs() || u.Host != "" || u.User != nil || !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") || strings.ContainsAny(address, "\\\t\r\n") {
		return "/"
	}
	if u.Fragment != "" {
		return u.RequestURI() + "#" + u.EscapedFragment()
	}
	return u.RequestURI()
}
