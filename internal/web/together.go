package web

import (
	"sync"
)

// maxTogether is how many calls of a page run at the same time. They share the connections to the database with other requests.
const maxTogether = 4

// together carries out calls that need nothing of each other. It returns the error of the first that fails, in the order of its arguments.
// Only calls that wait for a database on the network run at the same time: to start a goroutine costs more than most statements of SQLite.
func (s *Site) together(calls ...func() error) error {
	if s.RemoteDatabase {
		return concurrently(calls)
	}
	for _, call := range calls {
		if err := call(); err != nil {
			return err
		}
	}
	return nil
}

// concurrently is together for calls that run at the same time. It waits for all of them.
func concurrently(calls []func() error) error {
	var (
		running  sync.WaitGroup
		free     = make(chan struct{}, maxTogether-1)
		failures = make([]error, len(calls))
		panicked = make([]any, len(calls))
	)
	for i, call := range calls[1:] {
		free <- struct{}{}
		running.Go(func() {
			defer func() {
				panicked[i] = recover() // a panic of another goroutine would end the program
				<-free
			}()
			failures[i+1] = call()
		})
	}
	failures[0] = calls[0]()
	running.Wait()
	for _, reason := range panicked {
		if reason != nil {
			panic(reason)
		}
	}
	for _, err := range failures {
		if err != nil {
			return err
		}
	}
	return nil
}
