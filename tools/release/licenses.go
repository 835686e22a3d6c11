package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// licenses returns the licences of the third-party parts of a program: Go, Go modules, and the scripts,
// styles and fonts of the web client. Most of these licences require that copies contain them.
func (r release) licenses(ctx context.Context, program string) (file, error) {
	folders, err := r.thirdParty(ctx, program)
	if err != nil {
		return file{}, err
	}
	var all bytes.Buffer
	for _, f := range folders {
		texts, err := licensesIn(f.path)
		if err != nil {
			return file{}, fmt.Errorf("%s: %w", f.name, err)
		}
		for _, text := range texts {
			fmt.Fprintf(&all, "%s\n%s\n\n%s\n\n\n", f.name, strings.Repeat("=", len(f.name)), bytes.TrimSpace(text))
		}
	}
	return file{"THIRD_PARTY_LICENSES", 0o644, all.Bytes()}, nil
}

// folder has the source of a part of the program.
type folder struct{ name, path string }

// thirdParty returns the parts of a program that others wrote.
func (r release) thirdParty(ctx context.Context, program string) ([]folder, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	root, err := r.goOutput(ctx, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	all := []folder{{"Go " + strings.TrimPrefix(runtime.Version(), "go"), root}}
	for _, m := range info.Deps {
		if m.Replace != nil && m.Replace.Version == "" {
			continue // a folder of the repository
		}
		path, err := r.goOutput(ctx, "list", "-m", "-f", "{{.Dir}}", m.Path)
		if err != nil {
			return nil, err
		}
		all = append(all, folder{m.Path + " " + m.Version, path})
	}
	vendor := filepath.Join(r.source, "internal/web/ui/vendor")
	packages, err := os.ReadDir(vendor) // sorted
	for _, p := range packages {
		if p.IsDir() {
			all = append(all, folder{p.Name(), filepath.Join(vendor, p.Name())})
		}
	}
	return all, err
}

// goOutput returns the output of a go command in the repository.
func (r release) goOutput(ctx context.Context, args ...string) (string, error) {
	command := exec.CommandContext(ctx, "go", args...)
	command.Dir, command.Stderr = r.source, os.Stderr
	text, err := command.Output()
	return strings.TrimSpace(string(text)), err
}

// licensesIn returns the licence files of a folder.
func licensesIn(path string) (texts [][]byte, err error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name, _, _ := strings.Cut(strings.ToUpper(e.Name()), ".")
		switch name {
		case "LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS":
			text, err := os.ReadFile(filepath.Join(path, e.Name()))
			if err != nil {
				return nil, err
			}
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		return nil, errors.New("has no file with its licence")
	}
	return texts, nil
}
