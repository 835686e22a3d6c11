package driver

import (
	"crypto/rand"
	"time"

	"moothall/internal/domain"
)

// ProbeTimeout limits one probe.
const ProbeTimeout = 1200 * time.Millisecond

// fillerSize is how many bytes a probe writes: more than a page, so that the store must find space for it.
const fillerSize = 8 << 10

// NewProbe returns the id and the filler of a row of health_probes. PostgreSQL cannot compress the filler.
func NewProbe() (id domain.ID[any], filler []byte) {
	filler = make([]byte, fillerSize)
	_, _ = rand.Read(filler) // never fails
	return domain.RandomID[any](), filler
}
