package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/ogen-go/ogen/ogenerrors"
	"github.com/ogen-go/ogen/openapi"
	"github.com/ogen-go/ogen/validate"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/admission"
	"moothall/internal/platform/db"
)

// statusOf maps the codes of refusals to HTTP (specification §7, contract §10).
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
	domain.OutcomeUnknown.Code:     http.StatusServiceUnavailable,
}

// retryAfter is the Retry-After of a 503, in seconds.
const retryAfter = 2

// classify converts any error into a refusal. Unknown errors are internal. committed says
// whether the request has committed a transaction before it failed.
func classify(err error, committed bool) *domain.Error {
	var (
		refusal  *domain.Error
		badType  *validate.InvalidContentTypeError
		badInput ogenerrors.Error
	)
	switch {
	case errors.As(err, &refusal):
		return refusal
	case errors.As(err, &badType):
		return domain.UnsupportedMedia
	case errors.As(err, &badInput):
		return domain.InvalidRequest
	case errors.Is(err, db.ErrInDoubt):
		return domain.OutcomeUnknown
	case errors.Is(err, admission.ErrRefused), errors.Is(err, db.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		if committed {
			return domain.OutcomeUnknown
		}
		return domain.ServiceUnavailable
	}
	return domain.Internal
}

// pathError reports whether a path parameter is malformed.
func pathError(err error) bool {
	var parameter *ogenerrors.DecodeParamError
	return errors.As(err, &parameter) && parameter.In == openapi.LocationPath
}

// abandoned reports whether a request failed with err because its caller hung up. That is no error of the service.
func abandoned(ctx context.Context, err error) bool {
	return errors.Is(err, context.Canceled) && errors.Is(ctx.Err(), context.Canceled)
}

// setCause notes why a request failed, for the log.
func (st *requestState) setCause(ctx context.Context, err error) {
	if !abandoned(ctx, err) {
		st.cause = err
	}
}

// recovered returns the error of a panic, nil if the caller hung up. The stack is logged, never sent.
func (s *Server) recovered(x *exchange, reason any) error {
	if err, _ := reason.(error); abandoned(x.arrived.Context(), err) {
		return nil
	}
	if reason == http.ErrAbortHandler { //nolint:errorlint // reason is no error; net/http compares it the same way
		panic(reason)
	}
	s.log.ErrorContext(x.r.Context(), "panic", slog.String("request_id", x.st.id),
		slog.Any("reason", reason), slog.String("stack", string(debug.Stack())))
	return fmt.Errorf("panic: %v", reason)
}

// judge returns the refusal that an error is, with its status, and the error behind it. A malformed request gets 400 only if
// BeforeInvalid returns nil.
func (s *Server) judge(ctx context.Context, st *requestState, err error) (refusal *domain.Error, status int, behind error) {
	refusal = classify(err, st.committed.Load())
	if st.op != nil && !st.op.documents400 && pathError(err) {
		refusal = domain.NotFound // contract §0
	}
	if refusal.Is(domain.InvalidRequest) {
		if first := s.callBeforeInvalid(ctx, st); first != nil {
			err, refusal = first, classify(first, st.committed.Load())
		}
	}
	status = statusOf[refusal.Code]
	if status == 0 {
		status, refusal = http.StatusInternalServerError, domain.Internal
	}
	if status >= http.StatusInternalServerError {
		st.setCause(ctx, err)
	}
	return refusal, status, err
}

// refuse writes the response to an error. There is none if the connection was taken over, or if nobody waits any more.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, st *requestState, err error) {
	if errors.Is(err, ErrHijacked) || abandoned(r.Context(), err) {
		return
	}
	refusal, status, err := s.judge(r.Context(), st, err)
	h := w.Header()
	h.Set("Cache-Control", "private, no-store")
	addVary(h, "Accept")
	switch status {
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", "Bearer")
	case http.StatusRequestEntityTooLarge:
		h.Set("Connection", "close")
	}
	writeRetry(h, status, err)
	if !s.writesPage(w, r, st, status) {
		s.writeRefusal(w, r, st, status, refusal)
	}
}

// writeRetry writes when a request may be sent again that was refused by an error.
func writeRetry(h http.Header, status int, err error) {
	switch status {
	case http.StatusTooManyRequests:
		writeLimit(h, err)
	case http.StatusServiceUnavailable:
		setDefault(h, "Retry-After", strconv.Itoa(retryAfter))
	}
}

func (s *Server) callBeforeInvalid(ctx context.Context, st *requestState) error {
	if s.beforeInvalid == nil || st.op == nil {
		return nil
	}
	path := map[string]string{}
	for i, name := range st.op.path {
		if i < len(st.args) {
			path[name] = st.args[i]
		}
	}
	return s.beforeInvalid(ctx, st.op.id, path)
}

