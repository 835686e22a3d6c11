package apptest

import (
	"sync/atomic"
	"time"

	"moothall/internal/platform/clock"
)

// Machine is a machine whose clock may be wrong. The zero value has the right time.
type Machine struct{ ahead atomic.Int64 }

// Machines lets each instance run on a machine, one after the other. The instances then keep
// the time like a real service: App.Clock is not theirs.
func Machines(all ...*Machine) Option { return func(c *config) { c.machines = all } }

// SetAhead makes the machine's clock jump.
func (m *Machine) SetAhead(d time.Duration) { m.ahead.Store(int64(d)) }

func (m *Machine) clocks() *clock.Machine {
	real := clock.ThisMachine()
	return &clock.Machine{
		Wall:      func() time.Time { return real.Wall().Add(time.Duration(m.ahead.Load())) },
		Monotonic: real.Monotonic,
	}
}

// CheckClocks lets every instance compare its clock now. Each does so every second.
func (a *App) CheckClocks() {
	a.t.Helper()
	for _, instance := range a.apps {
		if err := instance.CheckClock(a.t.Context()); err != nil {
			a.t.Errorf("clock: %v", err)
		}
	}
}
