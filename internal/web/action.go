package web

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"moothall/internal/domain"
	forms "moothall/internal/platform/form"
	"moothall/internal/web/view"
)

// action handles a form by calling operations. It returns the *view.Problem of an operation that is
// refused; the visitor then sees the form again.
type action func(ctx context.Context, v *visit, form url.Values) (outcome, error)

// outcome is what the visitor sees after an action.
type outcome struct {
	to     string // address of a page of this service
	step   string // instead: the page of the form, at another step
	action string // that was refused, if it is not the one of the form
	isPart bool   // the page is a part of the one that the browser shows
}

// Do serves POST /do/{action}: it carries out an action and redirects to a page. A form that
// was refused is shown again with status 422, or 503 if the service is too busy. If the
// action needs a session, nothing of the form is read before the session is known.
func (s *Site) Do(w http.ResponseWriter, r *http.Request) error {
	act := s.actions[r.PathValue("action")]
	if act == nil {
		s.WriteError(w, r, http.StatusNotFound)
		return nil
	}
	if s.origins.Check(r) != nil {
		s.WriteError(w, r, http.StatusForbidden)
		return nil //nolint:nilerr // answered
	}
	ctx, v := newVisit(w, r)
	if goesOn, err := s.begin(ctx, v); !goesOn {
		return err
	}
	form := view.Form{Action: r.PathValue("action")}
	if !v.page.SignedIn() && !withoutSession[form.Action] {
		v.open(loginPath(sender(r)))
		return nil
	}
	var err error
	if v.form, err = forms.Read(r); err != nil {
		s.WriteError(w, r, statusOfForm(err))
		return nil
	}
	form.Values = v.form.Values
	out, err := act(ctx, v, form.Values)
	problem, refused := errors.AsType[*view.Problem](err)
	switch {
	case err != nil && v.form.Err() != nil:
		s.WriteError(w, r, statusOfForm(v.form.Err()))
	case refused && problem.Status == http.StatusUnauthorized && !signsIn[form.Action]:
		v.open(loginPath(localPath(form.Values.Get("page"))))
	case refused && problem.Status == http.StatusRequestEntityTooLarge:
		s.WriteError(w, r, problem.Status) // the rest of the form is not read
	case refused:
		_ = v.form.ReadRest() // shows the values that have arrived
		form.Action, form.Problem = cmp.Or(out.action, form.Action), problem
		return s.showAgain(ctx, v, form, v.statusOfRefusal(problem))
	case err != nil:
		return err
	case out.step != "":
		form.Step = out.step
		return s.showAgain(ctx, v, form, http.StatusOK)
	default:
		v.openFrom(out.to, out.isPart || v.isOn(out.to))
	}
	return nil
}

// statusOfRefusal returns the status of a form that is shown again. After 503, scripts send a form with a key again.
func (v *visit) statusOfRefusal(problem *view.Problem) int {
	if problem.Status != http.StatusServiceUnavailable {
		return http.StatusUnprocessableEntity
	}
	v.retryLater(problem)
	return problem.Status
}

// statusOfForm returns the status of the response to a form that could not be read.
func statusOfForm(err error) int {
	switch {
	case errors.Is(err, forms.ErrTooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, domain.ServiceUnavailable):
		return http.StatusServiceUnavailable
	}
	return http.StatusBadRequest
}

// sender returns the address of the page that has sent a form, which need not be read for this.
func sender(r *http.Request) string {
	u, err := url.Parse(cmp.Or(r.Header.Get("HX-Current-URL"), r.Referer()))
	if err != nil {
		return "/"
	}
	return localPath(u.RequestURI())
}

// showAgain writes the page of a form again, with the values that were sent.
func (s *Site) showAgain(ctx context.Context, v *visit, form view.Form, status int) error {
	address := pageOf(form.Values)
	r := v.r.Clone(ctx)
	r.Method, r.URL = http.MethodGet, address
	route := s.match(address.Path, r)
	if route == nil {
		s.WriteError(v.w, v.r, http.StatusNotFound)
		return nil
	}
	v.r, v.page.URL, v.page.Query, v.page.Form = r, address, address.Query(), form
	return s.show(ctx, v, route.page, status)
}

// localPath returns an address of this service without the host, or "/" for any other.
func localPath(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.IsAbs() || u.Host != "" || u.User != nil || !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") ||
		strings.ContainsAny(address, "\\\t\r\n") {
		return "/"
	}
	if u.Fragment != "" {
		return u.RequestURI() + "#" + u.EscapedFragment()
	}
	return u.RequestURI()
}
