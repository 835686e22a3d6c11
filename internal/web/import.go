package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// rowsPerImportPage is the number of events of an import on one page. One request applies as many.
const rowsPerImportPage = 100

// newImport lets the visitor choose a calendar.
func (s *Site) newImport(ctx context.Context, v *visit) (templ.Component, error) {
	zone, err := s.zone(ctx)
	if err != nil {
		return nil, err
	}
	v.page.Title = v.page.T("import.title")
	return view.NewImport(v.page, zone), nil
}

// showImport shows the preview of an import.
func (s *Site) showImport(ctx context.Context, v *visit) (templ.Component, error) {
	query := v.page.URL.Query()
	preview, err := s.api.GetImport(ctx, gen.GetImportParams{ImportID: v.id("import_id"), Limit: gen.NewOptInt(rowsPerImportPage),
		Cursor: optional(query, "cursor")})
	if err != nil {
		return nil, err
	}
	v.page.Title = v.page.T("import.preview")
	return view.ShowImport(v.page, view.ImportData{Import: preview, More: v.more("cursor", preview.NextCursor),
		Done: number(query.Get("done")), GoOn: v.page.Part && query.Has(view.RestField), Pictures: query.Has("pictures")}), nil
}

// importFile reads the calendar file of the form, which comes after its other fields.
func (s *Site) importFile(ctx context.Context, v *visit, form url.Values) (outcome, error) {
	if v.form.File == nil || v.form.File.FormName() != "file" {
		return outcome{}, invalid("file")
	}
	preview, err := s.api.ImportFile(ctx, &gen.ImportFileReqTextCalendar{Data: v.form.File},
		gen.ImportFileParams{Timezone: optional(form, "timezone")})
	if isRefused(err, http.StatusBadRequest) {
		return outcome{}, invalid("file")
	}
	return shown(preview), err
}

// importAddress reads the calendar or the page at an address.
func (s *Site) importAddress(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	preview, err := s.api.ImportAddress(ctx, &gen.ImportAddressRequest{URL: strings.TrimSpace(form.Get("address")),
		Timezone: optional(form, "timezone")})
	if isRefused(err, http.StatusBadRequest) {
		return outcome{}, invalid("address")
	}
	return shown(preview), err
}

// shown leads to the preview of an import, if there is one.
func shown(preview *gen.Import) outcome {
	if preview == nil {
		return outcome{}
	}
	return outcome{to: view.ImportURL(preview.ID)}
}

// applyImport makes drafts of the chosen events, or of all. Without scripts, it repeats the operation until nothing remains. With scripts,
// the page shows what was done, and sends the form again.
func (s *Site) applyImport(ctx context.Context, v *visit, form url.Values) (outcome, error) {
	id := formID(form, "import_id")
	request := &gen.ApplyImportRequest{Uids: form["uid"], Pictures: gen.NewOptBool(form.Has("pictures"))}
	if form.Has("all") {
		request.Uids = nil
	} else if len(request.Uids) == 0 {
		return outcome{}, invalid("uid")
	}
	done := max(0, number(form.Get("done")))
	for first := true; ; first = false {
		applied, err := s.api.ApplyImport(ctx, request, gen.ApplyImportParams{ImportID: id})
		if err != nil && first {
			return outcome{}, err
		}
		if err != nil || len(applied.Results) == 0 {
			break // the page shows what remains
		}
		if done += len(applied.Results); applied.Remaining == 0 {
			break
		}
		if v.page.Part {
			return outcome{to: view.ImportURLGoOn(id, done, form.Has("pictures")), isPart: true}, nil
		}
	}
	return outcome{to: view.ImportURLDone(id, done)}, nil //nolint:nilerr // the page shows what remains
}

// readGuestList shows the guests of a list, which the form then has. Nothing is stored.
func (s *Site) readGuestList(ctx context.Context, v *visit, form url.Values) (outcome, error) {
	if v.form.File == nil || v.form.File.FormName() != "guest_list" {
		return outcome{}, invalid("guest_list")
	}
	list, err := s.api.ReadGuestList(ctx, &gen.ReadGuestListReqTextCsv{Data: v.form.File},
		gen.ReadGuestListParams{EventID: formID(form, "event_id")})
	if isRefused(err, http.StatusBadRequest) {
		return outcome{}, invalid("guest_list")
	}
	if err != nil {
		return outcome{}, err
	}
	view.PutGuestList(form, list)
	return outcome{step: view.StepGuestList}, nil
}

// maxEmailsAtOnce is the number of addresses that one operation invites.
const maxEmailsAtOnce = 100

// inviteListed invites the chosen addresses of a guest list. Those that were invited before a refusal are not invited twice.
func (s *Site) inviteListed(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	emails := form["guest"]
	if len(emails) == 0 {
		return outcome{}, invalid("guest")
	}
	for len(emails) > 0 {
		n := min(len(emails), maxEmailsAtOnce)
		_, err := s.api.InviteByEmail(ctx, &gen.InviteByEmailRequest{Emails: emails[:n]},
			gen.InviteByEmailParams{EventID: formID(form, "event_id")})
		if err != nil {
			return outcome{}, err
		}
		emails = emails[n:]
	}
	return backTo(form, "emails"), nil
}
