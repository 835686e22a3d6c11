package httpapi

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"time"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/domain"
)

// The sizes of a value as JSON, at most, in bytes.
const (
	valueSize = 64 // without its text, but with its name
	byteSize  = 6  // of a text
)

// inputForm says what is unusual about the input of a call.
type inputForm struct {
	toUTC     bool // changes times to UTC, as those of requests are
	room      int  // in the largest body, in bytes
	unusual   bool // a request with this input may be refused for its texts or its size
	malformed bool // no request can say this: a time that the contract does not accept, or a number that is none
}

// read reads a value of the contract.
func (f *inputForm) read(v reflect.Value) {
	f.room -= valueSize
	switch v.Kind() {
	case reflect.String:
		f.room -= byteSize * v.Len()
		f.unusual = f.unusual || checkText(v.String()) != nil
	case reflect.Slice, reflect.Map:
		f.readMany(v)
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			f.read(v.Elem())
		}
	case reflect.Float64:
		f.malformed = f.malformed || math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0)
	case reflect.Struct:
		f.readStruct(v)
	}
}

// cardSize is the size of a card in a list, in bytes, beside what other caches have of it.
const cardSize = 1 << 10

// sizeOf returns the size of a value in memory, in bytes, rather too large than too small.
func sizeOf(value any) int {
	var f inputForm
	f.read(reflect.ValueOf(value))
	return -f.room
}

func (f *inputForm) readMany(v reflect.Value) {
	if v.Len() > 0 && (v.Kind() == reflect.Map || v.Type().Elem().Kind() == reflect.Uint8) { // any JSON
		f.unusual = true
		return
	}
	f.unusual = f.unusual || v.Len() >= maxParameters
	for i := range v.Len() {
		f.read(v.Index(i))
	}
}

func (f *inputForm) readStruct(v reflect.Value) {
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
		f.readTime(v)
		return
	case v.Type() == reflect.TypeFor[gen.List[gen.EventCard]]():
		f.room -= v.Interface().(gen.List[gen.EventCard]).Len() * cardSize
		return
	case isAbsent(v):
		return
	}
	for _, field := range v.Fields() {
		f.read(field)
	}
}

func (f *inputForm) readTime(v reflect.Value) {
	at := v.Interface().(time.Time)
	f.malformed = f.malformed || !gen.IsTime(at)
	if f.toUTC {
		v.Set(reflect.ValueOf(at.UTC()))
	}
}

// isAbsent reports whether a value is of a generated type like OptString, and has none.
func isAbsent(v reflect.Value) bool {
	set, null := v.FieldByName("Set"), v.FieldByName("Null")
	return set.Kind() == reflect.Bool && !set.Bool() || null.Kind() == reflect.Bool && null.Bool()
}

// checkInput refuses what checkQuery and checkBody would refuse of a request. Only an unusual input is written as one.
func (s *Server) checkInput(x *exchange) error {
	st := x.st
	if x.r.Method != http.MethodGet || st.op.redirects {
		st.writeParameters()
	}
	if st.op.uploads != nil {
		x.r.Body, x.r.ContentLength = io.NopCloser(st.call.Upload.Data), -1
		return st.checkUpload(x.r.Header)
	}
	form := inputForm{room: maxBody, toUTC: true}
	form.read(reflect.ValueOf(st.call.Parameters))
	form.read(reflect.ValueOf(st.call.Body))
	st.malformed = form.malformed
	if st.op.checkSignature != nil {
		st.writeInput()
	}
	if !form.unusual && form.room >= 0 {
		return nil
	}
	st.writeInput()
	if int64(len(st.body)) > st.op.maxBody {
		return domain.PayloadTooLarge
	}
	if err := s.checkQuery(x); err != nil {
		return err
	}
	return s.checkBody(x)
}

// validate refuses a value that violates the contract, like the generated decoders.
func (s *Server) validate(x *exchange) error {
	if x.st.malformed {
		return domain.InvalidRequest
	}
	for _, value := range []any{x.st.call.Parameters, x.st.call.Body} {
		if v, checked := value.(interface{ Validate() error }); checked {
			if err := v.Validate(); err != nil {
				return fmt.Errorf("%w: %w", domain.InvalidRequest, err)
			}
		}
	}
	return nil
}

// writeInput writes the input of a call as that of a request, for what reads requests: the checks that name wrong fields, and
// idempotency.
func (st *requestState) writeInput() {
	if st.call == nil || st.op == nil {
		return
	}
	st.writeParameters()
	if st.body == nil && st.call.Body != nil {
		st.body = gen.Marshal(st.call.Body)
		st.requestHeader.Set("Content-Type", "application/json")
	}
}

// writeParameters writes the parameters of a call as those of a request.
func (st *requestState) writeParameters() {
	if st.args != nil {
		return
	}
	st.args = make([]string, len(st.op.path))
	if st.call.Upload.Data != nil {
		st.requestHeader.Set("Content-Type", st.call.Upload.MediaType)
	}
	if st.call.Parameters == nil {
		return
	}
	query := url.Values{}
	st.call.Parameters.Each(func(in, name string, value any) {
		texts := textsOf(reflect.ValueOf(value))
		switch {
		case len(texts) == 0:
		case in == "query":
			query[name] = texts
		case in == "header":
			st.requestHeader.Set(name, texts[0])
		default:
			st.args[slices.Index(st.op.path, name)] = texts[0]
		}
	})
	st.rawQuery = query.Encode()
}

// textsOf returns a parameter as it stands in a request; nil if it is absent.
func textsOf(v reflect.Value) []string {
	switch value := v.Interface().(type) {
	case time.Time:
		return []string{gen.FormatTime(value)}
	case uuid.UUID:
		return []string{value.String()}
	}
	switch v.Kind() {
	case reflect.Slice:
		var all []string
		for i := range v.Len() {
			all = append(all, textsOf(v.Index(i))...)
		}
		return all
	case reflect.Struct: // Opt...
		if isAbsent(v) {
			return nil
		}
		return textsOf(v.FieldByName("Value"))
	}
	return []string{fmt.Sprint(v.Interface())}
}
