package bench

// Report is what a run has measured.
type Report struct {
	Machine Machine `json:"machine"`
	Worlds  []World `json:"worlds"`
}

// World is one size on one engine.
type World struct {
	Engine   string `json:"engine"`
	Version  string `json:"version"`
	Events   int    `json:"events"`
	Users    int    `json:"users"`
	MemoryMB int    `json:"memory_mb,omitempty"` // of the server in the end, mapped files aside

	// Followers are those of the organizer whom most follow.
	Followers int   `json:"followers"`
	Rows      []Row `json:"rows"`
}

// Row is one operation with one number of callers.
type Row struct {
	Operation  string  `json:"operation"`
	Callers    int     `json:"callers"`
	Bytes      int     `json:"bytes"`      // of one answer
	Statements int     `json:"statements"` // of one request
	Served     Measure `json:"served"`
	Bare       Measure `json:"bare"`      // a bare handler writing the same bytes
	Statement  Measure `json:"statement"` // the same statements on the bare driver; one transaction a request
}
