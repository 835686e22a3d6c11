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
	for name, text := range map[string]string{"types": c.goTypes(), "operations": c.goOperations()} {
		code, err := format.Source([]byte(text))
		if err != nil {
			log.Fatalf("generate %s: %v", name, err)
		}
		write("../go/"+name+".gen.go", code)
	}
	write("../typescript/src/tables.ts", []byte(c.tables()))
}

func write(name string, text []byte) {
	if err := os.WriteFile(name, text, 0o644); err != nil { //nolint:gosec // source code
		log.Fatal(fmt.Errorf("generate: %w", err))
	}
}
