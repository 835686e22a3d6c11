// Package cputime measures the processor time of this process, for benchmarks.
package cputime

import "time"

// Used returns the time for which all threads of this process have run, in the kernel, too. It
// returns 0 if the system does not tell.
func Used() time.Duration { return used() }
