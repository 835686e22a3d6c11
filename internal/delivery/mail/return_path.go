package mail

import (
	"encoding/base32"
	"encoding/hex"
	"slices"
	"strings"

	"moothall/internal/domain"
	"moothall/internal/platform/seal"
)

// ReturnPaths makes the return paths of mails: the addresses that get their bounces. Each mail has
// its own, which names the delivery (VERP). Because anyone may send mails to it, it contains an HMAC.
type ReturnPaths struct {
	Address string // bounces@example.org makes bounces+TOKEN@example.org; empty: there are none
	Keys    seal.Keys
}

// Mail servers may change the case of addresses, so the token has only one.
var tokenEncoding = base32.StdEncoding.WithPadding(base32.NoPadding)

const (
	returnPurpose = "return path"
	deliverySize  = 6  // bytes: enough to distinguish the deliveries of one user
	returnMacSize = 10 // bytes
	// MaxReturnName is the maximum length of the part of ReturnPaths.Address before the @. A token is added to it,
	// and 64 bytes are allowed (RFC 5321 §4.5.3.1.1).
	MaxReturnName = 64 - len("+") - (len(domain.UserID{})+deliverySize+returnMacSize)*8/5 - 1
)

// deliveryRef identifies a delivery.
type deliveryRef struct {
	user   domain.UserID
	prefix [deliverySize]byte // of its id
}

func (k key) ref() deliveryRef { return deliveryRef{k.user, prefixOf(k.id())} }

func prefixOf(id string) (prefix [deliverySize]byte) {
	_, _ = hex.Decode(prefix[:], []byte(id[:2*deliverySize])) // ids are hexadecimal
	return prefix
}

// Of returns the return path of a message; empty if there are none.
func (p ReturnPaths) Of(m Message) string {
	if p.Address == "" {
		return ""
	}
	return p.of(deliveryRef{m.User, prefixOf(m.ID)})
}

func (p ReturnPaths) of(r deliveryRef) string {
	payload := slices.Concat(r.user[:], r.prefix[:])
	name, host, _ := strings.Cut(p.Address, "@")
	token := tokenEncoding.EncodeToString(p.Keys.Sign(returnPurpose, payload, returnMacSize))
	return name + "+" + strings.ToLower(token) + "@" + host
}

// parse returns the delivery of a return path; ok is false if its HMAC is wrong.
func (p ReturnPaths) parse(address string) (r deliveryRef, ok bool) {
	name, _, _ := strings.Cut(address, "@")
	raw, err := tokenEncoding.DecodeString(strings.ToUpper(name[strings.LastIndexByte(name, '+')+1:]))
	if err != nil {
		return r, false
	}
	payload, ok := p.Keys.Verify(returnPurpose, raw, returnMacSize)
	if !ok || len(payload) != len(r.user)+len(r.prefix) {
		return r, false
	}
	copy(r.user[:], payload)
	copy(r.prefix[:], payload[len(r.user):])
	return r, true
}
