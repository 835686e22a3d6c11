package importer

import (
	"context"
	"net/url"
	"time"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/httpapi"
)

// Handler implements the operations of the contract on imports.
type Handler struct{ service *Service }

// NewHandler returns the handler of a service.
func NewHandler(s *Service) *Handler { return &Handler{s} }

// ImportFile implements POST /me/imports.
func (h *Handler) ImportFile(ctx context.Context, _ gen.ImportFileReq, params gen.ImportFileParams) (*gen.Import, error) {
	zone, err := zoneFrom("?timezone", params.Timezone)
	if err != nil {
		return nil, err
	}
	file, _ := httpapi.Upload(ctx)
	return respond(h.service.ReadFile(ctx, httpapi.Viewer(ctx), file, zone))
}

// ImportAddress implements POST /me/imports/fetch.
func (h *Handler) ImportAddress(ctx context.Context, req *gen.ImportAddressRequest) (*gen.Import, error) {
	zone, err := zoneFrom("/timezone", req.Timezone)
	if err != nil {
		return nil, err
	}
	return respond(h.service.ReadAddress(ctx, httpapi.Viewer(ctx), req.URL, zone))
}

// GetImport implements GET /me/imports/{import_id}.
func (h *Handler) GetImport(ctx context.Context, params gen.GetImportParams) (*gen.Import, error) {
	return respond(h.service.Get(ctx, httpapi.Viewer(ctx), domain.ImportID(params.ImportID), params.Limit.Or(domain.DefaultLimit),
		params.Cursor.Or("")))
}

// ApplyImport implements POST /me/imports/{import_id}/apply.
func (h *Handler) ApplyImport(ctx context.Context, req *gen.ApplyImportRequest, params gen.ApplyImportParams) (*gen.AppliedImport, error) {
	done, remaining, err := h.service.Apply(ctx, httpapi.Viewer(ctx), domain.ImportID(params.ImportID), req.Uids,
		req.Pictures.Or(false))
	if err != nil {
		return nil, err
	}
	response := &gen.AppliedImport{Results: make([]gen.AppliedRow, len(done)), Remaining: remaining}
	for i, one := range done {
		state := gen.AppliedRowState("updated")
		if one.Created {
			state = "created"
		}
		response.Results[i] = gen.AppliedRow{UID: one.UID, EventID: uuid.UUID(one.EventID), State: state}
	}
	return response, nil
}

// zoneFrom returns the zone of a parameter; nil if it is absent.
func zoneFrom(pointer string, name gen.OptString) (*time.Location, error) {
	if !name.Set {
		return nil, nil
	}
	zone, err := time.LoadLocation(name.Value)
	if err != nil || !event.KnownZone(name.Value) {
		return nil, domain.Invalid(pointer, "must be an IANA zone with a place, such as Europe/Moscow")
	}
	return zone, nil
}

func respond(i Import, err error) (*gen.Import, error) {
	if err != nil {
		return nil, err
	}
	response := &gen.Import{
		ID: uuid.UUID(i.ID), Name: gen.NullString(i.Name), Host: gen.NullString(i.Host),
		Counts: gen.ImportCounts{New: i.Counts[StateNew], Changed: i.Counts[StateChanged], Same: i.Counts[StateSame],
			Skipped: i.Counts[StateSkipped]},
		PastCount: i.Past, LeftOutCount: i.LeftOut, CreatedAt: i.CreatedAt, ExpiresAt: i.CreatedAt.Add(lifetime),
		Items: make([]gen.ImportRow, len(i.Rows.Items)), NextCursor: gen.NullCursor(i.Rows.Next),
	}
	for at, r := range i.Rows.Items {
		response.Items[at] = r.toAPI()
	}
	return response, nil
}

func (r Row) toAPI() gen.ImportRow {
	row := gen.ImportRow{UID: r.UID, Title: r.Draft.Title, StartsAt: gen.NullDateTime(nil), EndsAt: gen.NullDateTime(r.Draft.EndsAt),
		Timezone: gen.NullString(optional(r.Draft.Timezone)), Place: gen.NullString(r.Draft.LocationText),
		ImageURL: gen.NullString(r.Draft.ImageURL),
		State:    gen.ImportRowState(r.State), EventID: gen.NilUUID{Null: true}}
	if !r.Draft.StartsAt.IsZero() {
		row.StartsAt = gen.NullDateTime(&r.Draft.StartsAt)
	}
	if r.Why == nil {
		row.Why.Null = true
	} else {
		row.Why.Value = gen.ImportSkipReason(*r.Why)
	}
	if r.EventID != nil {
		row.EventID = gen.NilUUID{Value: uuid.UUID(*r.EventID)}
	}
	return row
}

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"importAddress": httpapi.BodyCheck(func(_ context.Context, req *gen.ImportAddressRequest) error {
			var problems domain.Problems
			if _, err := h.service.ParseURL(req.URL); err != nil {
				problems.AddAll(invalidURL(err))
			}
			_, err := zoneFrom("/timezone", req.Timezone)
			problems.AddAll(err)
			return problems.Err()
		}),
		"importFile": httpapi.QueryCheck(func(query url.Values) error {
			name := query.Get("timezone")
			_, err := zoneFrom("?timezone", gen.OptString{Value: name, Set: name != ""})
			return err
		}),
		"getImport": httpapi.CursorCheck(positionAfter),
	}
}
