package web

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// groupsPerPage is the number of groups that a visitor sees before "More".
const groupsPerPage = 24

// groups finds groups by words and place.
func (s *Site) groups(ctx context.Context, v *visit) (templ.Component, error) {
	query := cleaned(v.page.URL.Query())
	v.page.Title, v.page.Description, v.page.NoIndex = v.page.T("groups.title"), v.page.T("groups.description"), len(query) > 0
	d := view.GroupsData{Filter: view.FilterOf(query), Continues: query.Has("cursor")}
	located, err := s.located(ctx, query)
	if err != nil {
		return nil, err
	}
	p := paramsOf(located, v.page.Now)
	params := gen.ListGroupsParams{Q: p.Q, City: p.City, Lat: p.Lat, Lng: p.Lng, RadiusKm: p.RadiusKm, Cursor: p.Cursor,
		Limit: gen.NewOptInt(groupsPerPage)}
	list, err := s.api.ListGroups(ctx, params)
	if city := query.Get("city"); err == nil && len(list.Items) == 0 && !params.City.Set && city != "" { // groups without coordinates
		params.City, params.Lat, params.Lng, params.RadiusKm = gen.NewOptString(city), gen.OptFloat64{}, gen.OptFloat64{}, gen.OptFloat64{}
		list, err = s.api.ListGroups(ctx, params)
	}
	problem, refused := errors.AsType[*view.Problem](err)
	switch {
	case refused && problem.Status == http.StatusBadRequest:
		d.Problem = problem
	case err != nil:
		return nil, err
	default:
		d.Groups, d.More = list.Items, v.more("cursor", list.NextCursor)
	}
	return view.Groups(v.page, d), nil
}

// maxOwnGroups is more than the number of groups that one user can have.
const maxOwnGroups = 100

// hostedGroups returns the groups that the visitor owns or hosts.
func (s *Site) hostedGroups(ctx context.Context) ([]gen.Group, error) {
	list, err := s.api.ListMyGroups(ctx, gen.ListMyGroupsParams{Limit: gen.NewOptInt(maxOwnGroups)})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list.Items, func(g gen.Group) bool { return !view.HostsGroup(&g) }), nil
}

// publicGroups returns at most limit groups that other services may show.
func (s *Site) publicGroups(ctx context.Context, limit int) (groups []gen.Group, err error) {
	p := gen.ListGroupsParams{Limit: gen.NewOptInt(feedPage)}
	for {
		list, err := s.api.ListGroups(ctx, p)
		if err != nil {
			return nil, err
		}
		if groups = append(groups, list.Items...); list.NextCursor.Null || len(groups) >= limit {
			return groups[:min(len(groups), limit)], nil
		}
		p.Cursor = gen.NewOptString(list.NextCursor.Value)
	}
}

// myGroups lists the groups of the visitor, with invitations and requests.
func (s *Site) myGroups(ctx context.Context, v *visit) (templ.Component, error) {
	v.page.Title = v.page.T("groups.mine")
	cursor := optional(v.page.URL.Query(), "cursor")
	list, err := s.api.ListMyGroups(ctx, gen.ListMyGroupsParams{Limit: gen.NewOptInt(groupsPerPage), Cursor: cursor})
	if err != nil {
		return nil, err
	}
	return view.MyGroups(v.page, view.GroupsData{Groups: list.Items, More: v.more("cursor", list.NextCursor), Continues: cursor.Set}), nil
}
