package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// exampleLine matches a command line, without the settings before it and the files after it.
var exampleLine = regexp.MustCompile(`(?:^| )moothall ([^<>]+)`)

// TestEveryCommandHasAnExample also checks that each example is a valid command line.
func TestEveryCommandHasAnExample(t *testing.T) {
	root := (&call{}).rootCommand()
	var check func(*cobra.Command)
	check = func(command *cobra.Command) {
		line := exampleLine.FindStringSubmatch(command.Example)
		if command.Short == "" || strings.HasSuffix(command.Short, ".") || line == nil {
			t.Errorf("%s: the description is %q, the example is %q", command.CommandPath(), command.Short, command.Example)
			return
		}
		named, args, err := root.Find(strings.Fields(line[1]))
		if err == nil {
			err = named.ParseFlags(args)
		}
		if err == nil {
			err = named.ValidateArgs(named.Flags().Args())
		}
		if err != nil || named != command && !command.HasSubCommands() {
			t.Errorf("%s: the example %q is that of %s: %v", command.CommandPath(), command.Example, named.CommandPath(), err)
		}
		for _, child := range command.Commands() {
			check(child)
		}
	}
	check(root)
}

func TestManDescribesEveryCommand(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "man")
	var first []byte
	for range 2 { // the pages of one build are the same
		var stderr bytes.Buffer
		if code, _ := invoke(t, t.Context(), map[string]string{}, &stderr, "man", folder); code != exitOK {
			t.Fatal(stderr.String())
		}
		page, err := os.ReadFile(filepath.Join(folder, "moothall-mail-test.1"))
		if err != nil || !strings.Contains(string(page), "moothall mail test anna@example.com") || first != nil && !bytes.Equal(page, first) {
			t.Errorf("%v: %s", err, page)
		}
		first = page
	}
}

// TestCompletionWorksInBash lets bash read the script, and asks the program what it completes.
func TestCompletionWorksInBash(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		var stderr bytes.Buffer
		code, script := invoke(t, t.Context(), map[string]string{}, &stderr, "completion", shell)
		if code != exitOK || !strings.Contains(script, "moothall") {
			t.Errorf("%s: code %d, %s", shell, code, stderr.String())
		}
		if shell != "bash" {
			continue
		}
		bash := exec.CommandContext(t.Context(), "bash", "-n")
		bash.Stdin = strings.NewReader(script)
		if out, err := bash.CombinedOutput(); err != nil {
			t.Errorf("bash: %v: %s", err, out)
		}
	}
	var stderr bytes.Buffer
	_, words := invoke(t, t.Context(), map[string]string{}, &stderr, "__complete", "jo")
	if !strings.HasPrefix(words, "jobs\tList discarded jobs\n") {
		t.Errorf("%q", words)
	}
}
