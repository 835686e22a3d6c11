package httpapi

import (
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"moothall/api/gen"
	"moothall/internal/domain"
)

const problemType = "application/problem+json"

// problem is RFC 9457, with the contract's code as an extension.
type problem struct {
	Type     string         `json:"type"`
	Title    string         `json:"title"`
	Status   int            `json:"status"`
	Detail   string         `json:"detail"`
	Instance string         `json:"instance"`
	Error    string         `json:"error"`
	Errors   []problemField `json:"errors,omitempty"`
}

type problemField struct {
	Pointer string `json:"pointer"`
	Detail  string `json:"detail"`
}

// details says in a sentence what each code means.
var details = map[string]string{
	domain.InvalidRequest.Code:     "The request is malformed; see errors.",
	domain.Unauthorized.Code:       "A valid session is needed: refresh it once, then sign in again.",
	domain.Forbidden.Code:          "You may not do this, or not in the present state.",
	domain.NotFound.Code:           "There is nothing here that you can see.",
	domain.MethodNotAllowed.Code:   "The method is not one of those in Allow.",
	domain.UsernameTaken.Code:      "Another account has this username.",
	domain.Conflict.Code:           "Somebody else changed this at the same moment; try again.",
	domain.PreconditionFailed.Code: "It has changed since you read it.",
	domain.PayloadTooLarge.Code:    "The body is larger than the operation takes.",
	domain.UnsupportedMedia.Code:   "The body must be application/json in UTF-8.",
	domain.RateLimited.Code:        "Too many requests; wait for Retry-After seconds.",
	domain.Internal.Code:           "Something failed here. Quote the instance when you report it.",
	domain.ImageUnavailable.Code:   "The other host gives no such image, or not in time.",
	domain.ServiceUnavailable.Code: "The service is busy; try again after Retry-After seconds.",
}

// writeRefusal writes {"error":code}, or a problem to who asks for one.
func (s *Server) writeRefusal(w http.ResponseWriter, r *http.Request, ex *exchange, status int, refusal *domain.Error) {
	body, mediaType := []byte(`{"error":"`+refusal.Code+`"}`), "application/json"
	if wantsProblem(r.Header["Accept"]) {
		mediaType = problemType
		body, _ = json.Marshal(problem{ // strings and numbers always marshal
			Type:     "about:blank",
			Title:    http.StatusText(status),
			Status:   status,
			Detail:   details[refusal.Code],
			Instance: "urn:request:" + ex.id,
			Error:    refusal.Code,
			Errors:   ex.wrongFields(refusal),
		})
	}
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client is gone: nobody to tell
}

// wantsProblem reports whether problem+json is asked for by name, and not less
// than plain JSON.
func wantsProblem(accept []string) bool {
	var problem, plain float64
	for part := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		mediaType, parameters, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		quality := 1.0
		if q, ok := parameters["q"]; ok {
			quality, _ = strconv.ParseFloat(q, 64)
		}
		switch mediaType {
		case problemType:
			problem = quality
		case "application/json":
			plain = quality
		}
	}
	return problem > 0 && problem >= plain
}

// wrongFields names every wrong place of a malformed request: what the refusal
// names, and all that the contract has against the query and the body.
func (ex *exchange) wrongFields(refusal *domain.Error) []problemField {
	if !refusal.Is(domain.InvalidRequest) {
		return nil
	}
	fields := slices.Clone(refusal.Fields)
	if ex.op != nil {
		fields = append(fields, ex.queryAgainstContract()...)
		fields = append(fields, ex.bodyAgainstContract()...)
	}
	return uniqueFields(fields)
}

// uniqueFields keeps the first word on each place.
func uniqueFields(fields []domain.FieldError) []problemField {
	var unique []problemField
	for _, f := range fields {
		if !slices.ContainsFunc(unique, func(p problemField) bool { return p.Pointer == f.Pointer }) {
			unique = append(unique, problemField(f))
		}
	}
	return unique
}

func (ex *exchange) queryAgainstContract() []domain.FieldError {
	var fields []domain.FieldError
	query, _ := url.ParseQuery(ex.rawQuery) // the broken part is already named
	for name, p := range ex.op.query {
		values, given := query[name]
		if !given && p.Required {
			fields = append(fields, domain.FieldError{Pointer: "?" + name, Detail: "is required"})
		}
		schema := p.Schema.Value
		if schema.Type.Is("array") {
			schema = schema.Items.Value
		}
		for _, value := range values {
			if err := checkValue(p, value); err == nil {
				fields = append(fields, against(schema, typed(schema, value), "?"+name)...)
			}
		}
	}
	slices.SortFunc(fields, func(a, b domain.FieldError) int { return strings.Compare(a.Pointer, b.Pointer) })
	return fields
}

// typed gives a query value the type that the contract says it has.
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

func (ex *exchange) bodyAgainstContract() []domain.FieldError {
	if ex.op.body == nil {
		return nil
	}
	var body any
	if len(ex.body) == 0 {
		return []domain.FieldError{{Detail: "must be a JSON object"}}
	}
	if json.Unmarshal(ex.body, &body) != nil {
		return nil // said already
	}
	return against(ex.op.body, body, "")
}

// against lists what a schema has against a value.
func against(schema *openapi3.Schema, value any, at string) []domain.FieldError {
	err := schema.VisitJSON(value, openapi3.MultiErrors(), openapi3.VisitAsRequest(), openapi3.WithStringFormatValidators(formats))
	return schemaProblems(err, at)
}

// formats are checked as the generated decoder does.
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
		fields = append(fields, domain.FieldError{Pointer: pointer, Detail: one.Reason})
	}
	return fields
}
