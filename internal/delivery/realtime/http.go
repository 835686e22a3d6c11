package realtime

import (
	"context"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/platform/db"
	"moothall/internal/platform/httpapi"
	"moothall/internal/platform/socket"
)

// Handler serves the operations of sockets. The handshake of a socket is an ordinary
// request; then the connection leaves the HTTP server.
type Handler struct{ hub *Hub }

// NewHandler returns the handler of a hub.
func NewHandler(h *Hub) *Handler { return &Handler{h} }

// pollSeconds is how often clients without a socket may poll for messages.
const pollSeconds = 5

// AuthorizeChatSocket serves GET /events/{event_id}/ws.
func (h *Handler) AuthorizeChatSocket(ctx context.Context,
	params gen.AuthorizeChatSocketParams) (*gen.EventChatWebSocketAuthResponse, error) {
	v, id := httpapi.Viewer(ctx), domain.EventID(params.EventID)
	checked := h.hub.DB.Version()
	if err := h.hub.Chats.Authorize(ctx, v, id); err != nil {
		return nil, err
	}
	response := &gen.EventChatWebSocketAuthResponse{
		EventID: params.EventID, UserID: uuid.UUID(v.UserID), Authorized: true, PollIntervalSeconds: pollSeconds,
		WebsocketURL: gen.NullString(nil), Ticket: gen.NullString(nil), TicketExpiresAt: gen.NullDateTime(nil),
	}
	if h.hub.Off {
		return response, nil
	}
	if httpapi.WantsSocket(ctx) {
		return nil, h.open(ctx, checked, []ClientFrame{
			{Op: OpSubscribe, Topic: ChatTopic(id), After: params.After.Or("")},
			{Op: OpSubscribe, Topic: EventTopic(id)},
			{Op: OpSubscribe, Topic: Me},
		})
	}
	if v.Key == nil {
		ticket, expiresAt := h.hub.newTicket(v.SessionID, id)
		response.RealtimeAvailable = true
		response.WebsocketURL = gen.NullString(new(h.hub.address("/events/" + id.String() + "/ws")))
		response.Ticket, response.TicketExpiresAt = gen.NullString(&ticket), gen.NullDateTime(&expiresAt)
	}
	return response, nil
}

// address returns the address of a WebSocket.
func (h *Hub) address(path string) string { return "ws" + strings.TrimPrefix(h.BaseURL, "http") + path }

// CreateRealtimeTicket serves POST /realtime/tickets.
func (h *Handler) CreateRealtimeTicket(ctx context.Context) (*gen.RealtimeTicketResponse, error) {
	ticket, expiresAt := h.hub.newTicket(httpapi.Viewer(ctx).SessionID, domain.EventID{})
	return &gen.RealtimeTicketResponse{WebsocketURL: h.hub.address("/realtime"), Ticket: ticket, TicketExpiresAt: expiresAt}, nil
}

// OpenRealtimeSocket serves GET /realtime.
func (h *Handler) OpenRealtimeSocket(ctx context.Context) error {
	if !httpapi.WantsSocket(ctx) {
		return domain.InvalidRequest
	}
	return h.open(ctx, h.hub.DB.Version(), nil)
}

// open answers a handshake. It always returns an error: httpapi.ErrHijacked after a
// success.
func (h *Handler) open(ctx context.Context, checked db.Version, first []ClientFrame) error {
	c, err := h.newClient(ctx, "websocket")
	if err != nil {
		return err
	}
	conn, buffered, header, err := httpapi.Hijack(ctx, http.StatusSwitchingProtocols)
	if err != nil {
		return err
	}
	c.conn, err = socket.Accept(conn, buffered, httpapi.Raw(ctx).Header, header, Subprotocol, c)
	if err != nil {
		return httpapi.ErrHijacked // the client is gone
	}
	c.start(checked, first)
	return httpapi.ErrHijacked
}

// OpenRealtimeStream serves GET /realtime/stream.
func (h *Handler) OpenRealtimeStream(ctx context.Context, params gen.OpenRealtimeStreamParams) error {
	first, err := streamFrames(params.Topic, params.After, params.LastEventID.Or(""))
	if err != nil {
		return err
	}
	checked := h.hub.DB.Version()
	c, err := h.newClient(ctx, "stream")
	if err != nil {
		return err
	}
	conn, buffered, header, err := httpapi.Hijack(ctx, http.StatusOK)
	if err != nil {
		return err
	}
	c.conn, err = socket.AcceptStream(conn, buffered, header, c)
	if err != nil {
		return httpapi.ErrHijacked // the client is gone
	}
	c.start(checked, first)
	return httpapi.ErrHijacked
}

// streamFrames returns what a stream subscribes to. after has a position for each chat. lastID is newer, but only
// a position in one chat, so it counts only if the stream has a single chat.
func streamFrames(topics, after []string, lastID string) (first []ClientFrame, err error) {
	var chats []*ClientFrame
	first = make([]ClientFrame, len(topics))
	for i, topic := range topics {
		f := &first[i]
		*f = ClientFrame{Op: OpSubscribe, Topic: Topic(topic)}
		if _, isEvent := f.Topic.EventID(); !isEvent && f.Topic != Me {
			return nil, domain.Invalid("?topic", "must be me, or chat: or event: with the id of an event")
		}
		if f.Topic.IsChat() {
			chats = append(chats, f)
		}
	}
	if len(after) > 0 && len(after) != len(chats) {
		return nil, domain.Invalid("?after", "must have a position for each chat")
	}
	for i := range after {
		chats[i].After = after[i]
	}
	if len(chats) == 1 && lastID != "" {
		chats[0].After = lastID
	}
	return first, nil
}

// asViewer returns a context for a write of a viewer.
func asViewer(ctx context.Context, v domain.Viewer) context.Context { return httpapi.As(ctx, v) }

// newClient returns the socket of the viewer, if there may be one more.
func (h *Handler) newClient(ctx context.Context, transport string) (*client, error) {
	v, caller := httpapi.Viewer(ctx), httpapi.Client(ctx)
	if v.Key != nil {
		return nil, domain.Forbid(domain.InsufficientScope)
	}
	if err := h.hub.admit(); err != nil {
		return nil, err
	}
	return &client{
		hub: h.hub, viewer: v, transport: transport, languages: caller.Languages, pingIn: h.hub.nextPing(),
		inPage: httpapi.Raw(ctx).Header.Get("Authorization") == "",
	}, nil
}

// start begins to serve a socket. The viewer was identified after the versions were checked.
func (c *client) start(checked db.Version, first []ClientFrame) {
	c.hub.add(c, checked)
	c.welcome()
	for _, f := range first {
		c.answer(f)
	}
	c.conn.Start()
}

// ByTicket implements the method of httpapi.Authenticator.
func (h *Handler) ByTicket(ctx context.Context, text, parameter string) (domain.Viewer, error) {
	var event domain.EventID
	if parameter != "" {
		var err error
		if event, err = domain.ParseID[domain.EventKind](parameter); err != nil {
			return domain.Viewer{}, domain.NotFound
		}
	}
	id, err := h.hub.useTicket(ctx, text, event)
	if err != nil {
		return domain.Viewer{}, err
	}
	return h.hub.Sessions.ByID(ctx, id, session.ClientOf(ctx))
}
