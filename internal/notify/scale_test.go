//go:build !race

package notify_test

const scale = 1
