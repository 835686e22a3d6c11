package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"

	"golang.org/x/tools/imports"
)

// replacement is a change of generated code. patch fails if it applies nowhere,
// so a new version of ogen cannot drop it unnoticed.
type replacement struct {
	file     string
	old, new string
}

var replacements = []replacement{
	// The CORS code in httpapi exposes headers, depending on the origin.
	{"oas_response_encoders_gen.go", exposes("Etag"), ""},
	{"oas_response_encoders_gen.go", exposes("Location"), ""},
	{"oas_response_encoders_gen.go", exposes("Content-Disposition"), ""},
	// Parse values by the contract's syntax (values.go); ogen accepts more.
	{"oas_json_gen.go", "json.DecodeDateTime", "decodeTime"},
	{"oas_json_gen.go", "json.EncodeDateTime", "encodeTime"},
	{"oas_json_gen.go", "json.DecodeUUID", "decodeUUID"},
	{"oas_json_gen.go", "d.Int()", "decodeInt(d)"},
	{"oas_parameters_gen.go", "conv.ToDateTime", "ParseTime"},
	{"oas_parameters_gen.go", "conv.ToUUID", "ParseUUID"},
	{"oas_parameters_gen.go", "conv.ToFloat64", "ParseFloat"},
	// Encode maps in a fixed order, so that equal values have equal bytes.
	{"oas_json_gen.go", "for k, elem := range s {", "for k, elem := range sorted(s) {"},
	// A profile may be encoded already, because caches keep it so.
	{"oas_schemas_gen.go", "type PublicProfile struct {\n",
		"type PublicProfile struct {\n\tEncoded []byte `json:\"-\"` // the JSON of the other fields, which then is not made again\n"},
	{"oas_json_gen.go", "func (s *PublicProfile) Encode(e *jx.Encoder) {\n",
		"func (s *PublicProfile) Encode(e *jx.Encoder) {\n\tif s.Encoded != nil {\n\t\te.Raw(s.Encoded)\n\t\treturn\n\t}\n"},
	// Lists of cards have two forms, because caches keep cards encoded.
	{"oas_schemas_gen.go", "type EventListResponse struct {\n\tItems jx.Raw", "type EventListResponse struct {\n\tItems List[EventCard]"},
	{"oas_schemas_gen.go", "type FeedResponse struct {\n\tItems jx.Raw", "type FeedResponse struct {\n\tItems List[EventCard]"},
	{"oas_json_gen.go", encodesItems("EventListResponse", "if len(s.Items) != 0 {", "e.Raw(s.Items)\n\t\t}"),
		encodesItems("EventListResponse", "{", "s.Items.Encode(e)\n\t\t}")},
	{"oas_json_gen.go", encodesItems("FeedResponse", "if len(s.Items) != 0 {", "e.Raw(s.Items)\n\t\t}"),
		encodesItems("FeedResponse", "{", "s.Items.Encode(e)\n\t\t}")},
	// The server has no middleware: see derive.Handlers.
	{"oas_cfg_gen.go", "\tMiddleware         Middleware\n", ""},
	{"oas_cfg_gen.go", "\t\tMiddleware:         nil,\n", ""},
	{"oas_cfg_gen.go", "\tNotFound           http.HandlerFunc\n", ""},
	{"oas_cfg_gen.go", "\t\tNotFound:           http.NotFound,\n", ""},
	{"oas_cfg_gen.go", "\tMethodNotAllowed   func(w http.ResponseWriter, r *http.Request, allowed string)\n", ""},
	{"oas_cfg_gen.go", "\t\tMethodNotAllowed:   nil,\n", ""},
	// ogen formats an error for each absent query parameter.
	{"oas_parameters_gen.go", "uri.NewQueryDecoder(", "newQueryDecoder("},
}

// exposes returns the line with which ogen exposes a header to every origin.
func exposes(header string) string {
	return "\tw.Header().Set(\"Access-Control-Expose-Headers\", \"" + header + "\")\n"
}

// encodesItems returns the code with which ogen encodes the items of a list.
func encodesItems(list, begin, end string) string {
	return "func (s *" + list + ") encodeFields(e *jx.Encoder) {\n\t{\n\t\t" + begin + "\n\t\t\te.FieldStart(\"items\")\n\t\t\t" + end
}

// responseWrite matches the code with which ogen writes a response: status,
// body. patch replaces it with a call of writeResponse, which sets Content-Length.
var responseWrite = regexp.MustCompile(`w\.WriteHeader\((\d+)\)\s+e := new\(jx\.Encoder\)\s+response(\S*)\.Encode\(e\)\s+` +
	`if _, err := e\.WriteTo\(w\); err != nil \{\s+return errors\.Wrap\(err, "write"\)\s+\}\s+return nil\n`)

// optionalValue and optionalList match where the decoder of an optional field starts. Only
// ogen's types for nullable fields (OptNil...) check for null, some lines below.
var (
	optionalValue = regexp.MustCompile(`unable to decode Opt\w+ to nil"\)\n\t\}\n(\to\.Set = true\n)`)
	optionalList  = regexp.MustCompile(`case "\w+":\s+if err := func\(\) error \{\n(\s+s\.\w+ = make\()`)
)

const nullIsAbsent = "\tif d.Next() == jx.Null {\n\treturn d.Null()\n\t}\n"

// takeNulls makes optional fields take null as absent.
func takeNulls(source []byte) ([]byte, error) {
	for _, decoder := range []*regexp.Regexp{optionalValue, optionalList} {
		if !decoder.Match(source) {
			return nil, fmt.Errorf("no decoder matches %s", decoder)
		}
		source = decoder.ReplaceAllFunc(source, func(found []byte) []byte {
			body := decoder.FindSubmatch(found)[1]
			return slices.Concat(bytes.TrimSuffix(found, body), []byte(nullIsAbsent), body)
		})
	}
	return source, nil
}

// patch applies the replacements to the generated files and fixes their imports.
func patch(files map[string][]byte) error {
	source, err := takeNulls(files["oas_json_gen.go"])
	if err != nil {
		return err
	}
	files["oas_json_gen.go"] = source
	const encoders = "oas_response_encoders_gen.go"
	files[encoders] = responseWrite.ReplaceAllFunc(files[encoders], func(found []byte) []byte {
		part := responseWrite.FindSubmatch(found)
		body := "response"
		if field := string(part[2]); field != "" {
			body = "&response" + field
		}
		return fmt.Appendf(nil, "return writeResponse(w, %s, %s)\n", part[1], body)
	})
	changed := map[string]bool{encoders: true, "oas_validators_gen.go": true, "oas_handlers_gen.go": true, "oas_router_gen.go": true}
	for _, r := range replacements {
		if !bytes.Contains(files[r.file], []byte(r.old)) {
			return fmt.Errorf("%s has no %q to replace", r.file, r.old)
		}
		files[r.file] = bytes.ReplaceAll(files[r.file], []byte(r.old), []byte(r.new))
		changed[r.file] = true
	}
	for name := range changed {
		source, err := imports.Process(name, files[name], nil)
		if err != nil {
			return fmt.Errorf("imports of %s: %w", name, err)
		}
		files[name] = source
	}
	return nil
}
