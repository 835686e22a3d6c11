package gen

// Operation is what a server must know of an operation beside the generated code. Operations lists them all. It is
// compiled, so that no start of the program reads the contract.
type Operation struct {
	ID, Method, Route string
	Lane              string     // of operations whose overload leaves the others free (x-lane); empty: the main one
	Scope             string     // of an API key that may call the operation, without :read and :write; empty: none may
	Security          [][]string // the alternatives: names of security schemes; an empty alternative: anonymous callers
	Parameters        []Parameter
	Bodies            []string // the media types of the request body, sorted
	Statuses          []string // of the documented responses
	JSON              bool     // the response with status 200 is JSON,
	Secret            bool     // and has a property that only some viewers get
}

// Parameter is a parameter of the path, in the order of the path, or of the query.
type Parameter struct {
	Name     string
	In       string
	Type     string // the JSON type; empty: several
	Required bool
}
