package db

import (
	"errors"
	"testing"
)

// TestLongBusyIsUnavailable lets probes find a busy database, now and since busyLimit.
func TestLongBusyIsUnavailable(t *testing.T) {
	p := &sqliteProbe{}
	if err := p.tolerateBusy(errBusy); err != nil {
		t.Errorf("at first: %v", err)
	}
	p.busySince -= busyLimit
	if err := p.tolerateBusy(errBusy); !errors.Is(err, ErrUnavailable) {
		t.Errorf("after %v: %v", busyLimit, err)
	}
	if err := p.tolerateBusy(nil); err != nil || p.busySince != 0 {
		t.Errorf("after a write: %v, busy since %v", err, p.busySince)
	}
}
