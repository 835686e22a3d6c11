package signin

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"verifyDevSignIn": httpapi.BodyCheck(func(_ context.Context, req *gen.VerifyDevSignInRequest) error {
			_, err := ParseEmail(req.Email)
			return err
		}),
		"startPhoneCall": httpapi.BodyCheck(func(_ context.Context, req *gen.StartPhoneCallRequest) error {
			_, err := h.service.parsePhone(req.Phone)
			return err
		}),
	}
}

// ParseEmail parses the field email of a request.
func ParseEmail(address string) (user.Email, error) {
	e, err := user.ParseEmail(address)
	if err != nil {
		return e, domain.Invalid("/email", err.Error())
	}
	return e, nil
}

func (s *Service) parsePhone(number string) (user.Phone, error) {
	phone, err := s.Phone.Rules.Parse(number)
	if err != nil {
		return phone, domain.Invalid("/phone", err.Error())
	}
	return phone, nil
}
