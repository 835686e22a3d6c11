// Package documents renders the pages of whoever runs the service, such as an imprint and a privacy
// statement, from Markdown files in a folder: NAME.md, or NAME.LANGUAGE.md for one language.
package documents

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"moothall/internal/domain"
)

// The limits of a folder.
const (
	maxFiles = 60
	maxBytes = 256 << 10 // of a file
)

// lookEvery is the longest time until a changed file is noticed.
const lookEvery = time.Minute

// Document is a page in one language.
type Document struct {
	Name     string // of the file, without language
	Language string // empty: the file does not say
	Title    string // the first heading
	HTML     string // the rest; safe to show
}

// Library has the documents of a folder. It notices within a minute that files have changed.
type Library struct {
	folder string
	clock  domain.Clock
	log    *slog.Logger

	mu      sync.Mutex
	looked  time.Time
	seen    string // digest of names, sizes and times of the files
	version string
	all     map[string][]Document // by name; the one without a language first
}

// New returns the documents of a folder; none if it is empty.
func New(folder string, clock domain.Clock, log *slog.Logger) *Library {
	return &Library{folder: folder, clock: clock, log: log}
}

// List returns the documents in a language, by name.
func (l *Library) List(language string) []Document {
	all, _ := l.current()
	list := make([]Document, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, best(all[name], language))
	}
	return list
}

// Find returns a document in a language, or in another one if there is no such file.
func (l *Library) Find(name, language string) (d Document, found bool) {
	all, _ := l.current()
	if len(all[name]) == 0 {
		return d, false
	}
	return best(all[name], language), true
}

// Version changes when a document changes. It is empty if there are none.
func (l *Library) Version() string {
	_, version := l.current()
	return version
}

// best returns the document in a language, else the first one.
func best(translations []Document, language string) Document {
	if i := slices.IndexFunc(translations, func(d Document) bool { return d.Language == language }); i >= 0 {
		return translations[i]
	}
	return translations[0]
}

// current returns the documents and their version. It leaves out files that cannot be read and logs why.
func (l *Library) current() (map[string][]Document, string) {
	if l.folder == "" {
		return nil, ""
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := l.clock(); l.looked.IsZero() || now.Sub(l.looked) >= lookEvery {
		l.looked = now
		if seen := digest(l.folder); seen != l.seen {
			l.seen = seen
			l.all, l.version = map[string][]Document{}, ""
			list, err := Read(l.folder)
			if err != nil {
				l.log.Error("PAGES_DIR", "err", err)
			}
			for _, d := range list {
				l.all[d.Name] = append(l.all[d.Name], d)
				l.version = seen
			}
		}
	}
	return l.all, l.version
}

// digest returns a text that changes with the names, sizes and times of the files.
func digest(folder string) string {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err.Error()
	}
	sum := sha256.New()
	for _, e := range entries[:min(len(entries), 2*maxFiles)] {
		if info, err := os.Stat(filepath.Join(folder, e.Name())); err == nil {
			_, _ = fmt.Fprintln(sum, e.Name(), info.Size(), info.ModTime().UnixNano()) // never fails
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// fileName matches NAME.md and NAME.LANGUAGE.md. A name is part of the address of the page.
var fileName = regexp.MustCompile(`^([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)(?:\.(en|de|ru))?\.md$`)

// Read renders the documents of a folder, by name; of each name the one without a language first. It reads
// all files that it can. The error names the others.
func Read(folder string) (list []Document, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var problems []error
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".md") {
			continue
		}
		if len(list) == maxFiles {
			return list, errors.Join(append(problems, fmt.Errorf("%s has more than %d files", folder, maxFiles))...)
		}
		d, err := read(folder, e.Name())
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", e.Name(), err))
			continue
		}
		list = append(list, d)
	}
	slices.SortStableFunc(list, func(a, b Document) int {
		return strings.Compare(a.Name+" "+a.Language, b.Name+" "+b.Language)
	})
	return list, errors.Join(problems...)
}

func read(folder, name string) (d Document, err error) {
	parts := fileName.FindStringSubmatch(name)
	if parts == nil {
		return d, errors.New("must be NAME.md or NAME.LANGUAGE.md: lower-case letters, digits and hyphens; en, de or ru")
	}
	file, err := os.Open(filepath.Join(folder, name)) //nolint:gosec // a setting of the operator
	if err != nil {
		return d, err
	}
	defer func() { _ = file.Close() }() // nothing was written
	source, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	if err != nil {
		return d, err
	}
	if len(source) > maxBytes {
		return d, fmt.Errorf("must have at most %d KB", maxBytes>>10)
	}
	d = Document{Name: parts[1], Language: parts[2]}
	d.Title, d.HTML, err = render(source)
	return d, err
}
