// Command generate generates package gen from the contract openapi.yaml. It runs ogen on a
// copy that ogen understands, and patches the generated code. It also generates gen.Operations and
// the copy that api.Document reads. `go generate ./api` runs it in the folder of the contract.
//
// It has no tests, because compiling and running ogen takes long. A test of package derive
// compares the hashes of its files with derive.SumsFile. `make check` generates again and
// compares the files.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/ogen-go/ogen"
	"github.com/ogen-go/ogen/gen"

	"moothall/api/derive"
)

// documentFile is the file with the result of derive.Document.
const documentFile = "contract_gen.json"

func main() {
	log.SetFlags(0)
	files, err := generate("openapi.yaml")
	if err == nil {
		err = replace("gen", files)
	}
	if err == nil {
		err = writeSums()
	}
	if err != nil {
		log.Fatal("generate: ", err)
	}
}

// generate returns the files of package gen, by name, for the contract at path.
func generate(path string) (map[string][]byte, error) {
	contract, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	derived, err := derive.Contract(contract)
	if err != nil {
		return nil, fmt.Errorf("derive: %w", err)
	}
	spec, err := ogen.Parse(derived)
	if err != nil {
		return nil, fmt.Errorf("parse: %w", err)
	}
	g, err := gen.NewGenerator(spec, options)
	if err != nil {
		return nil, fmt.Errorf("generate: %w", err)
	}
	written := memory{files: map[string][]byte{}}
	if err := g.WriteSource(&written, "gen"); err != nil {
		return nil, fmt.Errorf("write: %w", err)
	}
	if written.files["limits_gen.go"], err = derive.Limits(contract); err != nil {
		return nil, fmt.Errorf("limits: %w", err)
	}
	if written.files["operations_gen.go"], err = derive.Operations(contract); err != nil {
		return nil, fmt.Errorf("operations: %w", err)
	}
	if written.files["properties_gen.go"], err = derive.Properties(written.files["oas_schemas_gen.go"]); err != nil {
		return nil, fmt.Errorf("properties: %w", err)
	}
	if written.files["oas_parameters_gen.go"], err = derive.Validators(written.files["oas_parameters_gen.go"]); err != nil {
		return nil, fmt.Errorf("validators: %w", err)
	}
	if written.files["serve_gen.go"], err = derive.Handlers(written.files); err != nil {
		return nil, fmt.Errorf("handlers: %w", err)
	}
	if err = derive.WithoutUnused(written.files); err != nil {
		return nil, fmt.Errorf("unused: %w", err)
	}
	if written.files["calls_gen.go"], err = derive.Calls(contract, written.files["oas_server_gen.go"],
		written.files["oas_request_decoders_gen.go"]); err != nil {
		return nil, fmt.Errorf("calls: %w", err)
	}
	if written.files[documentFile], err = derive.Document(contract); err != nil {
		return nil, fmt.Errorf("document: %w", err)
	}
	return written.files, patch(written.files)
}

var options = gen.Options{Generator: gen.GenerateOptions{Features: &gen.FeatureOptions{
	DisableAll: true,
	Enable: gen.FeatureSet{
		gen.PathsServer.Name:       {},
		gen.OgenUnimplemented.Name: {},
	},
}}}

// memory collects the files that ogen writes concurrently.
type memory struct {
	sync.Mutex
	files map[string][]byte
}

// WriteFile stores a file in memory.
func (m *memory) WriteFile(name string, content []byte) error {
	m.Lock()
	defer m.Unlock()
	m.files[name] = content
	return nil
}

// replace writes the files to dir and removes all other generated files there.
func replace(dir string, files map[string][]byte) error {
	old, err := filepath.Glob(filepath.Join(dir, "*_gen.*"))
	if err != nil {
		return err
	}
	for _, path := range old {
		if _, stays := files[filepath.Base(path)]; !stays {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	for name, content := range files {
		if !strings.HasSuffix(name, "_gen.go") && name != documentFile {
			return fmt.Errorf("unexpected file name %s", name)
		}
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func writeSums() error {
	sums, err := derive.Sums(".")
	if err != nil {
		return err
	}
	return os.WriteFile(derive.SumsFile, []byte(sums), 0o644)
}
