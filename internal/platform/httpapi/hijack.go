package httpapi

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http"
	"slices"

	"moothall/internal/domain"
	"moothall/internal/platform/socket"
)

// ErrHijacked is what an operation returns after a successful Hijack.
var ErrHijacked = errors.New("httpapi: the operation has taken over the connection")

// Hijack takes over the connection of a request, for a response that does not end soon. The
// caller writes the response, with these headers, and closes the connection. From then on
// the request holds no permit and has no time limit; the log and the metrics show the
// status. Returns domain.MethodNotAllowed for HEAD.
func Hijack(ctx context.Context, status int) (net.Conn, *bufio.ReadWriter, http.Header, error) {
	st := stateOf(ctx)
	if st.isHead {
		return nil, nil, nil, domain.MethodNotAllowed
	}
	conn, buffered, err := http.NewResponseController(st.writer).Hijack()
	if err != nil {
		return nil, nil, nil, err
	}
	st.writer.status, st.writer.gone = status, true
	return conn, buffered, st.responseHeader, nil
}

// WantsSocket reports whether the request asks for a WebSocket.
func WantsSocket(ctx context.Context) bool {
	st := stateOf(ctx)
	return !st.isHead && socket.IsHandshake(st.requestHeader)
}

// ticketParameter is the query parameter of security scheme realtimeTicket.
const ticketParameter = "ticket"

// takeTicket makes the ticket of a handshake the credential of the request, unless there is
// an Authorization header.
func (st *requestState) takeTicket(r *http.Request) {
	if !st.op.takesTicket || st.credential.hasHeader || !socket.IsHandshake(r.Header) {
		return
	}
	tickets, sent := r.URL.Query()[ticketParameter]
	if !sent {
		return
	}
	st.credential = credential{hasTicket: true}
	if len(tickets) == 1 {
		st.credential.ticket = tickets[0]
	}
}

// checkSocket refuses a handshake that a foreign page makes with the visitor's cookie. CORS
// does not cover WebSockets: the page could read what the socket sends. Browsers always send
// Origin, so without one the cookie is not from a browser.
func (o *origins) checkSocket(st *requestState, r *http.Request) error {
	if !st.credential.byCookie() || !socket.IsHandshake(r.Header) {
		return nil
	}
	if sent := r.Header["Origin"]; len(sent) != 1 || !slices.Contains(o.allowed, sent[0]) {
		return domain.Forbid(domain.ForeignOrigin)
	}
	return nil
}
