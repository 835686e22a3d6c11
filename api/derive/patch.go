package main

import (
	"bytes"
	"fmt"

	"golang.org/x/tools/imports"
)

// replacement is one change of generated text; it must apply at least once, so
// that a new version of ogen cannot drop it unnoticed.
type replacement struct {
	file     string
	old, new string
}

var replacements = []replacement{
	// A pooled encoder halves the time of a response.
	{
		"oas_response_encoders_gen.go",
		"e := new(jx.Encoder)",
		"e := jx.GetEncoder()\n\tdefer jx.PutEncoder(e)",
	},
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

// patch applies the replacements to the generated files and puts their imports in order.
func patch(files map[string][]byte) error {
	changed := map[string]bool{}
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
