package assets

import (
	"path"
	"strings"
	"testing"
)

// TestScriptsStaySmall holds the budgets of what browsers load, compressed by Brotli: the map,
// and all other scripts together.
func TestScriptsStaySmall(t *testing.T) {
	mapBytes, scriptBytes := 0, 0
	for name, file := range fileOf {
		switch {
		case strings.HasPrefix(name, "map.") || strings.HasPrefix(name, "map-"):
			mapBytes += len(read(file + ".br"))
		case path.Ext(name) == ".js":
			scriptBytes += len(read(file + ".br"))
		}
	}
	t.Logf("map %d bytes, other scripts %d bytes", mapBytes, scriptBytes)
	if mapBytes > 390_000 || scriptBytes > 20<<10 {
		t.Errorf("map %d bytes, other scripts %d bytes", mapBytes, scriptBytes)
	}
}
