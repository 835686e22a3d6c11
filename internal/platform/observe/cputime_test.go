package observe_test

import (
	"runtime"
	"testing"
	"time"

	"moothall/internal/platform/observe"
)

// TestThreadCountsOnlyItsWork lets a thread sleep and then work until another goroutine sees the work.
func TestThreadCountsOnlyItsWork(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	worked := observe.ThreadTime()
	began := time.Now()
	time.Sleep(20 * time.Millisecond)
	if slept := time.Since(began); runtime.GOOS == "linux" && worked() >= slept {
		t.Errorf("the thread has worked for %v of %v, although it slept", worked(), slept)
	}
	seen := make(chan struct{})
	go func() {
		for worked() < 5*time.Millisecond {
			time.Sleep(time.Millisecond)
		}
		close(seen)
	}()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		select {
		case <-seen:
			return
		default:
		}
	}
	t.Fatal("the other goroutine does not see the work of the thread")
}
