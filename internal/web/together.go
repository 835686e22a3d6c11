package web

import (
	"sync"
)

// maxTogether is how many calls of a page run at the same time. They share the connections to the database with other requests.
const maxTogether = 4

// together carries out calls that need nothing of each other, some of them at the same time. It waits for all of them, and
// returns the error of the first in the order of its arguments, as if they had followed each other.
func together(calls ...func() error) error {
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
