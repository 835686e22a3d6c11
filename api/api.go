// Package api contains the contract of the service, openapi.yaml, which is written
// by hand. `go generate ./api` generates package gen from it.
//
// Generated handlers return (*T, error). Error responses are not generated: one
// error handler (gen.WithErrorHandler) writes every error of handlers, security
// hooks and decoders. GET /healthz also has a body under 503, so its handler returns
// *gen.GetHealthOK or *gen.GetHealthServiceUnavailable, both shaped like
// gen.HealthResponse.
package api

import (
	"bytes"
	_ "embed" // embeds the contract
)

//go:generate go run ./generate

// Spec is the contract, an OpenAPI 3.1 document in YAML, exactly as published at
// /api/openapi.yaml.
//
//go:embed openapi.yaml
var Spec []byte

// Close returns a contract in which every x-extensible-enum is an enum. Clients must take
// values that are added later. This version of the server takes and returns only those
// that are listed.
func Close(contract []byte) []byte {
	return bytes.ReplaceAll(contract, []byte("x-extensible-enum:"), []byte("enum:"))
}
