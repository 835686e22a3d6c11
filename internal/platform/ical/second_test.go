package ical

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestContentLinesEqualICALJS compares the content lines of 5,000 generated calendars and of the samples with ical.js: components, names,
// parameters and values.
func TestContentLinesEqualICALJS(t *testing.T) {
	icaljs := os.Getenv("TEST_ICALJS")
	if icaljs == "" {
		t.Skip("needs ical.js: scripts/recurrence.sh runs it")
	}
	random := rand.New(rand.NewPCG(31, 2026)) // the same calendars in each run
	var texts []string
	samples, err := filepath.Glob("testdata/samples/*.ics")
	if err != nil || len(samples) == 0 {
		t.Fatal("no samples", err)
	}
	for _, sample := range samples {
		text, err := os.ReadFile(sample)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	for range 5_000 {
		texts = append(texts, randomCalendar(random))
	}
	var input bytes.Buffer
	for _, text := range texts {
		if err := json.NewEncoder(&input).Encode(text); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.CommandContext(t.Context(), "node", filepath.Join(icaljs, "icaljs_lines.mjs"))
	command.Stdin, command.Stderr = &input, os.Stderr
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := bytes.Split(bytes.TrimSpace(output), []byte("\n"))
	if len(answers) != len(texts) {
		t.Fatalf("ical.js read %d of %d calendars", len(answers), len(texts))
	}
	lines, wrong := 0, 0
	for i, text := range texts {
		var found [][4]string
		if err := json.Unmarshal(answers[i], &found); err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, line := range found {
			want = append(want, strings.Join(line[:], " | "))
		}
		slices.Sort(want)
		got := linesOf(text)
		lines += len(got)
		if !slices.Equal(got, want) {
			if wrong++; wrong < 5 {
				t.Errorf("read %q\nas      %q\nical.js %q", text, got, want)
			}
		}
	}
	t.Logf("compared %d lines of %d calendars, %d calendars differ", lines, len(texts), wrong)
}

// linesOf returns the content lines of a calendar, sorted: the path of components, of which each has its number within the one above, the
// name, the parameters and the value.
func linesOf(text string) (all []string) {
	var path []string
	children := []int{0}
	for p := range properties([]byte(text)) {
		last := len(children) - 1
		switch p.name {
		case "BEGIN":
			path = append(path, fmt.Sprintf("%s#%d", strings.ToLower(p.value), children[last]))
			children[last]++
			children = append(children, 0)
		case "END":
			path, children = path[:len(path)-1], children[:last]
		default:
			var params []string
			for _, one := range p.params {
				if one.name == "VALUE" { // the name of a type
					one.value = strings.ToLower(one.value)
				}
				params = append(params, strings.ToLower(one.name)+"="+one.value)
			}
			slices.Sort(params)
			all = append(all, strings.Join([]string{strings.Join(path, "/"), strings.ToLower(p.name), strings.Join(params, ";"), p.value}, " | "))
		}
	}
	slices.Sort(all)
	return all
}

// randomCalendar returns a calendar with nested components, quoted parameters and folded lines.
func randomCalendar(random *rand.Rand) string {
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	text := func(most int, letters ...string) string {
		var out strings.Builder
		for range random.IntN(most) {
			out.WriteString(pick(letters...))
		}
		return out.String()
	}
	newline := pick("\r\n", "\n")
	var out strings.Builder
	write := func(line string) {
		characters := []rune(line)
		for len(characters) > 1 && random.IntN(3) == 0 {
			n := 1 + random.IntN(len(characters)-1)
			out.WriteString(string(characters[:n]) + newline + pick(" ", "\t"))
			characters = characters[n:]
		}
		out.WriteString(string(characters) + newline)
	}
	var component func(name string, depth int)
	component = func(name string, depth int) {
		write("BEGIN:" + name)
		for i := range random.IntN(6) {
			line := pick("SUMMARY", "DTSTART", "X-A", "x-lower", "CATEGORIES", fmt.Sprint("X-", i))
			for j := range random.IntN(3) {
				line += fmt.Sprintf(";%s%d=", pick("P", "TZID", "x-p"), j)
				if random.IntN(2) == 0 {
					line += `"` + text(8, "a", ":", ";", ",", "=", "ж", " ") + `"`
				} else {
					line += "v" + text(8, "a", "/", "=", "-", "ж", "_")
				}
			}
			write(line + ":" + text(60, "a", "b", " ", `\,`, `\;`, `\n`, `\\`, ":", ";", ",", `"`, "é", "😀", "=", "Z"))
		}
		for range random.IntN(3) {
			if depth < 3 {
				component(pick("VEVENT", "VALARM", "VTIMEZONE", "X-BOX"), depth+1)
			}
		}
		write("END:" + name)
	}
	component("VCALENDAR", 0)
	return out.String()
}
