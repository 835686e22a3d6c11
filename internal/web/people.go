package web

import (
	"context"
	"errors"
	"net/http"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// profilesPerPage is the number of people that a visitor sees before "More".
const profilesPerPage = 30

// people finds people by words and city.
func (s *Site) people(ctx context.Context, v *visit) (templ.Component, error) {
	query := v.page.URL.Query()
	v.page.Title, v.page.NoIndex = v.page.T("nav.people"), true
	d := view.PeopleData{Words: query.Get("q"), City: query.Get("city"), Continues: query.Has("cursor")}
	list, err := s.api.ListProfiles(ctx, gen.ListProfilesParams{
		Q: optional(query, "q"), City: optional(query, "city"), Cursor: optional(query, "cursor"), Limit: gen.NewOptInt(profilesPerPage),
	})
	problem, refused := errors.AsType[*view.Problem](err)
	switch {
	case refused && problem.Status == http.StatusBadRequest:
		d.Problem = problem
	case err != nil:
		return nil, err
	default:
		d.Profiles, d.More = list.Items, v.more("cursor", list.NextCursor)
	}
	return view.People(v.page, d), nil
}
