package sqlite

import (
	"errors"
	"testing"

	"moothall/internal/platform/db/driver"
)

// TestLongBusyIsUnavailable lets probes find a busy database, now and since busyLimit, with
// and without a commit in between.
func TestLongBusyIsUnavailable(t *testing.T) {
	p := &prober{}
	if err := p.tolerateBusy(errBusy, -1); err != nil {
		t.Errorf("at first: %v", err)
	}
	p.busySince -= busyLimit
	if err := p.tolerateBusy(errBusy, p.busySince+1); err != nil {
		t.Errorf("after a commit: %v", err)
	}
	p.busySince -= busyLimit
	if err := p.tolerateBusy(errBusy, p.busySince-1); !errors.Is(err, driver.ErrUnavailable) {
		t.Errorf("after %v: %v", busyLimit, err)
	}
	if err := p.tolerateBusy(nil, 0); err != nil || p.busySince != 0 {
		t.Errorf("after a write: %v, busy since %v", err, p.busySince)
	}
}
