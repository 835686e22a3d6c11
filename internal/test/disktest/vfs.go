package disktest

import (
	"os"
	"path/filepath"
	"sync"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// This file replaces the functions by which SQLite opens, writes and flushes files. They are
// called like C functions: pointers are numbers, and results are SQLite's codes.

// The types of the replaced functions.
type (
	openFunc     = func(tls *libc.TLS, vfs, name, file uintptr, flags int32, outFlags uintptr) int32
	deleteFunc   = func(tls *libc.TLS, vfs, name uintptr, syncFolder int32) int32
	closeFunc    = func(tls *libc.TLS, file uintptr) int32
	writeFunc    = func(tls *libc.TLS, file, data uintptr, size int32, offset int64) int32
	truncateFunc = func(tls *libc.TLS, file uintptr, size int64) int32
	syncFunc     = func(tls *libc.TLS, file uintptr, flags int32) int32
	controlFunc  = func(tls *libc.TLS, file uintptr, operation int32, argument uintptr) int32
)

// at returns a pointer to memory of SQLite.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// function returns the Go function at an address that SQLite uses for it.
func function[F any](address uintptr) F { return *(*F)(unsafe.Pointer(&address)) }

// address returns the address that SQLite uses for a function of this file.
func address[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

var (
	original uintptr // SQLite's own layer
	handles  sync.Map
	methods  sync.Map // replaced tables of methods, by the original ones
)

// handle is an open file of a disk.
type handle struct {
	disk    *Disk
	inode   int
	methods *sqlite3.Tsqlite3_io_methods // SQLite's own
	table   uintptr                      // their address
}

func handleOf(file uintptr) *handle {
	h, _ := handles.Load(file)
	return h.(*handle)
}

// install makes this layer the default of SQLite in this process.
var install = sync.OnceFunc(func() {
	tls := libc.NewTLS() // in use until the process ends
	sqlite3.Xsqlite3_initialize(tls)
	original = sqlite3.Xsqlite3_vfs_find(tls, 0)
	layer := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(sqlite3.Tsqlite3_vfs{})))
	name, err := libc.CString("disktest")
	if err != nil || layer == 0 {
		panic("out of memory")
	}
	vfs := at[sqlite3.Tsqlite3_vfs](layer)
	*vfs = *at[sqlite3.Tsqlite3_vfs](original)
	vfs.FzName, vfs.FpNext = name, 0
	vfs.FxOpen, vfs.FxDelete = address[openFunc](open), address[deleteFunc](unlink)
	if code := sqlite3.Xsqlite3_vfs_register(tls, layer, 1); code != sqlite3.SQLITE_OK {
		panic("sqlite3_vfs_register failed")
	}
})

func open(tls *libc.TLS, _, name, file uintptr, flags int32, outFlags uintptr) int32 {
	path := ""
	if name != 0 {
		path = libc.GoString(name)
	}
	d := diskOf(path)
	_, err := os.Stat(path)
	if d != nil && err != nil && d.ReadOnly.Load() {
		return sqlite3.SQLITE_CANTOPEN
	}
	inode := 0
	if d != nil {
		var failed error
		if inode, failed = d.opened(filepath.Base(path), err == nil); failed != nil {
			return sqlite3.SQLITE_IOERR
		}
	}
	code := function[openFunc](at[sqlite3.Tsqlite3_vfs](original).FxOpen)(tls, original, name, file, flags, outFlags)
	if code != sqlite3.SQLITE_OK || d == nil {
		return code
	}
	table := *at[uintptr](file) // the first field of a file
	handles.Store(file, &handle{d, inode, at[sqlite3.Tsqlite3_io_methods](table), table})
	*at[uintptr](file) = replaced(tls, table)
	return code
}

// replaced returns the address of a copy of a table of methods, with those of this file.
func replaced(tls *libc.TLS, table uintptr) uintptr {
	if known, ok := methods.Load(table); ok {
		return known.(uintptr)
	}
	copied := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(sqlite3.Tsqlite3_io_methods{})))
	m := at[sqlite3.Tsqlite3_io_methods](copied)
	*m = *at[sqlite3.Tsqlite3_io_methods](table)
	m.FxClose, m.FxWrite, m.FxTruncate = address[closeFunc](closeFile), address[writeFunc](writeFile), address[truncateFunc](truncateFile)
	m.FxSync, m.FxFileControl = address[syncFunc](syncFile), address[controlFunc](control)
	methods.Store(table, copied)
	return copied
}

func closeFile(tls *libc.TLS, file uintptr) int32 {
	h := handleOf(file)
	handles.Delete(file)
	*at[uintptr](file) = h.table
	return function[closeFunc](h.methods.FxClose)(tls, file)
}

func writeFile(tls *libc.TLS, file, data uintptr, size int32, offset int64) int32 {
	h := handleOf(file)
	if h.disk.ReadOnly.Load() {
		return sqlite3.SQLITE_IOERR_WRITE
	}
	code := function[writeFunc](h.methods.FxWrite)(tls, file, data, size, offset)
	if code == sqlite3.SQLITE_OK {
		h.disk.record(operation{kind: written, inode: h.inode, offset: offset, data: unsafe.Slice(at[byte](data), size)})
	}
	return code
}

func truncateFile(tls *libc.TLS, file uintptr, size int64) int32 {
	h := handleOf(file)
	if h.disk.ReadOnly.Load() {
		return sqlite3.SQLITE_IOERR_TRUNCATE
	}
	code := function[truncateFunc](h.methods.FxTruncate)(tls, file, size)
	if code == sqlite3.SQLITE_OK {
		h.disk.record(operation{kind: truncated, inode: h.inode, offset: size})
	}
	return code
}

func syncFile(_ *libc.TLS, file uintptr, _ int32) int32 {
	h := handleOf(file)
	if wait := h.disk.OnFlush.Load(); wait != nil {
		(*wait)()
	}
	if h.disk.FailFlush.Load() {
		return sqlite3.SQLITE_IOERR_FSYNC
	}
	h.disk.record(operation{kind: flushed, inode: h.inode})
	return sqlite3.SQLITE_OK
}

// control sees each PRAGMA before SQLite: its argument is a list of an error, the name and the value.
func control(tls *libc.TLS, file uintptr, operation int32, argument uintptr) int32 {
	h := handleOf(file)
	if operation == sqlite3.SQLITE_FCNTL_PRAGMA && h.disk.Weak.Load() {
		if list := at[[3]uintptr](argument); list[2] != 0 && libc.GoString(list[1]) == "synchronous" {
			*at[[2]byte](list[2]) = [2]byte{'1'} // NORMAL
		}
	}
	return function[controlFunc](h.methods.FxFileControl)(tls, file, operation, argument)
}

func unlink(tls *libc.TLS, _, name uintptr, syncFolder int32) int32 {
	path := libc.GoString(name)
	d := diskOf(path)
	if d != nil && d.ReadOnly.Load() {
		return sqlite3.SQLITE_IOERR_DELETE
	}
	code := function[deleteFunc](at[sqlite3.Tsqlite3_vfs](original).FxDelete)(tls, original, name, syncFolder)
	if d != nil && code == sqlite3.SQLITE_OK {
		d.record(operation{kind: removed, name: filepath.Base(path), folder: syncFolder != 0})
	}
	return code
}
