package app

import (
	"regexp"
	"runtime"
	"runtime/debug"

	"moothall/api"
	"moothall/internal/platform/db/migrate"
)

// The linker sets these for a release (.goreleaser.yaml).
var version, commit, commitDate string

// Version is the version of the build, for example 0.1.0.
var Version = buildVersion()

const maxVersion = 40 // characters (contract §1)

func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	switch {
	case version != "":
		return version
	case !ok || info.Main.Version == "" || info.Main.Version == "(devel)":
		return "development"
	}
	return info.Main.Version[:min(len(info.Main.Version), maxVersion)]
}

// Build describes a build of the program.
type Build struct {
	Version  string
	Commit   string // or "unknown"
	Date     string // of the commit, RFC 3339; empty if unknown
	Go       string // version of Go and the system, for example "go1.26.8 linux/amd64"
	Schema   int    // number of the newest migration
	Contract string // version of the contract
}

// ThisBuild describes the running program.
func ThisBuild() Build {
	b := Build{
		Version: Version, Commit: "unknown",
		Go:     runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH,
		Schema: migrate.Newest(), Contract: contractVersion(),
	}
	if commit != "" {
		b.Commit, b.Date = commit, commitDate
		return b
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings { // of "go build" in a repository
			switch s.Key {
			case "vcs.revision":
				b.Commit = s.Value
			case "vcs.time":
				b.Date = s.Value
			}
		}
	}
	return b
}

var contractVersionLine = regexp.MustCompile(`(?m)^  version: (\S+)$`)

func contractVersion() string {
	return string(contractVersionLine.FindSubmatch(api.Spec)[1]) // TestBuildKnowsItsContract
}
