package view

import (
	_ "embed" // the zones
	"slices"
	"strings"
)

// zoneNames are the IANA zones of places, one for each entry of zone.tab, in alphabetical order.
//
//go:embed zones.txt
var zoneNames string

// zonesWith returns the time zones to choose from, with a chosen one.
func zonesWith(chosen string) []string {
	all := strings.Fields(zoneNames)
	if i, found := slices.BinarySearch(all, chosen); !found && chosen != "" {
		all = slices.Insert(all, i, chosen)
	}
	return all
}
