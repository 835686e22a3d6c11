package testutil

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// Fault logs one line about a fault that the test has caused: the name of the fault in
// the table of docs/faults.md, the subtest, and what was measured. When the
// test ends, it also appends the line to the file FAULT_REPORT, which make check prints.
func Fault(t *testing.T, fault, format string, arguments ...any) {
	t.Helper()
	if _, subtest, ok := strings.Cut(t.Name(), "/"); ok {
		fault += " (" + subtest + ")"
	}
	result := fmt.Sprintf(format, arguments...)
	t.Logf("fault: %s: %s", fault, result)
	path := os.Getenv("FAULT_REPORT")
	if path == "" {
		return
	}
	t.Cleanup(func() {
		verdict := "ok"
		if t.Failed() {
			verdict = "FAILED"
		}
		if err := appendLine(path, fmt.Sprintf("%-6s %s: %s\n", verdict, fault, result)); err != nil {
			t.Error(err)
		}
	})
}

// appendLine writes the line with one call, so that lines of several processes do not mix.
func appendLine(path, line string) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := file.WriteString(line); err != nil {
		_ = file.Close() // the write's error matters
		return err
	}
	return file.Close()
}
