package api

import (
	_ "embed" // embeds the contract
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
)

//go:embed gen/contract_gen.json
var document []byte

// Document returns the contract as Close returns it, without summaries, descriptions and
// examples. It is read once per process. Callers must not change it.
var Document = sync.OnceValues(func() (*openapi3.T, error) {
	return openapi3.NewLoader().LoadFromData(document)
})
