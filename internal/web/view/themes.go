package view

import (
	"slices"
	"strconv"
)

// Themes are the themes of events that the form offers. The style sheet has a class hue-N for each.
var Themes = []string{"cherry", "coral", "amber", "honey", "meadow", "mint", "teal", "sky", "blue", "violet", "orchid", "rose"}

// Colors returns the classes of the colours of a theme; "" for none, and for one that this version does not know.
func Colors(theme string) string {
	if i := slices.Index(Themes, theme); i >= 0 {
		return "themed hue-" + strconv.Itoa((i+hues-1)%hues) // hue-11 is the first of the circle
	}
	return ""
}
