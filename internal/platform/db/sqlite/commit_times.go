package sqlite

import (
	"slices"
	"sync/atomic"
	"time"
)

// longestWait limits how long a transaction of the next group waits for a slow disk.
const longestWait = 3 * time.Second

// commitTimes measures how long the latest commits have taken. One goroutine adds, any number reads.
type commitTimes struct {
	latest [3]time.Duration
	count  int
	median atomic.Int64
}

func (c *commitTimes) add(took time.Duration) {
	c.latest[c.count%len(c.latest)] = took
	c.count++
	sorted := slices.Sorted(slices.Values(c.latest[:]))
	c.median.Store(int64(sorted[len(sorted)/2]))
}

// wait returns how long a transaction of the next group waits: up to four times as long as a commit takes,
// because it waits for the disk and not for a crowd. At least as long as usual.
func (c *commitTimes) wait(usual time.Duration) time.Duration {
	return max(usual, min(4*time.Duration(c.median.Load()), longestWait))
}
