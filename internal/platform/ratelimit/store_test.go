package ratelimit

import (
	"testing"
	"time"
)

// A flood of keys that are all in use does not fill the memory.
func TestFloodOfKeys(t *testing.T) {
	m := NewMemory()
	m.most = 10_000
	now := time.Now()
	for i := range 3 * m.most {
		_, _, _ = m.Take(t.Context(), Key{byte(i), byte(i >> 8)}, Quota{N: 1, Window: time.Hour}, now)
		if len(m.free) > m.most {
			t.Fatalf("%d keys are kept", len(m.free))
		}
	}
	if len(m.free) < m.most/2 {
		t.Errorf("only %d keys are kept", len(m.free))
	}
}
