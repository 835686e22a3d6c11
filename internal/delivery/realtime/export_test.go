package realtime

import "time"

func init() { presenceStep = 100 * time.Millisecond }
