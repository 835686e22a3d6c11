package ops_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-webauthn/webauthn/protocol/webauthncbor"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"moothall/internal/test/apptest"
)

// recordingSecret signs the webhooks that the service receives.
const recordingSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// computedNames are the values of names in requests that no response has.
var computedNames = map[string]func(p *player) string{
	"big":      func(*player) string { return strings.Repeat("x", 2<<20) },
	"pixel":    func(*player) string { return apptest.Pixel },
	"calendar": func(*player) string { return apptest.Calendar },
	"guests":   func(*player) string { return apptest.Guests },
	"mail_code": func(p *player) string {
		return regexp.MustCompile(`\d{6}`).FindString(p.Mail("mailed@example.org").Text)
	},
	"mail_link": func(p *player) string {
		return regexp.MustCompile(`el_[\w-]+`).FindString(p.Mail("linked@example.org").Text)
	},
	"registration": func(p *player) string { return p.authenticator.create(p.names["registration_challenge"]) },
	"assertion":    func(p *player) string { return p.authenticator.sign(p.names["assertion_challenge"], p.names["handle"]) },
	"mailgun": func(p *player) string {
		timestamp := strconv.FormatInt(p.Clock.Now().Unix(), 10)
		mac := hmac.New(sha256.New, []byte(recordingSecret))
		mac.Write([]byte(timestamp + "token"))
		return fmt.Sprintf(`{"signature":{"timestamp":%q,"token":"token","signature":%q},`+
			`"event-data":{"event":"opened","recipient":"ann@example.org"}}`, timestamp, hex.EncodeToString(mac.Sum(nil)))
	},
}

// sign signs a request as a payment provider.
func (p *player) sign(request *http.Request, body string) {
	p.t.Helper()
	hook, err := standardwebhooks.NewWebhook(recordingSecret)
	if err != nil {
		p.t.Fatal(err)
	}
	signature, err := hook.Sign(request.Header.Get("Webhook-Id"), p.Clock.Now(), []byte(body))
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header.Set("Webhook-Timestamp", strconv.FormatInt(p.Clock.Now().Unix(), 10))
	request.Header.Set("Webhook-Signature", signature)
}

// serveInternet is every other server: it has the same picture at each address, and accepts every webhook.
func serveInternet(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if r.URL.Path == "/calendar.ics" {
		_, _ = io.WriteString(w, apptest.Calendar)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	_, _ = io.WriteString(w, apptest.Pixel)
}

// newOpaqueIdp starts an identity provider that accepts everybody as the same user, and returns its settings.
func newOpaqueIdp(t *testing.T) (settings []apptest.Option) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"access_token":"y0_token","token_type":"Bearer","expires_in":60,
			"id":"17","client_id":"client","default_email":"yan@example.org","display_name":"Yan"}`)
	}))
	t.Cleanup(server.Close)
	for name, value := range map[string]string{
		"PROVIDERS": "yandex", "YANDEX_ISSUER": "https://yandex.test",
		"YANDEX_CLIENT_ID": "client", "YANDEX_NATIVE_CLIENT_IDS": "client",
		"YANDEX_AUTH_URL": server.URL + "/authorize", "YANDEX_TOKEN_URL": server.URL + "/token", "YANDEX_INFO_URL": server.URL + "/info",
	} {
		settings = append(settings, apptest.Setting("IDP_"+name, value))
	}
	return settings
}

// recordedPasskey is an authenticator with one passkey.
type recordedPasskey struct {
	t   *testing.T
	key *ecdsa.PrivateKey
}

func newRecordedPasskey(t *testing.T) *recordedPasskey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &recordedPasskey{t, key}
}

const (
	recordedCredential = "cmVjb3JkZWQ"
	userVerified       = 0x05 // and present
	attested           = 0x40
)

// create returns the credential of a registration.
func (k *recordedPasskey) create(challenge string) string {
	point, err := k.key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		k.t.Fatal(err)
	}
	id, _ := base64.RawURLEncoding.DecodeString(recordedCredential)
	data := append(passkeyData(userVerified|attested, 0), make([]byte, 16)...)
	data = append(binary.BigEndian.AppendUint16(data, uint16(len(id))), id...)
	data = append(data, k.cbor(map[int]any{1: 2, 3: -7, -1: 1, -2: point[1:33], -3: point[33:]})...)
	object := k.cbor(map[string]any{"fmt": "none", "attStmt": map[string]any{}, "authData": data})
	return k.credential(map[string]string{"clientDataJSON": passkeyClient("webauthn.create", challenge), "attestationObject": string(object)})
}

// sign returns the assertion of a sign-in.
func (k *recordedPasskey) sign(challenge, handle string) string {
	client, data := passkeyClient("webauthn.get", challenge), passkeyData(userVerified, 1)
	hash := sha256.Sum256([]byte(client))
	sum := sha256.Sum256(append(bytes.Clone(data), hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, k.key, sum[:])
	if err != nil {
		k.t.Fatal(err)
	}
	user, _ := base64.RawURLEncoding.DecodeString(handle)
	return k.credential(map[string]string{"clientDataJSON": client, "authenticatorData": string(data),
		"signature": string(signature), "userHandle": string(user)})
}

// credential returns the JSON of a response of the authenticator.
func (k *recordedPasskey) credential(response map[string]string) string {
	for name, value := range response {
		response[name] = base64.RawURLEncoding.EncodeToString([]byte(value))
	}
	credential := apptest.Fields{"id": recordedCredential, "rawId": recordedCredential, "type": "public-key", "response": response}
	text, _ := json.Marshal(credential) // of plain values
	return string(text)
}

func (k *recordedPasskey) cbor(value any) []byte {
	text, err := webauthncbor.Marshal(value)
	if err != nil {
		k.t.Fatal(err)
	}
	return text
}

// passkeyClient returns the client data.
func passkeyClient(kind, challenge string) string {
	return fmt.Sprintf(`{"type":%q,"challenge":%q,"origin":%q}`, kind, challenge, apptest.WebOrigin)
}

// passkeyData returns the authenticator data without a credential.
func passkeyData(flags byte, count uint32) []byte {
	rp := sha256.Sum256([]byte("moothall.test"))
	return binary.BigEndian.AppendUint32(append(rp[:], flags), count)
}
