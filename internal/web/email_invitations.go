package web

import (
	"context"
	"net/url"
	"strings"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

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
	f := formReader{Values: form}
	results, err := s.api.InviteByEmail(ctx, &gen.InviteByEmailRequest{Emails: addresses, Message: f.text("message")},
		gen.InviteByEmailParams{EventID: formID(form, "event_id"), IdempotencyKey: formKey(form)})
	if err != nil {
		return outcome{}, err
	}
	var wrong []string
	for _, r := range results.Results {
		if r.Status == gen.EmailInvitationResultStatusInvalid {
			wrong = append(wrong, r.Email)
		}
	}
	if len(wrong) > 0 {
		form.Set("emails", strings.Join(wrong, "\n"))
		return outcome{}, invalid("emails")
	}
	return backTo(form, "emails"), nil
}

func (s *Site) withdrawEmailInvitation(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	err := s.api.WithdrawEmailInvitation(ctx, gen.WithdrawEmailInvitationParams{EventID: formID(form, "event_id"),
		InvitationID: formID(form, "invitation_id")})
	return backTo(form, "emails"), err
}
