package event

import (
	"regexp"
	"sync"
	"time"

	"github.com/ringsaturn/tzf"
)

// notPlaces matches what time.LoadLocation takes but no organizer means: the
// machine's own zone, fixed offsets and the variants some systems install.
var notPlaces = regexp.MustCompile(`^(|Local|localtime|Factory|posixrules|(Etc|posix|right)/.*|EST|MST|HST|GMT.*|Greenwich|UCT|Universal|Zulu)$`)

// KnownZone reports whether the name is an IANA zone of a place (contract §0).
func KnownZone(name string) bool {
	if notPlaces.MatchString(name) {
		return false
	}
	_, err := time.LoadLocation(name)
	return err == nil
}

// zones is loaded when the first place needs it: it costs some 0.1 s and 30 MB.
var zones = sync.OnceValues(tzf.NewDefaultFinder)

// LoadZones does that loading now, so that no request has to wait for it.
func LoadZones() { _, _ = zones() }

// zoneAt is the zone of a place, or the fallback where there is no place, no
// zone of land, or no data.
func zoneAt(lat, lng *float64, fallback string) string {
	if lat == nil || lng == nil {
		return fallback
	}
	finder, err := zones()
	if err != nil {
		return fallback
	}
	if name := finder.GetTimezoneName(*lng, *lat); KnownZone(name) {
		return name
	}
	return fallback
}
