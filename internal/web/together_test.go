package web

import (
	"errors"
	"fmt"
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
		for _, remote := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/remote=%t", name, remote), func(t *testing.T) {
				done.Store(0)
				site := &Site{Options: Options{RemoteDatabase: remote}}
				if err := site.together(row.calls...); !errors.Is(err, row.want) {
					t.Errorf("%v, want %v", err, row.want)
				}
				if all := len(row.calls); (remote || row.want == nil) && int(done.Load()) != all {
					t.Errorf("%d of %d calls", done.Load(), all)
				}
			})
		}
	}
}

// TestTogetherPanics shows a panic of a call to the server, which answers it.
func TestTogetherPanics(t *testing.T) {
	defer func() {
		if reason := recover(); reason != "broken" {
			t.Errorf("the panic is %v", reason)
		}
	}()
	_ = concurrently([]func() error{func() error { return nil }, func() error { panic("broken") }})
}
