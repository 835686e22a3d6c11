package webhook

import "testing"

// TestEveryKindHasReadScope checks the table with which webhooks of API keys are allowed.
func TestEveryKindHasReadScope(t *testing.T) {
	for _, kind := range kinds {
		if readScopes[kind] == "" {
			t.Errorf("no scope reads what %s shows", kind)
		}
	}
}
