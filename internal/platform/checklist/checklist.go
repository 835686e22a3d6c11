// Package checklist prints the results of checks, and what to do about them.
package checklist

import (
	"fmt"
	"io"
	"strings"
)

// State is the result of a step.
type State string

// The states of a step. A skipped step is not needed, or cannot be done after a failure.
const (
	OK      State = "ok"
	Failed  State = "failed"
	Skipped State = "skipped"
)

// Step is one step of a check.
type Step struct {
	Name   string // at most 11 characters
	State  State
	Detail string // the finding
	Advice string // the next action; empty: none
}

// Step returns a step with this state.
func (s State) Step(name, detail, advice string) Step {
	return Step{Name: name, State: s, Detail: detail, Advice: advice}
}

// Printer prints each step on a line, and its advice below.
type Printer struct {
	To     io.Writer
	Failed int // number of failed steps
}

// Print prints a step.
func (p *Printer) Print(s Step) {
	if s.State == Failed {
		p.Failed++
	}
	_, _ = fmt.Fprintf(p.To, "%-8s %-11s %s\n", s.State, s.Name, OneLine(s.Detail)) // the exit code has the result, too
	if s.Advice != "" {
		_, _ = fmt.Fprintf(p.To, "%20s -> %s\n", "", s.Advice)
	}
}

// Err returns an error if a step of the named check has failed.
func (p *Printer) Err(check string) error {
	if p.Failed == 0 {
		return nil
	}
	return fmt.Errorf("%s: %d failed: see what to do above", check, p.Failed)
}

// OneLine returns the text of a server as one line without control characters.
func OneLine(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)), " ")
}
