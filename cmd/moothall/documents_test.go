package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// step is one step of a document: shell commands and their output.
type step struct{ commands, output string }

var (
	stepsText   = regexp.MustCompile(`(?s)<!-- tour: begin -->.*<!-- tour: end -->`)
	stepsBlocks = regexp.MustCompile("(?s)```(sh|text)\n(.*?)```")
)

// documentSteps returns the steps between the tour markers of a document.
func documentSteps(t *testing.T, document string) []step {
	t.Helper()
	content, err := os.ReadFile("../../" + document)
	if err != nil {
		t.Fatal(err)
	}
	var all []step
	for _, block := range stepsBlocks.FindAllStringSubmatch(stepsText.FindString(string(content)), -1) {
		if block[1] == "sh" {
			all = append(all, step{commands: block[2]})
		} else {
			all[len(all)-1].output = block[2]
		}
	}
	if len(all) < 5 {
		t.Fatalf("%s has only %d steps", document, len(all))
	}
	return all
}

// TestReadmeWorks runs the commands of the README.
func TestReadmeWorks(t *testing.T) {
	runSteps(t, documentSteps(t, "README.md"), serveDemo(t, copyDemo(t)), nil)
}

// runSteps runs the steps against a server and compares their output.
func runSteps(t *testing.T, steps []step, address string, environment []string) {
	t.Helper()
	const separator = "== end of a step =="
	var script strings.Builder
	for _, s := range steps {
		script.WriteString(s.commands + "\necho '" + separator + "'\n")
	}
	text := strings.ReplaceAll(script.String(), "http://localhost:8080", "http://"+address)
	bash := exec.CommandContext(t.Context(), "bash", "-u", "-c", text)
	bash.Env = append(os.Environ(), environment...)
	var stderr bytes.Buffer
	bash.Stderr = &stderr
	out, err := bash.Output()
	if err != nil || stderr.Len() > 0 {
		t.Errorf("bash: %v\n%s", err, &stderr)
	}
	printed := strings.Split(string(out), separator+"\n")
	for i, s := range steps {
		if i >= len(printed) {
			t.Fatalf("the script ended before\n%s", s.commands)
		}
		if strings.TrimSpace(printed[i]) != strings.TrimSpace(s.output) { // JSON responses end without a line break
			t.Errorf("the step\n%s\nprinted\n%s\nit should print\n%s", s.commands, printed[i], s.output)
		}
	}
}

var (
	demoDir  string // for the database and the pictures of the demo; TestMain removes it
	fillDemo sync.Once
)

// copyDemo fills the demo once, because its pictures take seconds to draw, and returns the settings that
// serve a copy of it.
func copyDemo(t *testing.T) map[string]string {
	t.Helper()
	fillDemo.Do(func() {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		log := newTestLog()
		ended := startDemo(ctx, demoSettings(demoDir), log)
		log.address(t, "serving")
		stop()
		if code := <-ended; code != exitOK {
			t.Fatalf("moothall serve ended with %d: %s", code, log)
		}
	})
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(demoDir)); err != nil {
		t.Fatal(err)
	}
	return demoSettings(dir)
}

func demoSettings(dir string) map[string]string {
	return map[string]string{
		"LISTEN_ADDR":  "127.0.0.1:0",
		"LOG_FORMAT":   "json",
		"DATABASE_URL": "sqlite:" + dir + "/moothall.db",
		"MEDIA":        dir + "/media",
		// The machine may be busy with other tests.
		"REQUEST_TIMEOUT":          "1m",
		"DATABASE_ACQUIRE_TIMEOUT": "1m",
	}
}

// startDemo runs `moothall serve --demo` until the context ends and returns its exit code.
func startDemo(ctx context.Context, settings map[string]string, log *testLog) <-chan int {
	var environ []string
	for name, value := range settings {
		environ = append(environ, name+"="+value)
	}
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, []string{"serve", "--demo"}, nil, io.Discard, log, environ) }()
	return ended
}

// serveDemo runs `moothall serve --demo` until the test ends and returns its address.
func serveDemo(t *testing.T, settings map[string]string) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	log := newTestLog()
	ended := startDemo(ctx, settings, log)
	t.Cleanup(func() {
		stop()
		if code := <-ended; code != exitOK {
			t.Errorf("moothall serve ended with %d: %s", code, log)
		}
	})
	return log.address(t, "serving")
}
