//go:build race

package notify_test

// scale divides the large audiences: under the race detector everything is
// tens of times slower.
const scale = 10
