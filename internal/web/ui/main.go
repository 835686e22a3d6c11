// Command ui builds what browsers load: it bundles styles and scripts, collects the icons,
// compresses the files and generates the Go code of the templates. It needs no Node.js.
//
// It runs in the folder internal/web, by go generate. The same sources give the same files.
package main

import (
	"errors"
	"fmt"
	"os"
)

func main() {
	if err := errors.Join(buildAssets(), generateTemplates("view")); err != nil {
		fmt.Fprintln(os.Stderr, "ui:", err)
		os.Exit(1)
	}
}
