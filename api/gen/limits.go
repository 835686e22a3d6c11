package gen

// MaxLength returns how many code points a text in a request may have: a parameter of an operation, or a property of its JSON
// body. It returns 0 for any other name, and for texts without a limit.
func MaxLength(operation, name string) int { return maxLengths[operation+" "+name] }
