package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/evanw/esbuild/pkg/api"
	"github.com/klauspost/compress/gzip"
)

const (
	dist = "assets/dist" // the built files, which package assets embeds

	// assetURL is the address of the built files.
	assetURL = "/assets/"
)

// entryPoints are the sources of the bundles. Each one gives a file with the name of its base.
var entryPoints = []string{
	"ui/css/site.css",        // becomes part of each page
	"ui/css/first-list.css",  // becomes part of lists of events
	"ui/css/first-event.css", // becomes part of the page of an event
	"ui/css/more.css",        // on every page of an anonymous visitor; the first pages of most visitors wait for it last
	"ui/css/all.css",         // on every page of a visitor who is signed in
	"ui/ts/app.ts",           // on every page
	"ui/ts/worker.ts",        // in the background, for visitors who are signed in
}

// modules are the sources of the bundles that only some pages load.
var modules = []string{
	"ui/ts/account.ts",
	"ui/ts/edit.ts",
	"ui/ts/find.ts",
	"ui/ts/install.ts",
	"ui/css/map.css",
	"ui/ts/live.ts",
	"ui/ts/map.ts",
}

// published are the packages that scripts import by their names.
var published = map[string]string{
	"htmx.org":    "./ui/vendor/htmx.org/htmx.esm.min.js",
	"maplibre-gl": "./ui/vendor/maplibre-gl/maplibre-gl.mjs",
	"pmtiles":     "./ui/vendor/pmtiles/pmtiles.js",
	"fflate":      "./ui/vendor/fflate/fflate.js",
}

// asset is a file that browsers load. The name of its file contains a hash of its content,
// so that browsers may keep it for ever.
type asset struct {
	name    string // such as app.js
	content []byte
}

// buildAssets replaces the files in dist.
func buildAssets() error {
	if err := errors.Join(os.RemoveAll(dist), os.MkdirAll(dist, 0o755)); err != nil { //nolint:gosec // for everybody
		return err
	}
	icons, err := sprite("ui/vendor/lucide")
	if err != nil {
		return err
	}
	logo, err := os.ReadFile("ui/mark.svg")
	if err != nil {
		return err
	}
	installed, err := drawIcons(logo)
	if err != nil {
		return err
	}
	shots, err := screenshots()
	if err != nil {
		return err
	}
	fileOf := map[string]string{}
	for _, a := range append(append(installed, shots...), icons, asset{"mark.svg", logo}) {
		if fileOf[a.name], err = a.write(); err != nil {
			return err
		}
	}
	worker, err := os.ReadFile("ui/vendor/maplibre-gl/maplibre-gl-worker.mjs")
	if err != nil {
		return err
	}
	if fileOf["map-worker.js"], err = (asset{"map-worker.js", worker}).write(); err != nil {
		return err
	}
	if err := errors.Join(bundle(fileOf, api.FormatIIFE, entryPoints), bundle(fileOf, api.FormatESModule, modules)); err != nil {
		return err
	}
	list, err := json.MarshalIndent(fileOf, "", "\t")
	if err != nil {
		return err
	}
	return write("assets.json", append(list, '\n'))
}

// screenshots returns the pictures of the manifest, which "make pictures" has drawn.
func screenshots() (list []asset, err error) {
	for _, window := range []string{"phone", "desktop"} {
		content, err := os.ReadFile("../../docs/pictures/discover-" + window + "-light.webp") //nolint:gosec // of two
		if err != nil {
			return nil, err
		}
		list = append(list, asset{"screenshot-" + window + ".webp", content})
	}
	return list, nil
}

// bundle builds entry points, and the files that they refer to. It adds the names of the files
// to fileOf.
func bundle(fileOf map[string]string, format api.Format, entryPoints []string) error {
	result := api.Build(api.BuildOptions{
		EntryPoints: entryPoints,
		Alias:       published,
		Outdir:      dist,
		EntryNames:  "[name]",
		AssetNames:  "[name]-[hash]",
		PublicPath:  strings.TrimSuffix(assetURL, "/"),
		Bundle:      true,
		Format:      format,
		Target:      api.ES2022,
		Engines: []api.Engine{{Name: api.EngineChrome, Version: "123"}, {Name: api.EngineFirefox, Version: "121"},
			{Name: api.EngineSafari, Version: "17.5"}},
		Define: map[string]string{"ICON": strconv.Quote(assetURL + fileOf["icon-192.png"])},
		Loader: map[string]api.Loader{".woff2": api.LoaderFile},

		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		LegalComments:     api.LegalCommentsNone, // the licences are in ui/vendor
	})
	if len(result.Errors) > 0 {
		return errors.New(strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{Kind: api.ErrorMessage}), ""))
	}
	for _, f := range result.OutputFiles {
		name := filepath.Base(f.Path)
		var err error
		switch {
		case name == "site.css" || strings.HasPrefix(name, "first-"):
			err = write(name, f.Contents)
		case path.Ext(name) == ".woff2": // compressed already; esbuild has added the hash
			err = write(name, f.Contents)
			fileOf[hash.ReplaceAllString(name, "")] = name
		default:
			fileOf[name], err = asset{name, f.Contents}.write()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// hash is the hash that esbuild adds to the name of a file.
var hash = regexp.MustCompile(`-[A-Z0-9]{8}`)

// write stores the compressed forms of an asset and returns the name of the file.
func (a asset) write() (file string, err error) {
	sum := sha256.Sum256(a.content)
	extension := path.Ext(a.name)
	file = strings.TrimSuffix(a.name, extension) + "-" + base32.StdEncoding.EncodeToString(sum[:5]) + extension
	if extension == ".png" || extension == ".webp" { // compressed already
		return file, write(file, a.content)
	}
	for suffix, compressor := range map[string]func(io.Writer) io.WriteCloser{
		".br": func(w io.Writer) io.WriteCloser { return brotli.NewWriterLevel(w, brotli.BestCompression) },
		".gz": func(w io.Writer) io.WriteCloser {
			gz, _ := gzip.NewWriterLevel(w, gzip.BestCompression) // the level is valid
			return gz
		},
	} {
		var compressed bytes.Buffer
		w := compressor(&compressed)
		if _, err := w.Write(a.content); err != nil {
			return "", err
		}
		if err := w.Close(); err != nil {
			return "", err
		}
		if err := write(file+suffix, compressed.Bytes()); err != nil {
			return "", err
		}
	}
	return file, nil
}

func write(name string, content []byte) error {
	return os.WriteFile(filepath.Join(dist, name), content, 0o644) //nolint:gosec // for everybody
}

var (
	svgOpen = regexp.MustCompile(`(?s)^.*<svg[^>]*>`)
	spaces  = regexp.MustCompile(`\s+`)
)

// sprite returns one SVG with a symbol for each icon of a folder.
func sprite(folder string) (asset, error) {
	var b bytes.Buffer
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg">`)
	icons := os.DirFS(folder)
	files, err := fs.Glob(icons, "*.svg")
	slices.SortFunc(files, cmp.Compare[string])
	for _, name := range files {
		icon, err := fs.ReadFile(icons, name)
		if err != nil {
			return asset{}, err
		}
		shapes := strings.TrimSuffix(strings.TrimSpace(svgOpen.ReplaceAllString(string(icon), "")), "</svg>")
		fmt.Fprintf(&b, `<symbol id="%s" viewBox="0 0 24 24">%s</symbol>`, strings.TrimSuffix(name, ".svg"),
			strings.TrimSpace(spaces.ReplaceAllString(shapes, " ")))
	}
	b.WriteString("</svg>")
	return asset{"icons.svg", b.Bytes()}, err
}
