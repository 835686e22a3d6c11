package observe

import "time"

// ProcessorTime returns the time for which all threads of this process have run, in the kernel, too. It
// returns 0 if the system does not report it.
func ProcessorTime() time.Duration { return used() }

// ThreadTime returns a function that reports for how long the calling thread has run since this call. The caller must have
// locked its goroutine to the thread. Any goroutine may call the function. Where the system does not
// report it, the function returns the time that has passed.
func ThreadTime() (worked func() time.Duration) {
	clock := threadClock()
	began := clock()
	return func() time.Duration { return clock() - began }
}
