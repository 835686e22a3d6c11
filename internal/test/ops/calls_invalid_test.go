package ops_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	googleuuid "github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// onlyOnce are the operations that cannot be sent both ways with the same input, and why.
var onlyOnce = map[string]string{
	"receivePaymentWebhook": "its signature is of bytes",
	"logout":                "succeeds by the cookie, and ends the session",
	"refreshSession":        "succeeds by the cookie, and uses it up",
	"importFile":            "its body is a file",
}

// neverMalformed are the operations of which no input of the test gets 400, and why.
var neverMalformed = map[string]string{
	"answerInvitation":  "404 comes first: the caller is not invited",
	"deleteApiKey":      "every boolean is valid",
	"finishIdpSignIn":   "redirects",
	"inviteToGroup":     "every id is valid",
	"receiveMailEvents": "has no provider: 404",
	"startIdpSignIn":    "has no provider: 503",
	"transferEvent":     "every id is valid",
	"transferGroup":     "every id is valid",
}

// TestCallsRefuseInputLikeRequests changes each field of the input of each operation to values that may be malformed. A request and
// a call with the same input have the same status, code, reason, and wrong fields with the same details.
func TestCallsRefuseInputLikeRequests(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.Setting("RATE_LIMITS", "off"), apptest.StartAt(apptest.Today))
	org := a.As("org")
	c := bothWays{t: t, a: a, org: org, calls: callsOf(a), event: googleuuid.MustParse(org.Publish(nil))}
	for _, op := range gen.Operations {
		if c.op, c.refused = op, 0; !isMalleable(op) || onlyOnce[op.ID] != "" {
			continue
		}
		if c.try(); (c.refused == 0) != (neverMalformed[op.ID] != "") {
			t.Errorf("%s: %d inputs are malformed; reason why none: %q", op.ID, c.refused, neverMalformed[op.ID])
		}
	}
}

// isMalleable reports whether an operation has input besides its path.
func isMalleable(op gen.Operation) bool {
	return slices.Contains(op.Bodies, "application/json") ||
		slices.ContainsFunc(op.Parameters, func(p gen.Parameter) bool { return p.In == "query" })
}

// bothWays sends input as requests and as calls.
type bothWays struct {
	t       *testing.T
	a       *apptest.App
	org     *apptest.Client
	calls   *gen.Calls
	event   googleuuid.UUID
	op      gen.Operation
	refused int // with 400
}

// input is a body and parameters: both may be nil.
type input struct{ body, parameters reflect.Value }

// newInput returns input of the operation without values except for its event, and with empty lists.
func (c *bothWays) newInput() (in input) {
	method := reflect.ValueOf(c.calls).MethodByName(strings.ToUpper(c.op.ID[:1]) + c.op.ID[1:])
	for i := 1; i < method.Type().NumIn(); i++ {
		switch kind := method.Type().In(i); {
		case strings.HasSuffix(kind.Name(), "Params"):
			in.parameters = reflect.New(kind)
			if id := in.parameters.Elem().FieldByName("EventID"); id.IsValid() && id.Type() == reflect.TypeFor[googleuuid.UUID]() {
				id.Set(reflect.ValueOf(c.event))
			}
		case kind.Kind() == reflect.Pointer:
			in.body = reflect.New(kind.Elem())
			makeLists(in.body.Elem())
		case strings.HasPrefix(kind.Name(), "Opt"):
			in.body = reflect.New(kind)
			in.body.Elem().FieldByName("Set").SetBool(true)
		}
	}
	return in
}

// try sends the input without values, and then each change of a field.
func (c *bothWays) try() {
	c.compare(c.newInput(), "without values")
	for i := range c.changesOf(c.newInput()) {
		in := c.newInput()
		changed := c.changesOf(in)[i]
		changed.apply()
		c.compare(in, changed.name)
	}
}

// change gives a field a value.
type change struct {
	name  string
	apply func()
}

func (c *bothWays) changesOf(in input) (all []change) {
	if in.body.IsValid() {
		all = changesOf("body", in.body.Elem(), 70_000) // more than a body may have
	}
	if !in.parameters.IsValid() {
		return all
	}
	i := 0 // of the field
	in.parameters.Interface().(gen.Parameters).Each(func(place, name string, _ any) {
		field := in.parameters.Elem().Field(i)
		switch i++; {
		case place == "query":
			all = append(all, changesOf("?"+name, field, 3000)...)
		case name == "Idempotency-Key":
			all = append(all, change{name, func() { set(field); field.FieldByName("Value").SetString(strings.Repeat("k", 300)) }})
		}
	})
	return all
}

// changesOf returns changes of a value. long is the length of a long text.
func changesOf(name string, v reflect.Value, long int) (all []change) {
	add := func(value any) {
		all = append(all, change{fmt.Sprintf("%s = %.20q", name, fmt.Sprint(value)), func() { v.Set(reflect.ValueOf(value).Convert(v.Type())) }})
	}
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
		add(time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC))
	case v.Kind() == reflect.String:
		for _, text := range []string{"", "nonsense", strings.Repeat("x", long), "a\x00b", "a\xffb"} {
			add(text)
		}
	case v.Kind() == reflect.Int:
		add(-1)
		add(1 << 40)
	case v.Kind() == reflect.Float64:
		add(-1e9)
		add(1e9)
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
		add([]byte(`{"a":1}`))
	case v.Kind() == reflect.Slice:
		for _, n := range []int{1, long / 20} {
			all = append(all, change{fmt.Sprintf("%d of %s", n, name), func() {
				v.Set(reflect.MakeSlice(v.Type(), n, n))
				for i := range n {
					chooseTypes(v.Index(i))
				}
			}})
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			for _, c := range changesOf(name+"."+v.Type().Field(i).Name, v.Field(i), long) {
				all = append(all, change{c.name, func() { set(v); c.apply() }})
			}
		}
	}
	return all
}

