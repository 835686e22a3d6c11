package httpapi

import "strings"

// Known reports whether an If-None-Match header names the ETag, so that the
// caller has it already (RFC 9110 §13.1.2): weak or strong, or by "*".
func Known(ifNoneMatch, tag string) bool {
	for listed := range strings.SplitSeq(ifNoneMatch, ",") {
		if listed = strings.TrimSpace(listed); listed == "*" || strings.TrimPrefix(listed, "W/") == tag {
			return true
		}
	}
	return false
}
