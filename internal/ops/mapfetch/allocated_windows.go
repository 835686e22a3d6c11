package mapfetch

// allocated returns 0: what was fetched counts twice.
func allocated(string) uint64 { return 0 }
