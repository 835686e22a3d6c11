package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"moothall/internal/ops/mapfetch"
	"moothall/internal/platform/pmtiles"
)

func (c *call) mapCommand() *cobra.Command {
	command := &cobra.Command{
		Use: "map", Short: "Manage the streets of the map",
		Example: "moothall map fetch --near Berlin --radius 60km", Args: cobra.ArbitraryArgs, RunE: needsCommand,
	}
	command.AddCommand(c.mapFetchCommand())
	return command
}

// mapArea are the flags that say what to fetch.
type mapArea struct{ near, radius, bbox, country string }

func (c *call) mapFetchCommand() *cobra.Command {
	var area mapArea
	var source, output string
	var maxZoom, maxSize int
	command := &cobra.Command{
		Use: "fetch", Short: "Fetch the streets of an area for the map, while the service runs",
		Long: `Fetch the streets of an area for the map, while the service runs.

The tiles come from a PMTiles archive with the layers of Protomaps, by default the newest one of ` + mapfetch.Builds + `.
Only the parts that the area needs are requested. An interrupted fetch continues when the same command runs again.
The service shows the streets within a minute.`,
		Example: "moothall map fetch --near Berlin --radius 60km",
		Args:    arguments(),
		RunE: func(command *cobra.Command, _ []string) error {
			if maxZoom < mapfetch.MinZoom || maxZoom > mapfetch.MaxZoom || maxSize < 1 || maxSize > 1<<20 {
				return usageError{fmt.Errorf("--maxzoom must be %d to %d, --max-size at least 1", mapfetch.MinZoom, mapfetch.MaxZoom)}
			}
			boxes, err := area.boxes()
			if err != nil {
				return usageError{err}
			}
			return c.fetchMap(command.Context(), mapfetch.Request{
				Source: source, Boxes: boxes, Output: output,
				MaxZoom:  uint8(maxZoom),
				MaxBytes: uint64(maxSize) << 20,
			})
		},
	}
	flags := command.Flags()
	flags.StringVar(&area.near, "near", "", "`city` in the centre, like Berlin or \"Frankfurt, DE\"")
	flags.StringVar(&area.radius, "radius", "60km", "`distance` from the city, to all sides")
	flags.StringVar(&area.bbox, "bbox", "", "`west,south,east,north` in degrees, instead of a city")
	flags.StringVar(&area.country, "country", "", "`code` of a country, like DE: the surroundings of its towns and villages")
	flags.StringVar(&source, "source", "", "`URL` or path of the archive (default: the newest build of Protomaps)")
	flags.StringVar(&output, "output", "", "`path` of the new archive (default: that of MAP_TILES)")
	flags.IntVar(&maxZoom, "maxzoom", mapfetch.MaxZoom, "largest `zoom`; each one less needs about half the space")
	flags.IntVar(&maxSize, "max-size", 10<<10, "maximum size of the archive in `MB`")
	return command
}

func (a mapArea) boxes() ([]pmtiles.Box, error) {
	switch {
	case a.near != "" && a.bbox == "" && a.country == "":
		return mapfetch.Near(a.near, a.radius)
	case a.bbox != "" && a.near == "" && a.country == "":
		return mapfetch.ParseBBox(a.bbox)
	case a.country != "" && a.near == "" && a.bbox == "":
		return mapfetch.Country(a.country)
	}
	return nil, errors.New("needs one of --near, --bbox and --country")
}

func (c *call) fetchMap(ctx context.Context, r mapfetch.Request) error {
	if r.Output == "" {
		s, err := c.settings()
		if err != nil {
			return err
		}
		if r.Output = s.Tiles.File(); r.Output == "" {
			return usageError{errors.New("MAP_TILES is an archive on another server: name the new one by --output")}
		}
	}
	if r.Source == "" {
		if r.Source = mapfetch.Continues(r.Output); r.Source == "" {
			var err error
			if r.Source, err = mapfetch.Newest(ctx, mapfetch.Builds, time.Now()); err != nil {
				return err
			}
		}
	}
	_, _ = fmt.Fprintf(c.stderr, "Fetching %s from %s\n", r.Output, r.Source) // best effort
	r.Pause, r.Progress = time.Second, c.stderr
	result, err := mapfetch.Fetch(ctx, r)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "%s: %d tiles, %d MB\n", r.Output, result.Tiles, (result.Bytes+1<<20-1)>>20)
	return err
}
