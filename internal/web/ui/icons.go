package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"

	"github.com/srwiley/oksvg"
	"github.com/srwiley/rasterx"
)

// paper is the background of the icons, as in tokens.css.
var paper = color.RGBA{0xFB, 0xFA, 0xF7, 0xFF}

// iconSizes are the sizes of the icons of the installed client, in pixels.
var iconSizes = []int{180, 192, 512}

// drawIcons draws the logo as icons. It leaves the edge free, which systems may cut off.
func drawIcons(logo []byte) ([]asset, error) {
	var icons []asset
	for _, size := range iconSizes {
		shape, err := oksvg.ReadIconStream(bytes.NewReader(logo), oksvg.StrictErrorMode)
		if err != nil {
			return nil, err
		}
		canvas := image.NewRGBA(image.Rect(0, 0, size, size))
		draw.Draw(canvas, canvas.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
		margin := float64(size) / 5
		shape.SetTarget(margin, margin, float64(size)-2*margin, float64(size)-2*margin)
		shape.Draw(rasterx.NewDasher(size, size, rasterx.NewScannerGV(size, size, canvas, canvas.Rect)), 1)
		var file bytes.Buffer
		if err := png.Encode(&file, canvas); err != nil {
			return nil, err
		}
		icons = append(icons, asset{fmt.Sprintf("icon-%d.png", size), file.Bytes()})
	}
	return icons, nil
}
