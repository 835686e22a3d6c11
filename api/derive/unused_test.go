package derive

import (
	"strings"
	"testing"
)

func TestWithoutUnused(t *testing.T) {
	files := map[string][]byte{
		"oas_server_gen.go": []byte("package gen\n\ntype Handler interface {\n\tCreate(ctx context.Context, req *Request) (*Response, error)\n}\n\n" +
			"type RawHandler interface{}\n"),
		"oas_schemas_gen.go": []byte("package gen\n\ntype Request struct {\n\tPart []Part\n}\n\ntype Part struct {\n\tName string\n}\n\n" +
			"type Response struct {\n\tName string\n}\n\n" +
			"// GetName returns the value of Name.\nfunc (s *Response) GetName() string {\n\treturn s.Name\n}\n\n" +
			"// SetPart does more than set it.\nfunc (s *Request) SetPart(p []Part) {\n\ts.Reset()\n\ts.Part = p\n}\n"),
		"oas_json_gen.go": []byte("package gen\n\nfunc (s *Request) Decode() {}\n\nfunc (s *Part) Decode() {}\n\n" +
			"func (s *Response) Decode() {}\n\nfunc (s *Response) Encode() {}\n\nfunc (s *Response) UnmarshalJSON() {}\n"),
		"oas_validators_gen.go": []byte("package gen\n\nfunc (s *Part) Validate() {}\n\nfunc (s *Response) Validate() {}\n"),
	}
	if err := WithoutUnused(files); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, text := range files {
		all.Write(text)
	}
	for method, stays := range map[string]bool{
		"(s *Request) Decode": true, "(s *Part) Decode": true, "(s *Part) Validate": true, "(s *Response) Encode": true,
		"(s *Request) SetPart": true, "(s *Response) Decode": false, "(s *Response) UnmarshalJSON": false, "(s *Response) Validate": false,
		"(s *Response) GetName": false, "GetName returns": false,
	} {
		if strings.Contains(all.String(), method) != stays {
			t.Errorf("%s stays: %t, want %t", method, !stays, stays)
		}
	}
}

func TestValidators(t *testing.T) {
	const decoder = `package gen

func decodeListParams(r *http.Request) (params ListParams, _ error) {
	if err := func() error {
		if err := q.DecodeParam(cfg, func(d uri.Decoder) error {
			params.Q.SetTo(value)
			return nil
		}); err != nil {
			return err
		}
		if err := func() error {
			return validate.Text(params.Q)
		}(); err != nil {
			return err
		}
		return nil
	}(); err != nil {
		return params, &ogenerrors.DecodeParamError{
			Name: "q",
			In:   "query",
			Err:  err,
		}
	}
	return params, nil
}
`
	got, err := Validators([]byte(decoder))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"\t\tif err := params.validateQ(); err != nil {\n\t\t\treturn err\n\t\t}\n",
		"func (params *ListParams) validateQ() error {\n\treturn validate.Text(params.Q)\n}\n",
		"func (params *ListParams) Validate() error {\n\tif err := params.validateQ(); err != nil {\n" +
			"\t\treturn invalidParameter(\"query\", \"q\", err)",
		"\tadd(\"query\", \"q\", params.Q)\n",
	} {
		if !strings.Contains(string(got), part) {
			t.Errorf("no\n%s\nin\n%s", part, got)
		}
	}
	if strings.Count(string(got), "validate.Text") != 1 {
		t.Errorf("the check was not moved:\n%s", got)
	}
	if _, err := Validators([]byte("package gen\n")); err == nil {
		t.Error("decoders without checks: no error")
	}
}

func TestHandlers(t *testing.T) {
	const handler = `package gen

// handleShowRequest handles show operation.
//
// GET /things/{id}
func (s *Server) handleShowRequest(args [1]string, argsEscaped bool, w http.ResponseWriter, r *http.Request) {
	params, err := decodeShowParams(args, argsEscaped, r)

	var rawBody []byte
	request, rawBody, close, err := s.decodeShowRequest(r)
	if m := s.cfg.Middleware; m != nil {
		response, err = middleware.Hook(m, rawBody)
	} else {
		response, err = s.h.Show(ctx, request, params)
	}
}
`
	files := map[string][]byte{
		"oas_handlers_gen.go":   []byte(handler),
		"oas_router_gen.go":     []byte("package gen\n\nvar rn1AllowedHeaders = 1\n\nfunc (s *Server) ServeHTTP() {}\n\nfunc (s *Server) FindPath() {}\n"),
		"oas_parameters_gen.go": []byte("package gen\n\nfunc unpackShowParams() {}\n\nfunc decodeShowParams() {}\n"),
		"oas_cfg_gen.go":        []byte("package gen\n\n// WithMiddleware is an option.\nfunc WithMiddleware() {}\n\nfunc WithErrorHandler() {}\n"),
		"oas_middleware_gen.go": []byte("package gen\n"),
	}
	serve, err := Handlers(files)
	if err != nil {
		t.Fatal(err)
	}
	if want := "\tcase \"show\":\n\t\ts.handleShowRequest([1]string(args), false, w, r)\n"; !strings.Contains(string(serve), want) {
		t.Errorf("no\n%s\nin\n%s", want, serve)
	}
	var all strings.Builder
	for _, text := range files {
		all.Write(text)
	}
	for part, stays := range map[string]bool{
		"\trequest, _, close, err := s.decodeShowRequest(r)\n": true, "\tresponse, err = s.h.Show(ctx, request, params)\n": true,
		"FindPath": true, "decodeShowParams() {}": true, "WithErrorHandler": true,
		"iddleware": false, "rawBody": false, "ServeHTTP": false, "AllowedHeaders": false, "unpack": false,
	} {
		if strings.Contains(all.String(), part) != stays {
			t.Errorf("%q stays: %t, want %t", part, !stays, stays)
		}
	}
	files["oas_handlers_gen.go"] = []byte("package gen\n")
	if _, err := Handlers(files); err == nil {
		t.Error("files without handlers: no error")
	}
}
