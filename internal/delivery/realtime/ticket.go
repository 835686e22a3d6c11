package realtime

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// A ticket opens one WebSocket for a session, instead of an access token: browsers cannot send
// headers with a handshake, and addresses get into logs. It is signed, so that asking for one
// writes nothing; only the hashes of used tickets are stored.

// ticketTime is how long a ticket is valid.
const ticketTime = 30 * time.Second

const (
	ticketPrefix = "wt_"
	ticketFields = 16 + 16 + 8 + 16 // session, event, expiry, random bytes
)

var ticketEncoding = base64.RawURLEncoding.Strict()

// ticket is the content of a ticket.
type ticket struct {
	session   domain.SessionID
	event     domain.EventID // zero: of a socket without an event
	expiresAt time.Time
}

// newTicket returns a ticket, and when it expires.
func (h *Hub) newTicket(session domain.SessionID, event domain.EventID) (string, time.Time) {
	t := ticket{session, event, h.Clock().Add(ticketTime).UTC().Truncate(time.Microsecond)}
	raw := make([]byte, 0, ticketFields+sha256.Size)
	raw = append(append(raw, session[:]...), event[:]...)
	raw = binary.BigEndian.AppendUint64(raw, uint64(t.expiresAt.UnixMicro()))
	raw = raw[:ticketFields]
	_, _ = rand.Read(raw[ticketFields-16:]) // never fails
	return ticketPrefix + ticketEncoding.EncodeToString(append(raw, h.sign(raw)...)), t.expiresAt
}

func (h *Hub) sign(raw []byte) []byte {
	mac := hmac.New(sha256.New, h.Key)
	mac.Write([]byte("realtime ticket\x00"))
	mac.Write(raw)
	return mac.Sum(nil)
}

// read returns the content of a ticket; ok is false if the service has not signed it.
func (h *Hub) read(text string) (t ticket, ok bool) {
	if len(text) != len(ticketPrefix)+ticketEncoding.EncodedLen(ticketFields+sha256.Size) || text[:len(ticketPrefix)] != ticketPrefix {
		return t, false
	}
	raw, err := ticketEncoding.DecodeString(text[len(ticketPrefix):])
	if err != nil || len(raw) != ticketFields+sha256.Size || !hmac.Equal(raw[ticketFields:], h.sign(raw[:ticketFields])) {
		return t, false
	}
	t.session, t.event = domain.SessionID(raw[:16]), domain.EventID(raw[16:32])
	t.expiresAt = time.UnixMicro(int64(binary.BigEndian.Uint64(raw[32:])))
	return t, true
}

var (
	useTicketStmt = db.SQL("realtime.use_ticket", `
		INSERT INTO realtime_tickets (hash, expires_at) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING`)

	purgeTicketsStmt = db.SQL("realtime.purge_tickets", `
		DELETE FROM realtime_tickets WHERE hash IN (SELECT t.hash FROM realtime_tickets t WHERE t.expires_at <= $1 LIMIT 1000)`)
)

// useTicket uses up a ticket for an event, or for none, and returns its session. Returns
// domain.Unauthorized if it is forged, late, used or for something else.
func (h *Hub) useTicket(ctx context.Context, text string, event domain.EventID) (domain.SessionID, error) {
	t, ok := h.read(text)
	if !ok || t.event != event || !h.Clock().Before(t.expiresAt) {
		return t.session, domain.Unauthorized
	}
	hash := sha256.Sum256([]byte(text))
	first, err := h.DB.Exec(ctx, useTicketStmt, hash[:], t.expiresAt)
	if err == nil && first == 0 {
		err = domain.Unauthorized
	}
	return t.session, err
}

// Purge deletes used tickets that have expired.
func (h *Hub) Purge(ctx context.Context) error {
	return db.Drain(ctx, h.DB, purgeTicketsStmt, h.Clock())
}
