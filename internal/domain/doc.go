// Package domain defines the types that all packages share: ids, refusals, the viewer,
// the clock, cursors and pages. It may import only the standard library.
package domain
