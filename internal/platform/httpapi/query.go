package httpapi

import (
	"net/url"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"moothall/internal/domain"
)

// checkQuery reads the query strictly: url.Values of a broken query would
// silently lack the broken filter, and the answer would hold too much. What
// redirects has no answer for a bad query but to redirect elsewhere.
func (ex *exchange) checkQuery() error {
	raw := ex.rawQuery
	if raw == "" || ex.op.redirects {
		return nil
	}
	if strings.Count(raw, "&") >= maxParameters {
		return domain.Invalid("?", "must have at most 100 parameters")
	}
	query, err := url.ParseQuery(raw)
	if err != nil {
		return domain.Invalid("?", "must be percent-encoded pairs joined by &")
	}
	var problems domain.Problems
	for name, values := range query {
		ex.checkParameter(&problems, name, values)
	}
	return problems.Err()
}

func (ex *exchange) checkParameter(problems *domain.Problems, name string, values []string) {
	if checkText(name) != nil {
		problems.Add("?", "has a parameter name that is not valid UTF-8")
		return
	}
	p, known := ex.op.query[name]
	if !known && !ex.op.anyQuery {
		problems.Add("?"+name, "is not a parameter of this operation")
	}
	if known && len(values) > 1 && !p.Schema.Value.Type.Is("array") {
		problems.Add("?"+name, "must be given once")
	}
	for _, value := range values {
		if err := checkValue(p, value); err != nil {
			problems.Add("?"+name, err.Error())
		}
	}
}

// checkValue checks the written form of one value; p is nil for a parameter
// that the contract does not know.
func checkValue(p *openapi3.Parameter, value string) error {
	if err := checkText(value); err != nil || p == nil {
		return err
	}
	switch types := p.Schema.Value.Type; {
	case types.Is("integer"):
		return checkInteger(value)
	case types.Is("boolean"):
		return checkBoolean(value)
	}
	return nil
}
