package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/ogen-go/ogen/ogenerrors"
	"github.com/ogen-go/ogen/openapi"
	"github.com/ogen-go/ogen/validate"

	"moothall/internal/db"
	"moothall/internal/meet"
)

// statusOf is the one map from the codes of refusals to HTTP (specification
// §7, contract §10).
var statusOf = map[string]int{
	meet.InvalidRequest.Code:     http.StatusBadRequest,
	meet.Unauthorized.Code:       http.StatusUnauthorized,
	meet.Forbidden.Code:          http.StatusForbidden,
	meet.NotFound.Code:           http.StatusNotFound,
	meet.MethodNotAllowed.Code:   http.StatusMethodNotAllowed,
	meet.UsernameTaken.Code:      http.StatusConflict,
	meet.Conflict.Code:           http.StatusConflict,
	meet.PreconditionFailed.Code: http.StatusPreconditionFailed,
	meet.PayloadTooLarge.Code:    http.StatusRequestEntityTooLarge,
	meet.UnsupportedMedia.Code:   http.StatusUnsupportedMediaType,
	meet.KeyReused.Code:          http.StatusUnprocessableEntity,
	meet.RateLimited.Code:        http.StatusTooManyRequests,
	meet.Internal.Code:           http.StatusInternalServerError,
	meet.ImageUnavailable.Code:   http.StatusBadGateway,
	meet.ServiceUnavailable.Code: http.StatusServiceUnavailable,
}

// retryAfter is what a client is told to wait, in seconds, when the service
// itself is the one in trouble.
const retryAfter = 2

// classify turns any error into the refusal that the caller is told. What is
// not known is internal.
func classify(err error) *meet.Error {
	var (
		refusal  *meet.Error
		badType  *validate.InvalidContentTypeError
		badInput ogenerrors.Error
		noAccess *ogenerrors.SecurityError
	)
	switch {
	case errors.As(err, &refusal):
		return refusal
	case errors.As(err, &badType):
		return meet.UnsupportedMedia
	case errors.As(err, &noAccess):
		return meet.Unauthorized
	case errors.As(err, &badInput):
		return meet.InvalidRequest
	case errors.Is(err, db.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		return meet.ServiceUnavailable
	}
	return meet.Internal
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
		refusal = meet.NotFound // a malformed id names nothing (contract §0)
	}
	if refusal.Is(meet.InvalidRequest) {
		if hidden := s.eventRefusal(r.Context(), ex); hidden != nil {
			err, refusal = hidden, classify(hidden)
		}
	}
	status := statusOf[refusal.Code]
	if status == 0 {
		status, refusal = http.StatusInternalServerError, meet.Internal
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
		var event meet.EventID
		if !parseID(ex.args[i], &event) {
			return nil
		}
		return s.beforeInvalidBody(ctx, ex.op.id, event)
	}
	return nil
}

func parseID[kind any](text string, id *meet.ID[kind]) bool {
	parsed, err := meet.ParseID[kind](text)
	*id = parsed
	return err == nil
}
