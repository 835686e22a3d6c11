package main

import (
	"fmt"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/maptile"
	"github.com/paulmach/orb/simplify"
)

const (
	maxZoom = 6
	margin  = 24 // around a tile, in its units
)

// precision returns the width of a tile in its units, and how far lines may be moved, in these units.
// Tiles are 512 px wide on the screen. Those of the last zoom are also shown enlarged, so they are finer.
func precision(zoom maptile.Zoom) (extent uint32, tolerance float64) {
	if zoom == maxZoom {
		return 4096, 2
	}
	return 1024, 1.2
}

// tile is a compressed vector tile.
type tile struct {
	at   maptile.Tile
	data []byte
}

// cut returns the tiles of zoom 0 to maxZoom that are not empty.
func cut(layers []layer) ([]tile, error) {
	c := cutter{}
	err := c.cut(maptile.New(0, 0, 0), layers)
	return c.tiles, err
}

type cutter struct {
	tiles []tile
	done  int // tiles of reportZoom
}

// reportZoom is the zoom whose tiles are the steps of the progress.
const reportZoom = 3

// cut encodes a tile and the tiles inside it from the layers of the tile around it.
func (c *cutter) cut(at maptile.Tile, around []layer) error {
	layers := inside(at, around)
	if len(layers) > 0 {
		data, err := encodeTile(at, layers)
		if err != nil {
			return err
		}
		if data != nil {
			c.tiles = append(c.tiles, tile{at, data})
		}
		if at.Z < maxZoom {
			for _, child := range at.Children() {
				if err := c.cut(child, layers); err != nil {
					return err
				}
			}
		}
	}
	if at.Z == reportZoom {
		c.done++
		fmt.Printf("\rtiles: %d%%", 100*c.done>>(2*reportZoom))
	}
	if at.Z == 0 {
		fmt.Println()
	}
	return nil
}

// inside clips the features to a tile and its margin. It omits layers without features.
func inside(at maptile.Tile, layers []layer) (clipped []layer) {
	bound := at.Bound()
	bound = bound.Pad((bound.Max[0] - bound.Min[0]) * margin / 1024)
	for _, l := range layers {
		part := layer{name: l.name}
		for _, f := range l.features {
			if !f.bound.Intersects(bound) {
				continue
			}
			if !bound.Contains(f.bound.Min) || !bound.Contains(f.bound.Max) {
				f.geometry = clip.Geometry(bound, orb.Clone(f.geometry))
				if f.geometry == nil {
					continue
				}
				f.bound = f.geometry.Bound()
			}
			part.features = append(part.features, f)
		}
		if len(part.features) > 0 {
			clipped = append(clipped, part)
		}
	}
	return clipped
}

// encodeTile returns nil if the tile has no feature at its zoom.
func encodeTile(at maptile.Tile, layers []layer) ([]byte, error) {
	var encoded mvt.Layers
	width, tolerance := precision(at.Z)
	bound := orb.Bound{Min: orb.Point{-margin, -margin}, Max: orb.Point{float64(width) + margin, float64(width) + margin}}
	for _, l := range layers {
		e := mvt.NewLayer(l.name, l.visible(at))
		e.Version, e.Extent = 2, width
		e.ProjectToTile(at)
		e.Clip(bound)
		e.Simplify(simplify.DouglasPeucker(tolerance))
		for _, f := range e.Features {
			f.Geometry = removeSpecks(f.Geometry)
		}
		e.RemoveEmpty(1, 1)
		if len(e.Features) > 0 {
			encoded = append(encoded, e)
		}
	}
	if len(encoded) == 0 {
		return nil, nil
	}
	data, err := mvt.Marshal(encoded)
	return compress(data), err
}
