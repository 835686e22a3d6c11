package sdk

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

const sdk = "../../../sdk/go"

// TestOtherModule vets and builds the example in a module outside the repository, which has only what the SDK's go.mod
// requires, and runs it.
func TestOtherModule(t *testing.T) {
	if !testutil.Long() {
		t.Skip("long: it compiles a module that no other test needs")
	}
	t.Parallel()
	source, err := filepath.Abs(sdk)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for from, to := range map[string]string{"example/main.go": "main.go", "go.sum": "go.sum"} {
		text, err := os.ReadFile(filepath.Join(source, from))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, to), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	module := "module other\n\ngo 1.26.0\n\nrequire moothall/sdk/go v0.0.0\n\nreplace moothall/sdk/go => " + source + "\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(program string, arguments ...string) string {
		command := exec.CommandContext(t.Context(), program, arguments...)
		command.Dir = dir
		// The flags of this test stay, so that go finds the standard library in its cache.
		command.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod", "GOPROXY=off", "GOSUMDB=off")
		said, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", program, arguments, err, said)
		}
		return string(said)
	}
	run("go", "vet", ".")
	run("go", "build", "-o", "example", ".")
	for _, module := range strings.Fields(run("go", "list", "-m", "all"))[1:] {
		if module == "moothall" {
			t.Error("the SDK requires the service")
		}
	}
	want := "Chess in the park\n403 forbidden own_event\na message arrived\n"
	for _, engine := range dbtest.RuleEngines {
		a := apptest.New(t, engine)
		if got := run(filepath.Join(dir, "example"), a.URL()); got != want {
			t.Errorf("%s: got %q, want %q", engine, got, want)
		}
	}
}

// TestReadmesShowExamples compares the README of each SDK with its example, which a test runs.
func TestReadmesShowExamples(t *testing.T) {
	for _, row := range []struct{ folder, example, from string }{
		{sdk, "example/main.go", "func run("},
		{"../../../sdk/typescript", "example.ts", "const url ="},
	} {
		readme, err := os.ReadFile(filepath.Join(row.folder, "README.md"))
		if err != nil {
			t.Fatal(err)
		}
		example, err := os.ReadFile(filepath.Join(row.folder, row.example))
		if err != nil {
			t.Fatal(err)
		}
		_, body, _ := strings.Cut(string(example), row.from)
		if !strings.Contains(string(readme), row.from+body+"```") {
			t.Errorf("%s/README.md must show %s", row.folder, row.example)
		}
	}
}
