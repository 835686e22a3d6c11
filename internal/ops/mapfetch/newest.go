package mapfetch

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Builds is where the Protomaps project publishes a map of the whole world each day, from OpenStreetMap.
const Builds = "https://build.protomaps.com/"

// maxBuildAge is the age, in days, of the oldest build that Newest looks for.
const maxBuildAge = 7

// Newest returns the URL of the newest build below a base address.
func Newest(ctx context.Context, base string, now time.Time) (string, error) {
	var failed error
	for days := range maxBuildAge {
		address := base + now.UTC().AddDate(0, 0, -days).Format("20060102") + ".pmtiles"
		src, err := openSource(ctx, address, time.Second)
		if err == nil {
			src.close()
			return address, nil
		}
		if failed = err; !errors.As(err, new(refusedError)) {
			break // the server cannot be reached
		}
	}
	return "", fmt.Errorf("no build was found (%w): name one by --source", failed)
}

// Continues returns the source of an interrupted fetch to an output; empty if there is none.
func Continues(output string) string {
	source, _ := readSource(output + ".part.log")
	return source
}
