package postings

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"os"
	"slices"
)

// entry is a row of a table of postings: the list and the key, then what the table has besides them.
type entry [4]int64

func compareEntries(a, b entry) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }

// sorter sorts more entries than the memory can hold: it writes sorted runs into files and merges them.
type sorter struct {
	folder string // of the files
	fields int    // how many values of an entry are used
	maxRun int    // entries in memory
	run    []entry
	files  []*os.File // of the other runs
}

func newSorter(folder string, fields int) *sorter {
	return &sorter{folder: folder, fields: fields, maxRun: 1 << 20}
}

func (s *sorter) add(e entry) error {
	if len(s.run) == s.maxRun {
		if err := s.writeRun(); err != nil {
			return err
		}
	}
	s.run = append(s.run, e)
	return nil
}

// writeRun moves the entries in memory into a file.
func (s *sorter) writeRun() error {
	slices.SortFunc(s.run, compareEntries)
	file, err := os.CreateTemp(s.folder, "run")
	if err != nil {
		return err
	}
	s.files = append(s.files, file)
	out := bufio.NewWriterSize(file, 1<<16)
	var encoded []byte
	for _, e := range s.run {
		encoded = encoded[:0]
		for _, value := range e[:s.fields] {
			encoded = binary.LittleEndian.AppendUint64(encoded, uint64(value))
		}
		if _, err := out.Write(encoded); err != nil {
			return err
		}
	}
	s.run = s.run[:0]
	return out.Flush()
}

// rows returns all entries in order, as rows of a table. Use it once, after the last call of add.
func (s *sorter) rows() iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		runs, err := s.runs()
		for err == nil && len(runs) > 0 {
			first := slices.MinFunc(runs, func(a, b *run) int { return compareEntries(a.next, b.next) })
			row := make([]any, s.fields)
			for i := range row {
				row[i] = first.next[i]
			}
			if !yield(row, nil) {
				return
			}
			if err = first.advance(); errors.Is(err, io.EOF) {
				runs, err = slices.DeleteFunc(runs, func(r *run) bool { return r == first }), nil
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// run reads a sorted run.
type run struct {
	next entry
	read func() (entry, error) // io.EOF: there are no more
}

func (r *run) advance() (err error) {
	r.next, err = r.read()
	return err
}

// runs returns the runs that are not empty, each with its first entry.
func (s *sorter) runs() (all []*run, err error) {
	slices.SortFunc(s.run, compareEntries)
	inMemory := s.run
	all = append(all, &run{read: func() (e entry, err error) {
		if len(inMemory) == 0 {
			return e, io.EOF
		}
		e, inMemory = inMemory[0], inMemory[1:]
		return e, nil
	}})
	for _, file := range s.files {
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		in, encoded := bufio.NewReaderSize(file, 1<<16), make([]byte, 8*s.fields)
		all = append(all, &run{read: func() (e entry, err error) {
			_, err = io.ReadFull(in, encoded)
			for i := range s.fields {
				e[i] = int64(binary.LittleEndian.Uint64(encoded[8*i:]))
			}
			return e, err
		}})
	}
	return slices.DeleteFunc(all, func(r *run) bool {
		beginErr := r.advance()
		if beginErr != nil && !errors.Is(beginErr, io.EOF) {
			err = beginErr
		}
		return beginErr != nil
	}), err
}

// close removes the files.
func (s *sorter) close() error {
	var failed []error
	for _, file := range s.files {
		failed = append(failed, file.Close(), os.Remove(file.Name()))
	}
	return errors.Join(failed...)
}
