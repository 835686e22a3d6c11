package main

import (
	"bytes"
	"context"
	"io"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// leg is one step of a document's tour: what to type and what it prints.
type leg struct{ commands, prints string }

var (
	tourText   = regexp.MustCompile(`(?s)<!-- tour: begin -->.*<!-- tour: end -->`)
	tourBlocks = regexp.MustCompile("(?s)```(sh|text)\n(.*?)```")
)

// legs reads the tour of a document.
func legs(t *testing.T, document string) []leg {
	t.Helper()
	content, err := os.ReadFile("../../" + document)
	if err != nil {
		t.Fatal(err)
	}
	var all []leg
	for _, block := range tourBlocks.FindAllStringSubmatch(tourText.FindString(string(content)), -1) {
		if block[1] == "sh" {
			all = append(all, leg{commands: block[2]})
		} else {
			all[len(all)-1].prints = block[2]
		}
	}
	if len(all) < 5 {
		t.Fatalf("the tour of %s has only %d steps", document, len(all))
	}
	return all
}

// TestTour does what the README tells a newcomer to do.
func TestTour(t *testing.T) {
	follow(t, legs(t, "README.md"), serveDemo(t, nil), nil)
}

// follow does the steps of a tour at a server, in an environment.
func follow(t *testing.T, tour []leg, address string, environment []string) {
	t.Helper()
	const milestone = "== end of a step =="
	var script strings.Builder
	for _, l := range tour {
		script.WriteString(l.commands + "\necho '" + milestone + "'\n")
	}
	text := strings.ReplaceAll(script.String(), "http://localhost:8080", "http://"+address)
	bash := exec.CommandContext(t.Context(), "bash", "-u", "-c", text)
	bash.Env = append(os.Environ(), environment...)
	var stderr bytes.Buffer
	bash.Stderr = &stderr
	began := time.Now()
	out, err := bash.Output()
	if err != nil || stderr.Len() > 0 {
		t.Errorf("bash: %v\n%s", err, &stderr)
	}
	printed := strings.Split(string(out), milestone+"\n")
	for i, l := range tour {
		if i >= len(printed) {
			t.Fatalf("the tour ended before\n%s", l.commands)
		}
		if strings.TrimSpace(printed[i]) != strings.TrimSpace(l.prints) { // JSON answers end without a line break
			t.Errorf("the step\n%s\nprinted\n%s\nit should print\n%s", l.commands, printed[i], l.prints)
		}
	}
	t.Logf("the tour took %v", time.Since(began))
}

// serveDemo runs `moothall serve --demo` with further settings until the test
// ends and gives the address it serves on.
func serveDemo(t *testing.T, further map[string]string) string {
	t.Helper()
	settings := map[string]string{
		"LISTEN_ADDR":     "127.0.0.1:0",
		"DATABASE_URL":    "sqlite:" + t.TempDir() + "/moothall.db",
		"REQUEST_TIMEOUT": "1m", // a machine full of tests is slow
	}
	maps.Copy(settings, further)
	lookup := func(name string) (string, bool) { value, ok := settings[name]; return value, ok }
	ctx, stop := context.WithCancel(context.Background())
	log := &servingLog{address: make(chan string, 1)}
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, []string{"serve", "--demo"}, io.Discard, log, lookup) }()
	t.Cleanup(func() {
		stop()
		if code := <-ended; code != exitOK {
			t.Errorf("moothall serve ended with %d", code)
		}
	})
	select {
	case address := <-log.address:
		return address
	case <-time.After(time.Minute):
		t.Fatal("moothall serve did not begin to serve")
		return ""
	}
}

// servingLog finds the address in the log of a server that starts.
type servingLog struct{ address chan string }

var servingLine = regexp.MustCompile(`msg=serving address=(\S+)`)

func (l *servingLog) Write(p []byte) (int, error) {
	if m := servingLine.FindSubmatch(p); m != nil {
		l.address <- string(m[1])
	}
	return len(p), nil
}
