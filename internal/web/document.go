package web

import (
	"context"
	"net/http"

	"github.com/a-h/templ"

	"moothall/internal/web/view"
)

// document shows a page of whoever runs the service.
func (s *Site) document(_ context.Context, v *visit) (templ.Component, error) {
	d, found := s.Documents.Find(v.r.PathValue("page"), v.page.Language.String())
	if !found {
		return nil, &view.Problem{Status: http.StatusNotFound}
	}
	v.page.Title = d.Title
	return view.Document(v.page, d), nil
}
