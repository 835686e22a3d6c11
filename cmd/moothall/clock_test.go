package main

import (
	"bytes"
	"strings"
	"testing"

	"moothall/internal/test/dbtest"
)

func TestClockIsShownAndTrusted(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			environment := map[string]string{"DATABASE_URL": dbtest.URL(t, engine)}
			for _, step := range []struct{ args, want string }{
				{"clock", "Stored time of the service: never\n"},
				{"clock trust", "Stored time of the service: 20"},
				{"clock", "Stored time of the service: 20"},
			} {
				var stderr bytes.Buffer
				code, out := invoke(t, t.Context(), environment, &stderr, strings.Fields(step.args)...)
				if code != 0 || !strings.HasPrefix(out, "Clock of the ") || !strings.Contains(out, step.want) {
					t.Errorf("%s: code %d, %s%s", step.args, code, out, stderr.String())
				}
			}
		})
	}
}
