package text

// IsOneTypo reports whether two words differ by one typo: a character that is missing, added or
// replaced, or two that are swapped.
func IsOneTypo(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	for len(x) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	switch len(y) {
	case 1:
		return true // missing, added or replaced
	case 2:
		return len(x) == 2 && x[0] == y[1] && x[1] == y[0]
	default:
		return false
	}
}
