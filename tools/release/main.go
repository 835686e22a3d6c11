// Command release builds Moothall for all systems, and packs each program with its documents.
//
//	go run . -source ../.. -out ../../dist
//
// Builds of one commit have the same bytes on every machine. They depend only on the source, the
// version, the commit and its time, which is the time of all files.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// targets are the systems of a release, as in GOOS/GOARCH.
var targets = []string{
	"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64",
	"freebsd/amd64", "freebsd/arm64", "windows/amd64", "windows/arm64",
}

// release describes the release to build.
type release struct {
	source, out string
	version     string // for example 0.1.0
	commit      string
	at          time.Time // of the commit
	common      []file    // of all archives
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	source := flag.String("source", "../..", "`folder` of the repository")
	out := flag.String("out", "../../dist", "`folder` for the archives; everything in it is deleted first")
	only := flag.String("targets", strings.Join(targets, ","), "`systems` to build for")
	flag.Parse()
	if err := run(ctx, *source, *out, strings.Split(*only, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, source, out string, only []string) error {
	for _, target := range only {
		if !slices.Contains(targets, target) {
			return fmt.Errorf("%s is not one of %s", target, strings.Join(targets, ", "))
		}
	}
	r, err := describe(ctx, source)
	if err != nil {
		return err
	}
	if r.out, err = filepath.Abs(out); err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(r.out), os.MkdirAll(r.out, 0o755)); err != nil {
		return err
	}
	if r.common, err = r.commonFiles(ctx); err != nil {
		return err
	}
	for i, target := range only {
		fmt.Fprintf(os.Stderr, "[%d/%d] %s\n", i+1, len(only), target)
		if err := r.pack(ctx, target); err != nil {
			return fmt.Errorf("%s: %w", target, err)
		}
	}
	return r.sum()
}

// describe reads the version and the commit from git, or from VERSION, COMMIT and
// SOURCE_DATE_EPOCH if there is no repository.
func describe(ctx context.Context, source string) (r release, err error) {
	if r.source, err = filepath.Abs(source); err != nil {
		return r, err
	}
	seconds := os.Getenv("SOURCE_DATE_EPOCH")
	r.commit, r.version = os.Getenv("COMMIT"), os.Getenv("VERSION")
	if r.commit == "" {
		r.commit = r.git(ctx, "rev-parse", "HEAD")
	}
	if seconds == "" {
		seconds = r.git(ctx, "log", "-1", "--format=%ct")
	}
	if r.version == "" {
		r.version = strings.TrimPrefix(r.git(ctx, "describe", "--tags", "--exact-match"), "v")
	}
	if r.version == "" {
		r.version = "0.0.0-" + r.commit[:min(12, len(r.commit))]
	}
	var unix int64
	if _, err := fmt.Sscan(seconds, &unix); err != nil || r.commit == "" {
		return r, errors.New("needs a git repository, or COMMIT, VERSION and SOURCE_DATE_EPOCH")
	}
	if changed := r.git(ctx, "status", "--porcelain"); changed != "" {
		return r, fmt.Errorf("commit these changes first:\n%s", changed)
	}
	r.at = time.Unix(unix, 0).UTC()
	return r, nil
}

// git returns the output of a git command, or "" if it fails.
func (r release) git(ctx context.Context, args ...string) string {
	text, err := exec.CommandContext(ctx, "git", append([]string{"-C", r.source}, args...)...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// build compiles the program for a system, without cgo, so that it needs no shared library.
func (r release) build(ctx context.Context, system, processor, path string) error {
	const app = "moothall/internal/ops/app"
	flags := fmt.Sprintf("-s -w -buildid= -X %s.version=%s -X %s.commit=%s -X %s.commitDate=%s", app, r.version, app, r.commit, app, r.at.Format(time.RFC3339))
	command := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags="+flags, "-o", path, "./cmd/moothall")
	command.Dir = r.source
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOOS="+system, "GOARCH="+processor, "GOAMD64=v1", "GOARM64=v8.0")
	command.Stderr = os.Stderr
	return command.Run()
}

// pack writes the archive and the list of components of a system.
func (r release) pack(ctx context.Context, target string) error {
	system, processor, _ := strings.Cut(target, "/")
	name := fmt.Sprintf("moothall-%s-%s-%s", r.version, system, processor)
	program := file{name: "moothall", mode: 0o755}
	if system == "windows" {
		program.name += ".exe"
	}
	folder, err := os.MkdirTemp("", "moothall-release-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	path := filepath.Join(folder, program.name)
	if err := r.build(ctx, system, processor, path); err != nil {
		return err
	}
	if program.content, err = os.ReadFile(path); err != nil {
		return err
	}
	components, err := r.components(path, program.content)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(r.out, name+".cdx.json"), components, 0o644); err != nil {
		return err
	}
	licenses, err := r.licenses(ctx, path)
	if err != nil {
		return err
	}
	files := append([]file{program, licenses}, r.common...)
	if system == "windows" {
		return writeZip(filepath.Join(r.out, name+".zip"), name, files, r.at)
	}
	return writeTar(filepath.Join(r.out, name+".tar.gz"), name, files, r.at)
}

// sum writes SHA256SUMS, as sha256sum --check reads it.
func (r release) sum() error {
	entries, err := os.ReadDir(r.out) // sorted
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(r.out, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(content), e.Name())
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}
