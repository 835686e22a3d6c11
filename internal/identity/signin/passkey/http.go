package passkey

import (
	"context"
	"encoding/base64"
	"errors"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/identity/signin"
	"moothall/internal/platform/httpapi"
)

// Handler implements the operations of passkeys.
type Handler struct {
	service  *Service
	sessions *session.Handler
}

// NewHandler returns the handler of a service. sessions sets the refresh cookie.
func NewHandler(s *Service, sessions *session.Handler) *Handler { return &Handler{s, sessions} }

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"startPasskeySignIn": httpapi.BodyCheck(func(_ context.Context, req *gen.PasskeySignInOptionsRequest) error {
			address := addressOf(req)
			if address == nil {
				return nil
			}
			_, err := signin.ParseEmail(*address)
			return err
		}),
		"createPasskey": httpapi.BodyCheck(func(_ context.Context, req *gen.CreatePasskeyRequest) error {
			_, err := cleanName(req.Name.Or("passkey"))
			return err
		}),
	}
}

// StartPasskeySignIn serves POST /auth/passkey/options.
func (h *Handler) StartPasskeySignIn(ctx context.Context, req *gen.PasskeySignInOptionsRequest) (*gen.PasskeySignInOptions, error) {
	options, err := h.service.StartSignIn(ctx, addressOf(req))
	if err != nil {
		return nil, err
	}
	o := options.Response
	return &gen.PasskeySignInOptions{PublicKey: gen.PasskeyRequestOptions{
		Challenge: o.Challenge.String(), RpId: o.RelyingPartyID, Timeout: o.Timeout, UserVerification: string(o.UserVerification),
	}}, nil
}

// addressOf returns the address of a request, or nil.
func addressOf(req *gen.PasskeySignInOptionsRequest) *string {
	if !req.Email.Set || req.Email.Null {
		return nil
	}
	return &req.Email.Value
}

// VerifyPasskeySignIn serves POST /auth/passkey/verify.
func (h *Handler) VerifyPasskeySignIn(ctx context.Context, req *gen.PasskeyAssertion) (*gen.AuthSession, error) {
	r := protocol.CredentialAssertionResponse{PublicKeyCredential: publicKey(req.ID, req.RawId, req.Type)}
	r.AssertionResponse.ClientDataJSON = decode(req.Response.ClientDataJSON)
	r.AssertionResponse.AuthenticatorData = decode(req.Response.AuthenticatorData)
	r.AssertionResponse.Signature = decode(req.Response.Signature)
	r.AssertionResponse.UserHandle = decode(req.Response.UserHandle.Or(""))
	in, err := h.service.SignIn(ctx, r, session.ClientOf(ctx))
	if copied, ok := errors.AsType[*CopiedError](err); ok {
		httpapi.LogSecurity(ctx, httpapi.PasskeyCopied, domain.Viewer{UserID: copied.User})
	}
	if err != nil {
		return nil, err
	}
	return h.sessions.AuthSession(ctx, in), nil
}

// StartPasskeyRegistration serves POST /me/passkeys/options.
func (h *Handler) StartPasskeyRegistration(ctx context.Context) (*gen.PasskeyRegistrationOptions, error) {
	options, err := h.service.StartRegistration(ctx, httpapi.Viewer(ctx))
	if err != nil {
		return nil, err
	}
	o := options.Response
	id, _ := o.User.ID.(protocol.URLEncodedBase64) // see owner.WebAuthnID
	public := gen.PasskeyCreationOptions{
		Rp:        gen.PasskeyRelyingParty{ID: o.RelyingParty.ID, Name: o.RelyingParty.Name},
		User:      gen.PasskeyUser{ID: id.String(), Name: o.User.Name, DisplayName: o.User.DisplayName},
		Challenge: o.Challenge.String(), Timeout: o.Timeout, Attestation: string(o.Attestation),
		PubKeyCredParams: make([]gen.PasskeyAlgorithm, len(o.Parameters)), ExcludeCredentials: make([]gen.PasskeyDescriptor,
			len(o.CredentialExcludeList)),
		AuthenticatorSelection: gen.PasskeySelection{
			ResidentKey: string(o.AuthenticatorSelection.ResidentKey), RequireResidentKey: true,
			UserVerification: string(o.AuthenticatorSelection.UserVerification),
		},
	}
	for i, p := range o.Parameters {
		public.PubKeyCredParams[i] = gen.PasskeyAlgorithm{Type: string(p.Type), Alg: int(p.Algorithm)}
	}
	for i, c := range o.CredentialExcludeList {
		public.ExcludeCredentials[i] = gen.PasskeyDescriptor{Type: string(c.Type), ID: c.CredentialID.String()}
	}
	return &gen.PasskeyRegistrationOptions{PublicKey: public}, nil
}

// CreatePasskey serves POST /me/passkeys.
func (h *Handler) CreatePasskey(ctx context.Context, req *gen.CreatePasskeyRequest, _ gen.CreatePasskeyParams) (*gen.Passkey, error) {
	r := protocol.CredentialCreationResponse{PublicKeyCredential: publicKey(req.Credential.ID, req.Credential.RawId, req.Credential.Type)}
	r.AttestationResponse.ClientDataJSON = decode(req.Credential.Response.ClientDataJSON)
	r.AttestationResponse.AttestationObject = decode(req.Credential.Response.AttestationObject)
	name := "Passkey"
	if device := session.DeviceName(session.ClientOf(ctx).UserAgent); device != nil {
		name = *device
	}
	return toAPI(h.service.Create(ctx, httpapi.Viewer(ctx), req.Name.Or(name), r))
}

// ListPasskeys serves GET /me/passkeys.
func (h *Handler) ListPasskeys(ctx context.Context) (*gen.PasskeysResponse, error) {
	all, err := h.service.List(ctx, httpapi.Viewer(ctx))
	if err != nil {
		return nil, err
	}
	response := &gen.PasskeysResponse{Items: make([]gen.Passkey, len(all)), NextCursor: gen.NullString(nil)}
	for i, p := range all {
		response.Items[i] = p.toAPI()
	}
	return response, nil
}

// UpdatePasskey serves PATCH /me/passkeys/{passkey_id}.
func (h *Handler) UpdatePasskey(ctx context.Context, req *gen.UpdatePasskeyRequest, params gen.UpdatePasskeyParams) (*gen.Passkey, error) {
	return toAPI(h.service.Rename(ctx, httpapi.Viewer(ctx), domain.PasskeyID(params.PasskeyID), req.Name))
}

// DeletePasskey serves DELETE /me/passkeys/{passkey_id}.
func (h *Handler) DeletePasskey(ctx context.Context, params gen.DeletePasskeyParams) error {
	return h.service.Delete(ctx, httpapi.Viewer(ctx), domain.PasskeyID(params.PasskeyID))
}

func publicKey(id, rawID, kind string) protocol.PublicKeyCredential {
	return protocol.PublicKeyCredential{Credential: protocol.Credential{ID: id, Type: kind}, RawID: decode(rawID)}
}

// decode returns nil for malformed base64url, which is never valid here.
func decode(text string) protocol.URLEncodedBase64 {
	decoded, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return nil
	}
	return decoded
}

func toAPI(p Passkey, err error) (*gen.Passkey, error) {
	if err != nil {
		return nil, err
	}
	response := p.toAPI()
	return &response, nil
}

func (p Passkey) toAPI() gen.Passkey {
	return gen.Passkey{ID: uuid.UUID(p.ID), Name: p.Name, Synced: p.Synced, CreatedAt: p.CreatedAt, LastUsedAt: gen.NullDateTime(p.LastUsedAt)}
}
