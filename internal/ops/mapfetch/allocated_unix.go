//go:build unix

package mapfetch

import "syscall"

// allocated returns the bytes that a file takes on the disk, which are fewer than its size if parts were not written yet.
func allocated(path string) uint64 {
	var s syscall.Stat_t
	if syscall.Stat(path, &s) != nil {
		return 0
	}
	const block = 512
	return uint64(s.Blocks) * block
}
