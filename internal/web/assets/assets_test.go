package assets

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// TestScriptsStaySmall holds the budgets of what a browser loads for one page, compressed by Brotli: the map, and all other scripts
// together. A page has at most one module of its own.
func TestScriptsStaySmall(t *testing.T) {
	modules := []string{"account.js", "edit.js", "find.js", "install.js"} // view.Page.Module, and cityField
	mapBytes, scriptBytes, moduleBytes := 0, 0, 0
	for name, file := range fileOf {
		if path.Ext(name) != ".js" {
			continue
		}
		size := len(read(file + ".br"))
		switch {
		case strings.HasPrefix(name, "map.") || strings.HasPrefix(name, "map-"):
			mapBytes += size
		case slices.Contains(modules, name):
			moduleBytes = max(moduleBytes, size)
		default:
			scriptBytes += size
		}
	}
	scriptBytes += moduleBytes
	t.Logf("map %d bytes, other scripts %d bytes", mapBytes, scriptBytes)
	if moduleBytes == 0 || mapBytes > 390_000 || scriptBytes > 20<<10 {
		t.Errorf("map %d bytes, other scripts %d bytes", mapBytes, scriptBytes)
	}
}
