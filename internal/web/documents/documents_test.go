package documents_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moothall/internal/web/documents"
)

func write(t *testing.T, folder, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestMarkdownIsSafe renders what a page must not contain.
func TestMarkdownIsSafe(t *testing.T) {
	for name, row := range map[string]struct {
		source   string
		has, not string
	}{
		"paragraphs":          {"One\n\nTwo", "<p>One</p>\n<p>Two</p>", ""},
		"lists":               {"- one\n- two", "<li>one</li>", ""},
		"tables":              {"| a | b |\n| - | - |\n| 1 | 2 |", "<td>1</td>", ""},
		"links":               {"[us](https://example.org/a?b=1&c=2)", `href="https://example.org/a?b=1&amp;c=2"`, ""},
		"addresses":           {"Write to info@example.org", `href="mailto:info@example.org"`, ""},
		"pages of the site":   {"[terms](/pages/terms)", `href="/pages/terms"`, ""},
		"scripts":             {"<script>alert(1)</script>", "", "alert"},
		"HTML in a line":      {"a <b onclick=x>b</b>", "b", "onclick"},
		"links that run code": {"[x](javascript:alert(1))", "x", "javascript"},
		"hidden code":         {"[x](JaVaScRiPt&#58;alert(1))", "x", "alert"},
		"links to data":       {"[x](data:text/html;base64,PHNjcmlwdD4=)", "x", "data:"},
		"links to files":      {"[x](file:///etc/passwd)", "x", "passwd"},
		"pictures":            {"![A house](https://elsewhere.example/a.png)", "A house", "elsewhere"},
		"characters":          {"2 < 3 & \"q\"", "2 &lt; 3 &amp; &quot;q&quot;", ""},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			write(t, folder, "page.md", "# Title\n\n"+row.source)
			all, err := documents.Read(folder)
			if err != nil || len(all) != 1 {
				t.Fatal(all, err)
			}
			html := all[0].HTML
			if !strings.Contains(html, row.has) || row.not != "" && strings.Contains(html, row.not) || strings.Contains(html, "Title") {
				t.Errorf("the page is %s", html)
			}
		})
	}
}

// TestTitleIsFirstHeading reads headings.
func TestTitleIsFirstHeading(t *testing.T) {
	for source, want := range map[string]string{
		"# Imprint\n\nText":                 "Imprint",
		"Text before\n\n## Our *good* name": "Our good name",
		"Two\nlines\n=====\n":               "Two lines",
		"# Q&amp;A \\# 1":                   "Q&A # 1",
	} {
		folder := t.TempDir()
		write(t, folder, "page.md", source)
		if all, err := documents.Read(folder); err != nil || all[0].Title != want {
			t.Errorf("the title of %q is %v, %v", source, all, err)
		}
	}
}

// TestWrongFilesAreNamed reads a folder in which one file is right: the error names all others.
func TestWrongFilesAreNamed(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, "imprint.md", "# Imprint")
	write(t, folder, "notes.txt", "no page")
	wrong := map[string]string{
		"Privacy.md": "# Privacy", "a.fr.md": "# French", "-.md": "# Hyphen", "empty.md": "", "untitled.md": "No heading",
		"blank.md":  "#\n\nText",
		"binary.md": "# A \xff", "large.md": "# Large\n\n" + strings.Repeat("a", 256<<10), "long.md": "# " + strings.Repeat("a", 81),
	}
	for name, source := range wrong {
		write(t, folder, name, source)
	}
	if err := os.Mkdir(filepath.Join(folder, "folder.md"), 0o700); err != nil {
		t.Fatal(err)
	}
	all, err := documents.Read(folder)
	if err == nil || len(all) != 1 || all[0].Name != "imprint" {
		t.Fatal(all, err)
	}
	wrong["folder.md"] = ""
	for name := range wrong {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%v does not name %s", err, name)
		}
	}
}

// TestChangesAreNoticed changes files while the service runs.
func TestChangesAreNoticed(t *testing.T) {
	folder, now := t.TempDir(), time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	l := documents.New(folder, func() time.Time { return now }, slog.New(slog.DiscardHandler))
	if l.Version() != "" || len(l.List("en")) != 0 {
		t.Error("an empty folder has pages")
	}
	write(t, folder, "privacy.md", "# Privacy")
	write(t, folder, "privacy.de.md", "# Datenschutz")
	write(t, folder, "about.ru.md", "# О нас")
	if len(l.List("en")) != 0 {
		t.Error("the folder is read again within a minute")
	}
	now = now.Add(time.Minute)
	for language, want := range map[string]string{"en": "О нас, Privacy", "de": "О нас, Datenschutz", "ru": "О нас, Privacy"} {
		var titles []string
		for _, d := range l.List(language) {
			titles = append(titles, d.Title)
		}
		if got := strings.Join(titles, ", "); got != want {
			t.Errorf("%s: %s, want %s", language, got, want)
		}
	}
	version := l.Version()
	write(t, folder, "privacy.md", "# Privacy at this site")
	now = now.Add(time.Minute)
	if d, found := l.Find("privacy", "en"); !found || d.Title != "Privacy at this site" || l.Version() == version {
		t.Errorf("after a change: %v, version %s", d, l.Version())
	}
	if err := os.Remove(filepath.Join(folder, "about.ru.md")); err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Minute)
	if _, found := l.Find("about", "ru"); found {
		t.Error("a removed file is shown")
	}
}

// TestNoFolderHasNoPages is a service without the setting.
func TestNoFolderHasNoPages(t *testing.T) {
	l := documents.New("", time.Now, slog.Default())
	if _, found := l.Find("imprint", "en"); found || l.Version() != "" || len(l.List("en")) != 0 {
		t.Error("there are pages")
	}
}
