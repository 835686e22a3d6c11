package web

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// pageOf returns the address of the page that has a form.
func pageOf(form url.Values) *url.URL {
	page, _ := url.Parse(localPath(form.Get("page"))) // localPath has parsed it
	return page
}

// back shows the page of the form again.
func back(form url.Values) outcome {
	return outcome{to: localPath(form.Get("page")), isPart: form.Has(view.PartField)}
}

// backTo shows the page of a form again, at an element of it, without some of its parameters.
func backTo(form url.Values, element string, without ...string) outcome {
	page := pageOf(form)
	query := page.Query()
	for _, name := range without {
		query.Del(name)
	}
	page.RawQuery, page.Fragment = query.Encode(), element
	return outcome{to: page.String()}
}

// formID returns an id in a form. A malformed one is the zero id, which nothing has.
func formID(form url.Values, name string) uuid.UUID {
	id, _ := uuid.Parse(form.Get(name)) // the operation then answers 404
	return id
}

// formKey returns the idempotency key of a form, if it has one.
func formKey(form url.Values) gen.OptString {
	return gen.OptString{Value: form.Get("key"), Set: form.Get("key") != ""}
}

// formVisibility returns who may see that the viewer goes, if a form has a choice.
func formVisibility(form url.Values) gen.OptParticipationVisibility {
	return gen.OptParticipationVisibility{Value: gen.ParticipationVisibility(form.Get(view.VisibilityField)),
		Set: form.Has(view.VisibilityField)}
}

// formParty returns how many people come, if a form has a choice. The operation refuses what is no number.
func formParty(form url.Values) gen.OptPartySize {
	n, _ := strconv.Atoi(form.Get(view.PartyField))
	return gen.OptPartySize{Value: gen.PartySize(n), Set: form.Has(view.PartyField)}
}

// lines returns the text of a field. Browsers send CRLF as the end of a line.
func lines(form url.Values, name string) string {
	return strings.ReplaceAll(form.Get(name), "\r\n", "\n")
}

// invalid is the refusal of fields of a form.
func invalid(names ...string) *view.Problem {
	problem := &view.Problem{Status: http.StatusBadRequest, Code: "invalid_request"}
	for _, name := range names {
		problem.Fields = append(problem.Fields, view.Field{Name: name})
	}
	return problem
}

// isRefused reports whether an operation was refused with a status.
func isRefused(err error, status int) bool {
	problem, refused := errors.AsType[*view.Problem](err)
	return refused && problem.Status == status
}

// renamed gives the fields of a refusal the names that they have in the form.
func renamed(err error, names map[string]string) error {
	problem, refused := errors.AsType[*view.Problem](err)
	if !refused {
		return err
	}
	for i, field := range problem.Fields {
		problem.Fields[i].Name = cmp.Or(names[field.Name], field.Name)
	}
	return problem
}

// formReader reads fields of a form. It collects the names of the fields whose values are not of their type.
type formReader struct {
	url.Values
	wrong []string
}

// err returns the refusal of the wrong fields, or nil.
func (f *formReader) err() error {
	if len(f.wrong) == 0 {
		return nil
	}
	return invalid(f.wrong...)
}

// text returns a text; null if the field is empty.
func (f *formReader) text(name string) gen.OptNilString {
	value := strings.TrimSpace(lines(f.Values, name))
	return gen.OptNilString{Value: value, Set: true, Null: value == ""}
}

// number returns a number; null if the field is empty.
func (f *formReader) number(name string) gen.OptNilFloat64 {
	text := strings.ReplaceAll(strings.TrimSpace(f.Get(name)), ",", ".")
	if text == "" {
		return gen.OptNilFloat64{Set: true, Null: true}
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(value) || math.Abs(value) > math.MaxInt32 {
		f.wrong, value = append(f.wrong, name), 0
	}
	return gen.NewOptNilFloat64(value)
}

// integer returns an integer; null if the field is empty.
func (f *formReader) integer(name string) gen.OptNilInt {
	n := f.number(name)
	if n.Value != math.Trunc(n.Value) {
		f.wrong = append(f.wrong, name)
	}
	return gen.OptNilInt{Value: int(n.Value), Set: true, Null: n.Null}
}

// fill sets the optional texts and numbers of a request to the fields of the form with the same names. It leaves out the exceptions.
func (f *formReader) fill(request interface{ Property(name string) any }, except ...string) {
	for _, name := range slices.Sorted(maps.Keys(f.Values)) {
		if slices.Contains(except, name) {
			continue
		}
		switch p := request.Property(name).(type) {
		case *gen.OptNilString:
			*p = f.text(name)
		case *gen.OptNilInt:
			*p = f.integer(name)
		case *gen.OptNilFloat64:
			*p = f.number(name)
		case *gen.OptEventJoinPolicy:
			*p = gen.NewOptEventJoinPolicy(gen.EventJoinPolicy(f.Get(name)))
		case *gen.OptEventWaitlist:
			*p = gen.NewOptEventWaitlist(gen.EventWaitlist(f.Get(name)))
		case *gen.OptInt:
			*p = gen.NewOptInt(f.integer(name).Value)
		case *gen.OptNilUUID:
			*p = gen.OptNilUUID{Value: formID(f.Values, name), Set: true, Null: f.Get(name) == ""}
		}
	}
}
