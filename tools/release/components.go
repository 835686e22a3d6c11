package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"
)

// components returns the list of modules in a program, in the format CycloneDX 1.6. It reads
// them from the program itself.
func (r release) components(path string, program []byte) ([]byte, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return nil, err
	}
	main := cyclonedx.Component{
		BOMRef: "pkg:generic/moothall@" + r.version, Type: cyclonedx.ComponentTypeApplication, Name: "moothall", Version: r.version,
		Licenses: &cyclonedx.Licenses{{License: &cyclonedx.License{ID: "MIT"}}},
		Hashes:   &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: fmt.Sprintf("%x", sha256.Sum256(program))}},
	}
	var list []cyclonedx.Component
	var uses []string
	for _, m := range info.Deps {
		if m.Replace != nil && m.Replace.Version != "" { // otherwise it is a folder of the repository
			m = m.Replace
		}
		c := cyclonedx.Component{Type: cyclonedx.ComponentTypeLibrary, Name: m.Path, Version: m.Version}
		c.PackageURL = "pkg:golang/" + strings.ToLower(m.Path) + "@" + m.Version
		c.BOMRef = c.PackageURL
		if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.Sum, "h1:")); err == nil && len(sum) > 0 {
			c.Properties = &[]cyclonedx.Property{{Name: "go:h1", Value: hex.EncodeToString(sum)}}
		}
		list, uses = append(list, c), append(uses, c.BOMRef)
	}
	standard := cyclonedx.Component{
		BOMRef: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go"), Type: cyclonedx.ComponentTypeLibrary, Name: "std", Version: info.GoVersion,
	}
	standard.PackageURL = standard.BOMRef
	list, uses = append(list, standard), append(uses, standard.BOMRef)

	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{Timestamp: r.at.Format(time.RFC3339), Component: &main}
	bom.Components = &list
	bom.Dependencies = &[]cyclonedx.Dependency{{Ref: main.BOMRef, Dependencies: &uses}}
	var text bytes.Buffer
	err = cyclonedx.NewBOMEncoder(&text, cyclonedx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bom, cyclonedx.SpecVersion1_6)
	return text.Bytes(), err
}
