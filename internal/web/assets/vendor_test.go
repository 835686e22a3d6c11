package assets

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// TestVendoredFilesAreAsPublished compares the files of npm packages with their list of hashes.
func TestVendoredFilesAreAsPublished(t *testing.T) {
	vendor := os.DirFS("../ui/vendor")
	list, err := vendor.Open("SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for lines := bufio.NewScanner(list); lines.Scan(); {
		sum, name, _ := strings.Cut(lines.Text(), "  ./")
		want[name] = sum
	}
	err = fs.WalkDir(vendor, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == "SHA256SUMS" {
			return err
		}
		content, err := fs.ReadFile(vendor, name)
		sum := sha256.Sum256(content)
		if want[name] != hex.EncodeToString(sum[:]) {
			t.Errorf("%s is not the file in SHA256SUMS", name)
		}
		delete(want, name)
		return err
	})
	if err != nil || len(want) > 0 {
		t.Errorf("missing: %v, %v", want, err)
	}
}
