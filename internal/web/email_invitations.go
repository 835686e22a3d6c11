package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// maxEmails is the number of addresses of one request (contract, InviteByEmailRequest).
const maxEmails = 100

// readEmails adds the invitations by e-mail to what the organizer sees of the guests.
func (s *Site) readEmails(ctx context.Context, v *visit, d *view.GuestsData) error {
	emails, err := s.api.ListEmailInvitations(ctx, gen.ListEmailInvitationsParams{
		EventID: d.Details.Event.ID, Limit: gen.NewOptInt(guestsPerPage), Cursor: optional(v.page.URL.Query(), "emails")})
	if err != nil {
		return err
	}
	d.Emails, d.MoreEmails, d.EmailMessages = emails.Items, v.more("emails", emails.NextCursor), emails.Messages
	return nil
}

// inviteByEmail invites addresses with anything between them: spaces, commas, semicolons or lines. The form is shown again with
// those that are no addresses; the others are invited.
func (s *Site) inviteByEmail(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	addresses := strings.FieldsFunc(form.Get("emails"), func(r rune) bool { return strings.ContainsRune(" \t\r\n,;<>", r) })
	wrong := &view.Problem{Status: http.StatusBadRequest, Code: "invalid_request", Fields: []view.Field{{Name: "emails"}}}
	if len(addresses) == 0 || len(addresses) > maxEmails {
		return outcome{}, wrong
	}
	f := formReader{Values: form}
	results, err := s.api.InviteByEmail(ctx, &gen.InviteByEmailRequest{Emails: addresses, Message: f.text("message")},
		gen.InviteByEmailParams{EventID: formID(form, "event_id"), IdempotencyKey: formKey(form)})
	if err != nil {
		return outcome{}, err
	}
	var invalid []string
	for _, r := range results.Results {
		if r.Status == gen.EmailInvitationResultStatusInvalid {
			invalid = append(invalid, r.Email)
		}
	}
	if len(invalid) > 0 {
		form.Set("emails", strings.Join(invalid, "\n"))
		return outcome{}, wrong
	}
	return backTo(form, "emails"), nil
}

func (s *Site) withdrawEmailInvitation(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	err := s.api.WithdrawEmailInvitation(ctx, gen.WithdrawEmailInvitationParams{EventID: formID(form, "event_id"),
		InvitationID: formID(form, "invitation_id")})
	return backTo(form, "emails"), err
}
