package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-faster/jx"
	"github.com/ogen-go/ogen/validate"

	"moothall/api/gen"
	"moothall/internal/domain"
)

// Check finds what the schemas of the contract cannot express about the input of an
// operation, without its effects. Features apply their rules themselves. A Check lets a
// problem name the fields that break them beside those that violate a schema.
type Check func(ctx context.Context, in input) []domain.FieldError

// input is the valid part of a malformed request.
type input struct {
	query url.Values // without the parameters that violate their schema
	body  members    // without the fields that violate their schema
}

// members are the members of a JSON object.
type members map[string]json.RawMessage

// request is a generated type of request bodies.
type request[T any] interface {
	*T
	Decode(d *jx.Decoder) error
}

// BodyCheck returns the Check of a body. Fields that violate the schema are zero in the
// body that check gets.
func BodyCheck[T any, R request[T]](check func(ctx context.Context, body *T) error) Check {
	return func(ctx context.Context, in input) []domain.FieldError {
		var body T
		if !in.body.decode(R(&body).Decode) {
			return nil
		}
		return fieldsOf(check(ctx, &body))
	}
}

// ChangeCheck is BodyCheck for a body with the changed fields only. It ignores what check
// reports about fields that were not sent: their stored values decide.
func ChangeCheck[T any, R request[T]](check func(ctx context.Context, body *T) error) Check {
	body := BodyCheck[T, R](check)
	return func(ctx context.Context, in input) []domain.FieldError {
		return slices.DeleteFunc(body(ctx, in), func(f domain.FieldError) bool {
			return slices.ContainsFunc(append(f.Needs, f.Pointer), func(pointer string) bool { return in.body[member(pointer)] == nil })
		})
	}
}

// QueryCheck returns the Check of query parameters.
func QueryCheck(check func(query url.Values) error) Check {
	return func(_ context.Context, in input) []domain.FieldError { return fieldsOf(check(in.query)) }
}

// CursorCheck returns the Check of a list with a cursor. read decodes the cursor.
func CursorCheck[T any](read func(cursor string) (T, error)) Check {
	return QueryCheck(func(query url.Values) error {
		if !query.Has("cursor") {
			return nil
		}
		_, err := read(query.Get("cursor"))
		return err
	})
}

// CheckCircle requires all parameters of a nearby filter, or none (specification §4.5).
func CheckCircle(wrong *domain.Problems, lat, lng, radius bool) {
	if !lat && !lng && !radius {
		return
	}
	for _, p := range []struct {
		name string
		sent bool
	}{{"?lat", lat}, {"?lng", lng}, {"?radius_km", radius}} {
		if !p.sent {
			wrong.Add(p.name, "must be present if another one of lat, lng and radius_km is")
		}
	}
}

// CheckTimes adds the parameters that TimeParameter does not accept.
func CheckTimes(wrong *domain.Problems, query url.Values, names ...string) {
	for _, name := range names {
		if _, err := gen.ParseTime(query.Get(name)); err != nil && query.Has(name) {
			wrong.Add("?"+name, err.Error())
		}
	}
}

// Time returns a date-time parameter; the zero time if it is absent or malformed.
func Time(query url.Values, name string) time.Time {
	at, err := gen.ParseTime(query.Get(name))
	if err != nil {
		return time.Time{}
	}
	return at
}

// fieldsOf returns a copy of the fields of an error.
func fieldsOf(err error) []domain.FieldError {
	var refusal *domain.Error
	if !errors.As(err, &refusal) {
		return nil
	}
	return slices.Clone(refusal.Fields)
}

// decode reports whether a generated decoder accepts the members. Missing members do
// not matter.
func (m members) decode(into func(d *jx.Decoder) error) bool {
	if m == nil {
		return false
	}
	body, err := json.Marshal(m)
	if err != nil {
		return false
	}
	var missing *validate.Error
	err = into(jx.DecodeBytes(body))
	return err == nil || errors.As(err, &missing)
}

// validInput returns the input without the wrong fields.
func (st *requestState) validInput(wrong []domain.FieldError) input {
	var in input
	if json.Unmarshal(st.body, &in.body) != nil {
		in.body = nil
	}
	in.query, _ = url.ParseQuery(st.rawQuery) // checkQuery has reported a malformed query
	for _, f := range wrong {
		if name, isParameter := strings.CutPrefix(f.Pointer, "?"); isParameter {
			in.query.Del(name)
		} else {
			delete(in.body, member(f.Pointer))
		}
	}
	return in
}

var unescapeToken = strings.NewReplacer("~1", "/", "~0", "~")

// member returns the member of the body that a JSON pointer leads into.
func member(pointer string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	return unescapeToken.Replace(name)
}
