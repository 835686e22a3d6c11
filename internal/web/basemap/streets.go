package basemap

import (
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/pmtiles"
)

// Tiles says where the archive with streets is: in a file, which may be missing, or on another server.
type Tiles struct {
	file   string
	remote *url.URL
}

// ParseTiles reads the setting MAP_TILES: the path of a PMTiles archive, or its https URL.
func ParseTiles(setting string) (Tiles, error) {
	if strings.Contains(setting, "://") {
		remote, err := url.Parse(setting)
		if err != nil || remote.Scheme != "https" || remote.Host == "" || remote.User != nil {
			return Tiles{}, errors.New("must be the path of a file or an https URL")
		}
		return Tiles{remote: remote}, nil
	}
	if info, err := os.Stat(setting); err == nil && !info.Mode().IsRegular() {
		return Tiles{}, errors.New("must be the path of a file, or an https URL")
	}
	return Tiles{file: setting}, nil
}

// File returns the path of the file; empty if the archive is on another server.
func (t Tiles) File() string { return t.file }

// Remote reports whether the archive is on another server.
func (t Tiles) Remote() bool { return t.remote != nil }

// Check returns the header of the archive in a file, or why the file is no usable archive: fs.ErrNotExist if there is none.
func (t Tiles) Check() (pmtiles.Header, error) {
	file, found, err := examine(t.file)
	if err != nil {
		return pmtiles.Header{}, err
	}
	return found.header, file.Close()
}

// Map serves the tiles of maps. It notices within a minute that the file with streets is new, replaced or removed.
type Map struct {
	tiles Tiles
	clock domain.Clock

	mu     sync.Mutex
	looked time.Time
	last   streets // zero: there is no usable file
}

// NewMap returns the map with the streets of tiles.
func NewMap(tiles Tiles, clock domain.Clock) *Map { return &Map{tiles: tiles, clock: clock} }

// Origin returns the origin of an archive on another server, or nothing. Pages must allow connections to it.
func (m *Map) Origin() string {
	if m.tiles.remote == nil {
		return ""
	}
	return m.tiles.remote.Scheme + "://" + m.tiles.remote.Host
}

// lookEvery is the longest time until a new file is noticed.
const lookEvery = time.Minute

// Streets returns the address of the archive with streets for pages; empty if there is none.
func (m *Map) Streets() string {
	if m.tiles.remote != nil {
		return m.tiles.remote.String()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if now := m.clock(); m.looked.IsZero() || now.Sub(m.looked) >= lookEvery {
		m.looked = now
		if file, found, err := m.examine(); err == nil {
			m.last = found
			_ = file.Close() // nothing was written
		} else {
			m.last = streets{}
		}
	}
	return m.last.url()
}

// open opens the file with streets. The caller must close it.
func (m *Map) open() (*os.File, streets, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	file, found, err := m.examine()
	if err == nil {
		m.last = found
	}
	return file, found, err
}

// examine opens the file. It reads it only if it is not the one that was examined last.
func (m *Map) examine() (*os.File, streets, error) {
	if m.tiles.file == "" {
		return nil, streets{}, fs.ErrNotExist
	}
	if m.last.info == nil {
		return examine(m.tiles.file)
	}
	file, err := os.Open(m.tiles.file)
	if err != nil {
		return nil, streets{}, err
	}
	info, err := file.Stat()
	last := m.last.info
	if err == nil && os.SameFile(info, last) && info.Size() == last.Size() && info.ModTime().Equal(last.ModTime()) {
		return file, m.last, nil
	}
	_ = file.Close() // nothing was written
	return examine(m.tiles.file)
}

// streets describes a file with streets.
type streets struct {
	header pmtiles.Header
	hash   string // of its first bytes
	info   fs.FileInfo
}

const streetsPrefix = "streets-"

func (s streets) url() string {
	if s.hash == "" {
		return ""
	}
	return folder + streetsPrefix + s.hash + ".pmtiles"
}

// examine opens a file and reads its first bytes.
func examine(path string) (file *os.File, found streets, err error) {
	if file, err = os.Open(path); err != nil { //nolint:gosec // a setting of the operator
		return nil, streets{}, err
	}
	first := make([]byte, pmtiles.FirstBytes)
	n, err := io.ReadFull(file, first)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil // a small file
	}
	if err == nil {
		found.info, err = file.Stat()
	}
	if err == nil {
		found.hash = hash(first[:n])
		found.header, err = pmtiles.ParseHeader(first[:n], uint64(found.info.Size()))
	}
	if err == nil {
		root := found.header.Root
		_, err = found.header.ParseDirectory(first[root.Offset:root.End()])
	}
	if err != nil {
		return nil, streets{}, errors.Join(err, file.Close())
	}
	return file, found, nil
}
