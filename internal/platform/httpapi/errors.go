package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/ogen-go/ogen/ogenerrors"
	"github.com/ogen-go/ogen/openapi"
	"github.com/ogen-go/ogen/validate"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// statusOf is the one map from the codes of refusals to HTTP (specification
// §7, contract §10).
var statusOf = map[string]int{
	domain.InvalidRequest.Code:     http.StatusBadRequest,
	domain.Unauthorized.Code:       http.StatusUnauthorized,
	domain.Forbidden.Code:          http.StatusForbidden,
	domain.NotFound.Code:           http.StatusNotFound,
	domain.MethodNotAllowed.Code:   http.StatusMethodNotAllowed,
	domain.UsernameTaken.Code:      http.StatusConflict,
	domain.Conflict.Code:           http.StatusConflict,
	domain.PreconditionFailed.Code: http.StatusPreconditionFailed,
	domain.PayloadTooLarge.Code:    http.StatusRequestEntityTooLarge,
	domain.UnsupportedMedia.Code:   http.StatusUnsupportedMediaType,
	domain.KeyReused.Code:          http.StatusUnprocessableEntity,
	domain.RateLimited.Code:        http.StatusTooManyRequests,
	domain.Internal.Code:           http.StatusInternalServerError,
	domain.ImageUnavailable.Code:   http.StatusBadGateway,
	domain.ServiceUnavailable.Code: http.StatusServiceUnavailable,
}

// retryAfter is what a client is told to wait, in seconds, when the service
// itself is the one in trouble.
const retryAfter = 2

// classify turns any error into the refusal that the caller is told. What is
// not known is internal.
func classify(err error) *domain.Error {
	var (
		refusal  *domain.Error
		badType  *validate.InvalidContentTypeError
		badInput ogenerrors.Error
		noAccess *ogenerrors.SecurityError
	)
	switch {
	case errors.As(err, &refusal):
		return refusal
	case errors.As(err, &badType):
		return domain.UnsupportedMedia
	case errors.As(err, &noAccess):
		return domain.Unauthorized
	case errors.As(err, &badInput):
		return domain.InvalidRequest
	case errors.Is(err, db.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		return domain.ServiceUnavailable
	}
	return domain.Internal
}

// pathError reports whether a parameter of the path was not well formed.
func pathError(err error) bool {
	var parameter *ogenerrors.DecodeParamError
	return errors.As(err, &parameter) && parameter.In == openapi.LocationPath
}

// refuse answers an error. An event that the viewer may not see stays missing
// even when the request for it is malformed (policy, "Doing something").
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, ex *exchange, err error) {
	refusal := classify(err)
	if ex.op != nil && !ex.op.lists400 && pathError(err) {
		refusal = domain.NotFound // a malformed id names nothing (contract §0)
	}
	if refusal.Is(domain.InvalidRequest) {
		if hidden := s.eventRefusal(r.Context(), ex); hidden != nil {
			err, refusal = hidden, classify(hidden)
		}
	}
	status := statusOf[refusal.Code]
	if status == 0 {
		status, refusal = http.StatusInternalServerError, domain.Internal
	}
	if status >= http.StatusInternalServerError {
		ex.cause = err
	}
	h := w.Header()
	h.Set("Cache-Control", "private, no-store")
	addVary(h, "Accept")
	switch status {
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", "Bearer")
	case http.StatusRequestEntityTooLarge:
		h.Set("Connection", "close")
	case http.StatusTooManyRequests:
		tellLimit(h, err)
	case http.StatusServiceUnavailable:
		setDefault(h, "Retry-After", strconv.Itoa(retryAfter))
	}
	s.writeRefusal(w, r, ex, status, refusal)
}

// eventRefusal asks whether the event of a malformed request is one the viewer
// may know of.
func (s *Server) eventRefusal(ctx context.Context, ex *exchange) error {
	if s.beforeInvalidBody == nil || ex.op == nil {
		return nil
	}
	for i, p := range ex.op.path {
		if p.Name != "event_id" || i >= len(ex.args) {
			continue
		}
		var event domain.EventID
		if !parseID(ex.args[i], &event) {
			return nil
		}
		return s.beforeInvalidBody(ctx, ex.op.id, event)
	}
	return nil
}

func parseID[kind any](text string, id *domain.ID[kind]) bool {
	parsed, err := domain.ParseID[kind](text)
	*id = parsed
	return err == nil
}
