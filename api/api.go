// Package api holds the contract of the service: openapi.yaml, written by hand
// and canonical. Package gen beside it is generated from it by `go generate ./api`.
//
// The generated handlers return (*T, error). Every refusal, by a handler, by the
// security hooks or by decoding, goes to the one error handler of the server
// (gen.WithErrorHandler): the contract's error responses are not generated.
// Only GET /healthz has a second body of its own, under 503: its handler returns
// *gen.GetHealthOK or *gen.GetHealthServiceUnavailable, both of the shape
// gen.HealthResponse.
package api

import _ "embed" // the contract

//go:generate go run ./derive

// Spec is the canonical contract, an OpenAPI 3.1 document in YAML, byte for byte
// as it is published.
//
//go:embed openapi.yaml
var Spec []byte