const problemType = "application/problem+json"

// problem is a problem detail (RFC 9457) with the contract's code as an extension.
type problem struct {
	Type     string             `json:"type"`
	Title    string             `json:"title"`
	Status   int                `json:"status"`
	Detail   string             `json:"detail"`
	Instance string             `json:"instance"`
	Error    string             `json:"error"`
	Reason   domain.Reason      `json:"reason,omitempty"`
	Errors   []gen.RefusedField `json:"errors,omitempty"`
}

// details are the sentences of problem details.
var details = map[string]string{
	domain.InvalidRequest.Code:     "The request is malformed; see errors.",
	domain.Unauthorized.Code:       "Refresh the session once, else sign in again.",
	domain.NotFound.Code:           "Not found, or not visible to you.",
	domain.MethodNotAllowed.Code:   "Use one of the methods in Allow.",
	domain.UsernameTaken.Code:      "Another account has this username.",
	domain.Conflict.Code:           "Another request changed this at the same time; try again.",
	domain.PreconditionFailed.Code: "It has changed since you read it; read it again.",
	domain.PayloadTooLarge.Code:    "The body is too large for this operation.",
	domain.UnsupportedMedia.Code:   "The body must be application/json in UTF-8.",
	domain.KeyReused.Code:          "Use a new Idempotency-Key for a different request.",
	domain.RateLimited.Code:        "Too many requests; try again after Retry-After seconds.",
	domain.Internal.Code:           "Internal error; quote instance when you report it.",
	domain.ImageUnavailable.Code:   "The other host did not return this image in time.",
	domain.ServiceUnavailable.Code: "The service is busy; try again after Retry-After seconds.",
	domain.OutcomeUnknown.Code:     "This may have been done: repeat it with the same Idempotency-Key, or look before you repeat it.",
}

// reasons are the sentences of forbidden requests.
var reasons = map[domain.Reason]string{
	domain.NotOrganizer:        "Only the organizer may do this.",
	domain.NotOwner:            "Only the organizer may do this, not the other hosts.",
	domain.NotParticipant:      "Only participants may do this.",
	domain.NotAuthor:           "Only the author may do this.",
	domain.NotModerator:        "Only moderators may do this.",
	domain.OwnEvent:            "The organizer may not do this.",
	domain.ForeignOrigin:       "Pages of this origin may not send the refresh cookie.",
	domain.InsufficientScope:   "The API key has no scope for this.",
	domain.EventDraft:          "The event is a draft.",
	domain.EventPublished:      "The event is published and not over.",
	domain.EventCanceled:       "The event is canceled.",
	domain.EventEnded:          "The event is over.",
	domain.EventPublic:         "The event is public.",
	domain.EventPrivate:        "The event is private.",
	domain.EventUntitled:       "The draft has no title.",
	domain.EventFull:           "The event has no free seat.",
	domain.EventFree:           "The event is free.",
	domain.EventNotFull:        "The party could join now.",
	domain.WaitlistOff:         "The event has no waiting list.",
	domain.Removed:             "The organizer has removed you from this event.",
	domain.RequestDeclined:     "The organizer has declined your requests to join this event.",
	domain.ApprovalRequired:    "The organizer must approve you first: ask to join the event.",
	domain.RequestLimit:        "The event has as many requests to join as it may have.",
	domain.WaitlistFull:        "The waiting list has as many entries as it may have.",
	domain.AccountNew:          "The account may not do this on its first day.",
	domain.HostLimit:           "The event has as many hosts as it may have.",
	domain.InvitationLimit:     "The event has as many invitations as it may have.",
	domain.StorageFull:         "Your pictures take as much space as they may.",
	domain.BlockedByState:      "The current state does not allow this.",
	domain.PaymentsDisabled:    "Payments are disabled.",
	domain.PaymentRequired:     "Pay for the event first.",
	domain.AlreadyPaid:         "You have paid already.",
	domain.OrganizerUnverified: "The organizer's payment profile is not verified.",
}

// detailOf returns the sentence that describes a refusal.
func (st *requestState) detailOf(refusal *domain.Error) string {
	switch {
	case refusal.Reason != "":
		return reasons[refusal.Reason]
	case refusal.Is(domain.UnsupportedMedia) && st.op != nil && st.op.uploads != nil:
		return "The body must have one of these types: " + strings.Join(st.op.uploads, ", ") + "."
	}
	return details[refusal.Code]
}

