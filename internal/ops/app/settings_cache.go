package app

import (
	"strconv"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// Limits of the default of CACHE_MB, in megabytes.
const (
	leastCacheMB = 32
	mostCacheMB  = 1024
)

// memoryLimit returns the bytes of memory that this process may use: the limit of its cgroup, else the memory of the machine.
var memoryLimit = memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)

// defaultCacheMB returns the default of CACHE_MB: a tenth of the memory. If the memory is unknown, it is the least size.
func defaultCacheMB() string {
	bytes, err := memoryLimit()
	if err != nil {
		bytes = 0
	}
	return strconv.FormatUint(CacheMB(bytes), 10)
}

// CacheMB returns the size of the cache, in megabytes, that suits a number of bytes of memory.
func CacheMB(memory uint64) uint64 { return min(max(memory/10>>20, leastCacheMB), mostCacheMB) }
