package derive

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// SumsFile is the file with the result of Sums when package gen was generated, below the folder
// of the contract.
const SumsFile = "gen/SHA256SUMS"

// summed are the files that package gen is generated from, and its generated files.
var summed = []string{"openapi.yaml", "api.go", "derive/*.go", "generate/*.go", "gen/*_gen.*"}

// generatorModules matches the lines of go.mod with the modules that write code or read the contract.
var generatorModules = regexp.MustCompile(`(?m)^\t(github\.com/ogen-go/ogen|github\.com/getkin/kin-openapi|` +
	`github\.com/go-faster/yaml|golang\.org/x/tools) v.*\n`)

// Sums returns lines that change if package gen is not what the generator would write, because
// someone has changed the contract, the generator or the generated files: the versions of modules,
// and the hashes of files. dir is the folder of the contract.
func Sums(dir string) (string, error) {
	modules, err := os.ReadFile(filepath.Join(dir, "..", "go.mod"))
	if err != nil {
		return "", err
	}
	var lines strings.Builder
	for _, module := range generatorModules.FindAllString(string(modules), -1) {
		lines.WriteString(strings.TrimPrefix(module, "\t"))
	}
	for _, pattern := range summed {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return "", err
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			name, err := filepath.Rel(dir, file)
			if err != nil {
				return "", err
			}
			if !strings.HasSuffix(name, "_test.go") {
				fmt.Fprintf(&lines, "%x  %s\n", sha256.Sum256(content), filepath.ToSlash(name))
			}
		}
	}
	return lines.String(), nil
}