// writeRefusal writes {"error":code}, or a problem detail when Accept asks for one.
func (s *Server) writeRefusal(w http.ResponseWriter, r *http.Request, st *requestState, status int, refusal *domain.Error) {
	body, mediaType := []byte(`{"error":"`+refusal.Code+`"}`), "application/json"
	if wantsProblem(r.Header["Accept"]) {
		mediaType = problemType
		body, _ = json.Marshal(problem{ // strings and numbers always marshal
			Type:     "about:blank",
			Title:    http.StatusText(status),
			Status:   status,
			Detail:   st.detailOf(refusal),
			Instance: "urn:request:" + st.id,
			Error:    refusal.Code,
			Reason:   refusal.Reason,
			Errors:   st.invalidFields(r.Context(), refusal),
		})
	}
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // fails only when the client is gone
}

// invalidFields lists all invalid fields of a malformed request: those of the refusal,
// those of the query and the body that violate the contract, and those that a Check reports
// of the operation.
func (st *requestState) invalidFields(ctx context.Context, refusal *domain.Error) []gen.RefusedField {
	if !refusal.Is(domain.InvalidRequest) {
		return nil
	}
	fields := slices.Clone(refusal.Fields)
	if st.op != nil {
		fields = append(fields, st.queryViolations()...)
		fields = append(fields, st.bodyViolations()...)
		if st.op.check != nil {
			fields = append(fields, st.op.check(ctx, st.validInput(fields))...)
		}
	}
	return uniqueFields(fields)
}

// uniqueFields keeps the first detail of each pointer, and no field whose rule needs a
// wrong one.
func uniqueFields(fields []domain.FieldError) []gen.RefusedField {
	var unique []gen.RefusedField
	reported := func(pointer string) bool {
		return slices.ContainsFunc(unique, func(p gen.RefusedField) bool { return p.Pointer == pointer })
	}
	for _, f := range fields {
		if !reported(f.Pointer) && !slices.ContainsFunc(f.Needs, reported) {
			unique = append(unique, gen.RefusedField{Pointer: f.Pointer, Detail: f.Detail})
		}
	}
	return unique
}

func (st *requestState) queryViolations() []domain.FieldError {
	var fields []domain.FieldError
	query, _ := url.ParseQuery(st.rawQuery) // checkQuery has reported a malformed query
	schemas := schemasByID()[st.op.id].query
	for name, p := range st.op.query {
		values, given := query[name]
		if !given && p.Required {
			fields = append(fields, domain.FieldError{Pointer: "?" + name, Detail: "must be present"})
		}
		schema := schemas[name]
		if schema.Type.Is("array") {
			schema = schema.Items.Value
		}
		for _, value := range values {
			if err := checkValue(p.Type, value); err == nil {
				fields = append(fields, violations(schema, typed(schema, value), "?"+name)...)
			}
		}
	}
	slices.SortFunc(fields, func(a, b domain.FieldError) int { return strings.Compare(a.Pointer, b.Pointer) })
	return fields
}

// typed converts a query value to the type in the contract.
func typed(schema *openapi3.Schema, value string) any {
	if schema.Type.Is("integer") || schema.Type.Is("number") {
		if number, err := strconv.ParseFloat(value, 64); err == nil {
			return number
		}
	}
	if schema.Type.Is("boolean") {
		return value == "true"
	}
	return value
}

func (st *requestState) bodyViolations() []domain.FieldError {
	schema := schemasByID()[st.op.id].body
	if schema == nil || !st.op.takesBody {
		return nil
	}
	var body any
	if len(st.body) == 0 {
		return []domain.FieldError{{Detail: "must be a JSON object"}}
	}
	if json.Unmarshal(st.body, &body) != nil {
		return nil // checkBody has reported it
	}
	if fields, ok := body.(map[string]any); ok { // null is as good as absent
		maps.DeleteFunc(fields, func(_ string, value any) bool { return value == nil })
	}
	return violations(schema, body, "")
}

// violations lists where a value violates a schema.
func violations(schema *openapi3.Schema, value any, at string) []domain.FieldError {
	err := schema.VisitJSON(value, openapi3.MultiErrors(), openapi3.VisitAsRequest(), openapi3.WithStringFormatValidators(formats))
	return schemaProblems(err, at)
}

// formats are checked by the functions of the generated decoder.
var formats = map[string]openapi3.StringFormatValidator{
	"date-time": openapi3.NewCallbackValidator(gen.CheckTime),
	"uuid":      openapi3.NewCallbackValidator(gen.CheckUUID),
}

func schemaProblems(err error, at string) []domain.FieldError {
	var (
		several openapi3.MultiError
		one     *openapi3.SchemaError
		fields  []domain.FieldError
	)
	switch {
	case err == nil:
	case errors.As(err, &several):
		for _, e := range several {
			fields = append(fields, schemaProblems(e, at)...)
		}
	case errors.As(err, &one):
		pointer := at
		for _, token := range one.JSONPointer() {
			pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(token)
		}
		fields = append(fields, domain.FieldError{Pointer: pointer, Detail: requirement(one)})
	}
	return fields
}
