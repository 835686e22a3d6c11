package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestSDKsAreFresh compares the generated code with the contract. Of the types for TypeScript it compares only the names of
// operations and fields; scripts/clients.sh compares everything.
func TestSDKsAreFresh(t *testing.T) {
	c, err := load("../../api/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	files, err := c.files()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is out of date: run make generate and commit", name)
		}
	}
	text, err := os.ReadFile("../typescript/src/contract.ts")
	if err != nil {
		t.Fatal(err)
	}
	types := string(text)
	missing := func(what string) {
		t.Errorf("../typescript/src/contract.ts lacks %s: run make generate and commit", what)
	}
	for _, op := range c.operations {
		if !strings.Contains(types, "    "+op.ID+": {") {
			missing(op.ID)
		}
		for _, p := range op.optional() {
			if !strings.Contains(types, p.Name+"?:") && !strings.Contains(types, p.Name+":") && !strings.Contains(types, `"`+p.Name+`"`) {
				missing(op.ID + " " + p.Name)
			}
		}
	}
	for _, s := range c.Components.Schemas {
		_, body, found := strings.Cut(types, "\n        "+s.name+": ")
		body, _, _ = strings.Cut(body, "\n        };")
		for _, p := range s.value.Properties {
			if !strings.Contains(body, p.name+":") && !strings.Contains(body, p.name+"?:") {
				missing(s.name + "." + p.name)
			}
		}
		if !found {
			missing(s.name)
		}
	}
}

func TestThirdPerson(t *testing.T) {
	for summary, want := range map[string]string{
		"List events":            "lists events",
		"Publish a draft":        "publishes a draft",
		"Reply":                  "replies",
		"Pay for an event":       "pays for an event",
		"Write or change it":     "writes or changes it",
		"Check it, or open that": "checks it, or opens that",
	} {
		if got := thirdPerson(summary); got != want {
			t.Errorf("%s: got %q, want %q", summary, got, want)
		}
	}
}
