package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// file is a file of an archive.
type file struct {
	name    string // with its folder
	mode    fs.FileMode
	content []byte
}

// documents are the files of the repository that each archive contains.
var documents = []string{"LICENSE", "README.md", "CHANGELOG.md", "docs/settings.md", "docs/install.md", "docs/operations.md", "deploy/systemd/moothall.service", "deploy/systemd/moothall.env"}

// completions are the shells with completions, and their files in the archive.
var completions = []struct{ shell, name string }{
	{"bash", "completions/moothall.bash"}, {"fish", "completions/moothall.fish"},
	{"powershell", "completions/moothall.ps1"}, {"zsh", "completions/_moothall"},
}

// describeCommands returns the documents, and the man pages and completions that the program
// prints.
func (r release) describeCommands(ctx context.Context) ([]file, error) {
	folder, err := os.MkdirTemp("", "moothall-release-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	var all []file
	add := func(name string, content []byte, err error) error {
		all = append(all, file{name, 0o644, content})
		return err
	}
	for _, name := range documents {
		content, err := os.ReadFile(filepath.Join(r.source, name))
		if err := add(name, content, err); err != nil {
			return nil, err
		}
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
