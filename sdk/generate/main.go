// Command generate writes the parts of the SDKs that follow from the contract: types and methods for Go, and tables for
// TypeScript, whose types openapi-typescript generates. `go generate ./sdk/generate` runs it.
package main

import (
	"fmt"
	"go/format"
	"log"
	"os"
)

//go:generate go run .

func main() {
	log.SetFlags(0)
	c, err := load("../../api/openapi.yaml")
	if err != nil {
		log.Fatal("generate: ", err)
	}
	files, err := c.files()
	for name, text := range files {
		if err == nil {
			err = os.WriteFile(name, text, 0o644) //nolint:gosec // source code
		}
	}
	if err != nil {
		log.Fatal("generate: ", err)
	}
}

// files returns the generated files by name.
func (c *contract) files() (map[string][]byte, error) {
	types, err := format.Source([]byte(c.goTypes()))
	if err != nil {
		return nil, fmt.Errorf("types: %w", err)
	}
	operations, err := format.Source([]byte(c.goOperations()))
	if err != nil {
		return nil, fmt.Errorf("operations: %w", err)
	}
	return map[string][]byte{
		"../go/types.gen.go": types, "../go/operations.gen.go": operations, "../typescript/src/tables.ts": []byte(c.tables()),
	}, nil
}
