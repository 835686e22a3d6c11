package mapfetch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// journal is the list of what was fetched. Each line is an entry, so a kill damages at most the last one.
type journal struct {
	mu          sync.Mutex
	file        *os.File
	done        map[int]bool      // by the number of the range
	directories map[uint64][]byte // by offset in the source
}

// entry is a line. The first one has the source, and the identity of its version and of the area.
type entry struct {
	Source    string `json:"source,omitempty"`
	Identity  string `json:"identity,omitempty"`
	Offset    uint64 `json:"offset,omitempty"` // of a directory
	Directory []byte `json:"directory,omitempty"`
	Done      *int   `json:"done,omitempty"` // the number of a range
}

// openJournal continues the journal at path if it has the identity, else it begins a new one.
func openJournal(path, source, identity string, progress io.Writer) (*journal, error) {
	j := &journal{done: map[int]bool{}, directories: map[uint64][]byte{}}
	known, err := os.ReadFile(path) //nolint:gosec // the operator names the file
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	valid, found := j.load(known, identity)
	if len(known) > 0 && !found {
		_, _ = fmt.Fprintln(progress, "Another area or source than before: beginning again") // best effort
	}
	j.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // the operator names the file
	if err == nil {
		err = j.file.Truncate(int64(valid))
	}
	if err == nil {
		_, err = j.file.Seek(0, io.SeekEnd)
	}
	if err == nil && valid == 0 {
		err = j.add(entry{Source: source, Identity: identity})
	}
	return j, err
}

// load returns how many bytes are valid, none if the identity is another.
func (j *journal) load(known []byte, identity string) (valid int, found bool) {
	lines := bufio.NewReader(bytes.NewReader(known))
	for {
		line, err := lines.ReadBytes('\n')
		var e entry
		if err != nil || json.Unmarshal(line, &e) != nil {
			return valid, found
		}
		if valid == 0 && e.Identity != identity {
			return 0, false
		}
		found = true
		valid += len(line)
		if e.Done != nil {
			j.done[*e.Done] = true
		} else if e.Directory != nil {
			j.directories[e.Offset] = e.Directory
		}
	}
}

// add appends an entry, and returns when it is on the disk.
func (j *journal) add(e entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, err := j.file.Write(append(line, '\n')); err != nil {
		return err
	}
	return j.file.Sync()
}

func (j *journal) close() { _ = j.file.Close() } // each entry is on the disk

func (j *journal) remove() error {
	j.close()
	return os.Remove(j.file.Name())
}

// readSource returns the source of the journal at path.
func readSource(path string) (string, error) {
	file, err := os.Open(path) //nolint:gosec // the path is an argument of the operator
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }() // nothing was written
	line, err := bufio.NewReader(file).ReadBytes('\n')
	var e entry
	if err == nil {
		err = json.Unmarshal(line, &e)
	}
	return e.Source, err
}