// makeLists makes the lists of a body empty: in JSON, a required list is never absent.
func makeLists(v reflect.Value) {
	for _, f := range v.Fields() {
		if f.Kind() == reflect.Slice && f.Type().Elem().Kind() != reflect.Uint8 {
			f.Set(reflect.MakeSlice(f.Type(), 0, 0))
		}
	}
}

// chooseTypes makes texts of the fields that may have several types.
func chooseTypes(v reflect.Value) {
	if v.Kind() != reflect.Struct {
		return
	}
	for _, f := range v.Fields() {
		if text, ok := reflect.TypeAssert[interface{ SetString(text string) }](f.Addr()); ok {
			text.SetString("")
		}
	}
}

// set makes a value of a type like OptString present.
func set(v reflect.Value) {
	if present := v.FieldByName("Set"); present.Kind() == reflect.Bool {
		present.SetBool(true)
	}
}

// compare sends an input both ways.
func (c *bothWays) compare(in input, name string) {
	c.t.Helper()
	request, calls := c.request(in), c.call(in)
	if request.Status != calls.Status || request.Error != calls.Error || request.Reason != calls.Reason ||
		!slices.Equal(request.Errors, calls.Errors) {
		c.t.Errorf("%s, %s:\na request: %+v\na call:    %+v", c.op.ID, name, request, calls)
	}
	if request.Status == http.StatusBadRequest {
		c.refused++
	}
}

// request sends an input as a request. The outcome of a success is the zero problem.
func (c *bothWays) request(in input) problem {
	c.t.Helper()
	path, query := c.op.Route, url.Values{}
	header := http.Header{"Accept": {"application/problem+json"}, "Cookie": {apptest.RefreshCookie + "=" + c.org.RefreshToken}}
	if in.parameters.IsValid() {
		in.parameters.Interface().(gen.Parameters).Each(func(place, name string, value any) {
			texts := textsOf(reflect.ValueOf(value))
			switch {
			case place == "path":
				path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(strings.Join(texts, "")))
			case place == "query" && len(texts) > 0:
				query[name] = texts
			case len(texts) > 0:
				header.Set(name, texts[0])
			}
		})
	}
	var body []byte
	if in.body.IsValid() {
		body = gen.Marshal(in.body.Interface().(gen.Body))
		header.Set("Content-Type", "application/json")
	}
	r, err := http.NewRequestWithContext(c.t.Context(), c.op.Method, c.a.URL()+path+"?"+query.Encode(), bytes.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header = header
	reply := c.org.Allow5xx().Send(r)
	var p problem
	if reply.Status >= http.StatusBadRequest {
		if err := json.Unmarshal(reply.Body, &p); err != nil {
			c.t.Fatal(err)
		}
	}
	return p
}

// call sends an input as a call.
func (c *bothWays) call(in input) problem {
	c.t.Helper()
	calls := gen.Calls{Operations: c.calls.Operations, Invoke: func(ctx context.Context, call *gen.Call) (any, error) {
		call.Cookies = []string{apptest.RefreshCookie + "=" + c.org.RefreshToken}
		return c.calls.Invoke(ctx, call)
	}}
	method := reflect.ValueOf(&calls).MethodByName(strings.ToUpper(c.op.ID[:1]) + c.op.ID[1:])
	arguments := []reflect.Value{reflect.ValueOf(c.t.Context())}
	for i := 1; i < method.Type().NumIn(); i++ {
		switch kind := method.Type().In(i); {
		case strings.HasSuffix(kind.Name(), "Params"):
			arguments = append(arguments, in.parameters.Elem())
		case kind.Kind() == reflect.Pointer:
			arguments = append(arguments, in.body)
		case in.body.IsValid():
			arguments = append(arguments, in.body.Elem())
		default:
			arguments = append(arguments, reflect.Zero(kind))
		}
	}
	results := method.Call(arguments)
	err, _ := reflect.TypeAssert[error](results[len(results)-1])
	refusal, refused := errors.AsType[*gen.Refusal](err)
	switch {
	case err == nil:
		return problem{}
	case !refused:
		c.t.Fatalf("%s: %v", c.op.ID, err)
	}
	return problemOf(refusal)
}

// textsOf returns a parameter as it stands in a request; none if it is absent.
func textsOf(v reflect.Value) (texts []string) {
	switch value := v.Interface().(type) {
	case time.Time:
		return []string{value.Format(time.RFC3339)}
	case googleuuid.UUID:
		return []string{value.String()}
	}
	switch {
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			texts = append(texts, textsOf(v.Index(i))...)
		}
		return texts
	case v.Kind() == reflect.Struct && !v.FieldByName("Set").Bool():
		return nil
	case v.Kind() == reflect.Struct:
		return textsOf(v.FieldByName("Value"))
	}
	return []string{fmt.Sprint(v.Interface())}
}
