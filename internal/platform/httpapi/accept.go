package httpapi

import (
	"iter"
	"net/http"
	"strconv"
	"strings"
)

// mediaRanges yields the media ranges of Accept in lower case with their qualities, from 0 to 1. A malformed quality is 0.
func mediaRanges(accept []string) iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		for _, line := range accept {
			for part := range strings.SplitSeq(line, ",") {
				name, parameters, _ := strings.Cut(part, ";")
				if name = strings.ToLower(strings.TrimSpace(name)); name != "" && !yield(name, quality(parameters)) {
					return
				}
			}
		}
	}
}

// quality returns the parameter q, which is 1 if it is absent.
func quality(parameters string) float64 {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(parameter, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(q >= 0 && q <= 1) { // also not a number
			return 0
		}
		return q
	}
	return 1
}

// prefersHTML reports whether Accept gives HTML a higher quality than JSON. The most specific range of a type decides
// (RFC 9110 §12.5.1).
func prefersHTML(accept []string) bool {
	var html, json rangeQuality
	for name, q := range mediaRanges(accept) {
		html.match(name, q, "text/html", "text/*")
		json.match(name, q, "application/json", "application/*")
	}
	return html.quality > json.quality
}

// rangeQuality is the quality of a media type by the most specific range so far.
type rangeQuality struct {
	quality     float64
	specificity int
}

func (r *rangeQuality) match(name string, q float64, exact, partial string) {
	specificity := 0
	switch name {
	case exact:
		specificity = 3
	case partial:
		specificity = 2
	case "*/*":
		specificity = 1
	}
	if specificity > r.specificity {
		r.quality, r.specificity = q, specificity
	}
}

// wantsProblem reports whether Accept names problem+json with at least the quality
// of plain JSON.
func wantsProblem(accept []string) bool {
	var problem, plain float64
	for name, q := range mediaRanges(accept) {
		switch name {
		case problemType:
			problem = q
		case "application/json":
			plain = q
		}
	}
	return problem > 0 && problem >= plain
}

// wantsPage reports whether a read gets the page of an address rather than the operation: a browser navigates, the
// caller prefers HTML to JSON, or htmx replaces a part of a page. Programs that send Authorization get no pages.
func wantsPage(r *http.Request) bool {
	if !isRead(r) || r.Header["Authorization"] != nil {
		return false
	}
	return r.Header.Get("Sec-Fetch-Mode") == "navigate" || r.Header["Hx-Request"] != nil || prefersHTML(r.Header["Accept"])
}

func isRead(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }
