package ratelimit

import (
	"testing"
	"time"
)

func TestMemoryIsBoundedUnderFlood(t *testing.T) {
	m := NewMemory()
	m.maxKeys = 10_000
	now := time.Now()
	for i := range 3 * m.maxKeys {
		_, _, _ = m.Take(t.Context(), Key{byte(i), byte(i >> 8)}, Quota{N: 1, Window: time.Hour}, 1, now)
		if len(m.free) > m.maxKeys {
			t.Fatalf("%d keys are stored", len(m.free))
		}
	}
	if len(m.free) < m.maxKeys/2 {
		t.Errorf("only %d keys are stored", len(m.free))
	}
}
