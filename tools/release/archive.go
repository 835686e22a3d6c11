package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	_ "embed"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"time"
)

// file is a file of an archive.
type file struct {
	name    string // with its folder
	mode    fs.FileMode
	content []byte
}

// documents are the files and folders of the repository that each archive contains, besides readme.
var documents = []string{
	"LICENSE", "CHANGELOG.md",
	"docs/backup.md", "docs/faults.md", "docs/install.md", "docs/mail.md", "docs/operations.md", "docs/payments.md", "docs/realtime.md",
	"docs/runbook", "docs/security.md", "docs/settings.md", "docs/webhooks.md",
	"deploy/haproxy", "deploy/helm", "deploy/observability", "deploy/systemd",
}

// readme describes the archive. README.md of the repository describes the source.
//
//go:embed README.txt
var readme []byte

// completions are the shells with completions, and their files in the archive.
var completions = []struct{ shell, name string }{
	{"bash", "completions/moothall.bash"}, {"fish", "completions/moothall.fish"},
	{"powershell", "completions/moothall.ps1"}, {"zsh", "completions/_moothall"},
}

// commonFiles returns the files of all archives: the documents, and the man pages and completions that
// the program prints.
func (r release) commonFiles(ctx context.Context) ([]file, error) {
	folder, err := os.MkdirTemp("", "moothall-release-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	all, err := r.readDocuments()
	if err != nil {
		return nil, err
	}
	add := func(name string, content []byte, err error) error {
		all = append(all, file{name, 0o644, content})
		return err
	}
	program, man := filepath.Join(folder, "moothall"), filepath.Join(folder, "man1")
	if err := r.build(ctx, runtime.GOOS, runtime.GOARCH, program); err != nil {
		return nil, err
	}
	for _, c := range completions {
		script, err := exec.CommandContext(ctx, program, "completion", c.shell).Output()
		if err := add(c.name, script, err); err != nil {
			return nil, err
		}
	}
	if err := exec.CommandContext(ctx, program, "man", man).Run(); err != nil {
		return nil, err
	}
	pages, err := os.ReadDir(man) // sorted
	for _, page := range pages {
		content, err := os.ReadFile(filepath.Join(man, page.Name()))
		if err := add("man1/"+page.Name(), content, err); err != nil {
			return nil, err
		}
	}
	return all, err
}

// readDocuments returns the readme and the documents. Links to files of the repository that are not
// among them become plain text.
func (r release) readDocuments() ([]file, error) {
	all := []file{{"README.txt", 0o644, readme}}
	for _, document := range documents {
		err := filepath.WalkDir(filepath.Join(r.source, document), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			name, err := filepath.Rel(r.source, path)
			if err != nil {
				return err
			}
			content, err := os.ReadFile(path)
			all = append(all, file{filepath.ToSlash(name), 0o644, content})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	for i, f := range all {
		if path.Ext(f.name) == ".md" {
			all[i].content = removeDeadLinks(f, all)
		}
	}
	return all, nil
}

// localLink is a Markdown link to a file, without those to addresses and to sections of the same page.
var localLink = regexp.MustCompile(`\[([^]]+)\]\(([^)#:]+)(#[^)]*)?\)`)

func removeDeadLinks(page file, all []file) []byte {
	return localLink.ReplaceAllFunc(page.content, func(link []byte) []byte {
		parts := localLink.FindSubmatch(link)
		target := path.Join(path.Dir(page.name), string(parts[2]))
		if slices.ContainsFunc(all, func(f file) bool { return f.name == target }) {
			return link
		}
		return parts[1]
	})
}

// writeTar writes a tar archive of files, in their order. All have the owner root and the same time.
func writeTar(path, folder string, files []file, at time.Time) (err error) {
	to, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	compressed, err := gzip.NewWriterLevel(to, gzip.BestCompression) // its header has no time
	if err != nil {
		return err
	}
	archive := tar.NewWriter(compressed)
	for _, f := range files {
		header := &tar.Header{Name: folder + "/" + f.name, Mode: int64(f.mode), Size: int64(len(f.content)), ModTime: at, Uname: "root", Gname: "root", Format: tar.FormatUSTAR}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if _, err := archive.Write(f.content); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), compressed.Close())
}

// writeZip writes a zip archive, for Windows, as writeTar does.
func writeZip(path, folder string, files []file, at time.Time) (err error) {
	to, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	archive := zip.NewWriter(to)
	for _, f := range files {
		header := &zip.FileHeader{Name: folder + "/" + f.name, Method: zip.Deflate, Modified: at}
		header.SetMode(f.mode)
		entry, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := entry.Write(f.content); err != nil {
			return err
		}
	}
	return archive.Close()
}
