package web

import (
	"errors"
	"sync/atomic"
	"testing"
)

func TestTogether(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	var done atomic.Int64
	call := func(err error) func() error {
		return func() error {
			done.Add(1)
			return err
		}
	}
	for name, row := range map[string]struct {
		calls []func() error
		want  error
	}{
		"no error":            {[]func() error{call(nil), call(nil), call(nil), call(nil), call(nil), call(nil), call(nil)}, nil},
		"an error":            {[]func() error{call(nil), call(second)}, second},
		"the first of errors": {[]func() error{call(nil), call(first), call(second)}, first},
	} {
		t.Run(name, func(t *testing.T) {
			done.Store(0)
			if err := together(row.calls...); !errors.Is(err, row.want) || int(done.Load()) != len(row.calls) {
				t.Errorf("%v after %d of %d calls, want %v", err, done.Load(), len(row.calls), row.want)
			}
		})
	}
}

// TestTogetherPanics shows a panic of a call to the server, which answers it.
func TestTogetherPanics(t *testing.T) {
	defer func() {
		if reason := recover(); reason != "broken" {
			t.Errorf("the panic is %v", reason)
		}
	}()
	_ = together(func() error { return nil }, func() error { panic("broken") })
}
