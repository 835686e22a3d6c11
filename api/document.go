package api

import (
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
)

// Document returns the contract as Close returns it, read once per process: reading takes
// 0.1 s. Callers must not change it.
var Document = sync.OnceValues(func() (*openapi3.T, error) {
	return openapi3.NewLoader().LoadFromData(Close(Spec))
})
