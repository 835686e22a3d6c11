package mail

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// VerifyMailEvents verifies the signature of POST /mail/events/{provider} before its body is
// parsed.
func (h *Handler) VerifyMailEvents(r httpapi.RawRequest) error {
	return h.events.Verify(r.Path[0], r.Header, r.Body)
}

// ReceiveMailEvents serves POST /mail/events/{provider}, after VerifyMailEvents.
func (h *Handler) ReceiveMailEvents(ctx context.Context, _ gen.MailEvents,
	params gen.ReceiveMailEventsParams) (*gen.MailEventsResponse, error) {
	n, err := h.events.Receive(ctx, params.Provider, httpapi.Raw(ctx).Body)
	if err != nil {
		return nil, err
	}
	return &gen.MailEventsResponse{Events: n}, nil
}
