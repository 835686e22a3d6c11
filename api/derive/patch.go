package main

import (
	"bytes"
	"fmt"
	"regexp"

	"golang.org/x/tools/imports"
)

// replacement is one change of generated text; it must apply at least once, so
// that a new version of ogen cannot drop it unnoticed.
type replacement struct {
	file     string
	old, new string
}

var replacements = []replacement{
	// What other origins may read is for CORS in web to say, by origin.
	{"oas_response_encoders_gen.go", exposes("Etag"), ""},
	{"oas_response_encoders_gen.go", exposes("Location"), ""},
	{"oas_response_encoders_gen.go", exposes("Content-Disposition"), ""},
	// The contract's own value syntax (values.go) in place of ogen's wider one.
	{"oas_json_gen.go", "json.DecodeDateTime", "decodeTime"},
	{"oas_json_gen.go", "json.EncodeDateTime", "encodeTime"},
	{"oas_json_gen.go", "json.DecodeUUID", "decodeUUID"},
	{"oas_parameters_gen.go", "conv.ToDateTime", "parseTime"},
	{"oas_parameters_gen.go", "conv.ToUUID", "parseUUID"},
	{"oas_parameters_gen.go", "conv.ToFloat64", "parseFloat"},
	{"oas_client_gen.go", "conv.DateTimeToString", "formatTime"},
	// The same value is the same bytes, every time.
	{"oas_json_gen.go", "for k, elem := range s {", "for k, elem := range inOrder(s) {"},
	// ogen formats an error for every query parameter that is not there.
	{"oas_parameters_gen.go", "uri.NewQueryDecoder(", "newQueryDecoder("},
}

// exposes is the line in which ogen tells every origin of a header.
func exposes(header string) string {
	return "\tw.Header().Set(\"Access-Control-Expose-Headers\", \"" + header + "\")\n"
}

// written is how ogen writes a response: status, body. In its place stands a
// call of answer, which tells the length.
var written = regexp.MustCompile(`w\.WriteHeader\((\d+)\)\s+e := new\(jx\.Encoder\)\s+response(\S*)\.Encode\(e\)\s+` +
	`if _, err := e\.WriteTo\(w\); err != nil \{\s+return errors\.Wrap\(err, "write"\)\s+\}\s+return nil\n`)

// patch applies the replacements to the generated files and puts their imports in order.
func patch(files map[string][]byte) error {
	const encoders = "oas_response_encoders_gen.go"
	files[encoders] = written.ReplaceAllFunc(files[encoders], func(found []byte) []byte {
		part := written.FindSubmatch(found)
		body := "response"
		if field := string(part[2]); field != "" {
			body = "&response" + field
		}
		return fmt.Appendf(nil, "return answer(w, %s, %s)\n", part[1], body)
	})
	changed := map[string]bool{encoders: true}
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
