// Command packages checks the Helm chart and the files for Docker Compose in deploy/. It lints and
// renders the chart, decodes the rendered objects as Kubernetes does, and loads the Compose files.
//
//	go run . ../../deploy
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: packages FOLDER")
		os.Exit(2)
	}
	folder := os.Args[1]
	err := errors.Join(checkChart(filepath.Join(folder, "helm", "moothall")), checkCompose(context.Background(), filepath.Join(folder, "compose")))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
