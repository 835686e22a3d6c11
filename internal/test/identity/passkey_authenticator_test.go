package identity_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/go-webauthn/webauthn/protocol/webauthncbor"

	"moothall/internal/test/apptest"
)

// The flags of authenticator data.
const (
	userPresent    = 0x01
	userVerified   = 0x04
	backupEligible = 0x08
	attested       = 0x40
)

// authenticator makes the responses of a passkey. Tests change its fields to attack.
type authenticator struct {
	key        *ecdsa.PrivateKey
	credential []byte // id
	handle     []byte // of the user
	count      uint32 // of the next signature
	flags      byte
	rp         string

	// client data
	origin, kind, challenge string // empty: as asked
	crossOrigin             bool

	// attestation
	format    string
	statement map[string]any
	algorithm int
}

func newAuthenticator(t *testing.T) *authenticator {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	id := make([]byte, 32)
	_, _ = rand.Read(id) // never fails
	return &authenticator{key: key, credential: id, count: 1, flags: userPresent | userVerified, rp: "moothall.test",
		origin: apptest.WebOrigin, format: "none", statement: map[string]any{}, algorithm: -7}
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// clientData returns the client data of a ceremony.
func (a authenticator) clientData(kind, challenge string) []byte {
	if a.kind != "" {
		kind = a.kind
	}
	if a.challenge != "" {
		challenge = a.challenge
	}
	// of plain values
	text, _ := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": a.origin, "crossOrigin": a.crossOrigin})
	return text
}

// data returns the authenticator data without a credential.
func (a authenticator) data(flags byte) []byte {
	rp := sha256.Sum256([]byte(a.rp))
	return binary.BigEndian.AppendUint32(append(rp[:], flags), a.count)
}

// create returns the response to the options of a registration.
func (a *authenticator) create(t *testing.T, options *apptest.Reply) apptest.Fields {
	t.Helper()
	handle, err := base64.RawURLEncoding.DecodeString(options.Text("public_key.user.id"))
	if err != nil {
		t.Fatal(err)
	}
	a.handle = handle
	point, err := a.key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		t.Fatal(err)
	}
	key, err := webauthncbor.Marshal(map[int]any{1: 2, 3: a.algorithm, -1: 1, -2: point[1:33], -3: point[33:]})
	if err != nil {
		t.Fatal(err)
	}
	data := append(a.data(a.flags|attested), make([]byte, 16)...) // no AAGUID
	data = binary.BigEndian.AppendUint16(data, uint16(len(a.credential)))
	data = append(append(data, a.credential...), key...)
	object, err := webauthncbor.Marshal(map[string]any{"fmt": a.format, "attStmt": a.statement, "authData": data})
	if err != nil {
		t.Fatal(err)
	}
	return apptest.Fields{"id": encode(a.credential), "rawId": encode(a.credential), "type": "public-key", "response": apptest.Fields{
		"clientDataJSON": encode(a.clientData("webauthn.create", options.Text("public_key.challenge"))), "attestationObject": encode(object)}}
}

// sign returns the response to the options of a sign-in.
func (a *authenticator) sign(t *testing.T, options *apptest.Reply) apptest.Fields {
	t.Helper()
	client, data := a.clientData("webauthn.get", options.Text("public_key.challenge")), a.data(a.flags)
	hash := sha256.Sum256(client)
	sum := sha256.Sum256(append(append([]byte{}, data...), hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, sum[:])
	if err != nil {
		t.Fatal(err)
	}
	return apptest.Fields{"id": encode(a.credential), "rawId": encode(a.credential), "type": "public-key", "response": apptest.Fields{
		"clientDataJSON": encode(client), "authenticatorData": encode(data), "signature": encode(signature), "userHandle": encode(a.handle)}}
}

// registration returns the options of a new passkey.
func registration(c *apptest.Client) *apptest.Reply {
	return c.Post("/me/passkeys/options", nil).Want(http.StatusOK)
}

// register adds a new passkey.
func register(t *testing.T, c *apptest.Client) (a *authenticator, id string) {
	t.Helper()
	a = newAuthenticator(t)
	id = c.Post("/me/passkeys", apptest.Fields{"credential": a.create(t, registration(c))}).Want(http.StatusCreated).Text("id")
	return a, id
}

// options returns the options of a sign-in.
func options(c *apptest.Client) *apptest.Reply {
	return c.Post("/auth/passkey/options", apptest.Fields{}).Want(http.StatusOK)
}

// signIn signs in with a passkey, which counts.
func (a *authenticator) signIn(t *testing.T, c *apptest.Client) *apptest.Reply {
	t.Helper()
	a.count++
	return c.Post("/auth/passkey/verify", a.sign(t, options(c)))
}
