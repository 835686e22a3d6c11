package observe

import (
	"syscall"
	"time"
)

func used() time.Duration {
	process, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0
	}
	var created, exited, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(process, &created, &exited, &kernel, &user); err != nil {
		return 0
	}
	return elapsed(kernel) + elapsed(user)
}

// elapsed returns a duration, which Windows counts in units of 100 ns.
func elapsed(t syscall.Filetime) time.Duration {
	return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
}
