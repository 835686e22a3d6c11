package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Machine is what the figures depend on, without names.
type Machine struct {
	System    string        `json:"system"`
	Processor string        `json:"processor,omitempty"`
	Cores     int           `json:"cores"`
	Go        string        `json:"go"`
	Server    string        `json:"server_cores,omitempty"` // empty: not pinned
	Generator string        `json:"generator_cores,omitempty"`
	Load      string        `json:"load,omitempty"` // average of the minute before the run
	Flush     time.Duration `json:"flush_ns"`       // of one page to the disk of the databases
}

func describe(dir string) (Machine, error) {
	m := Machine{
		System: runtime.GOOS + "/" + runtime.GOARCH, Processor: field("/proc/cpuinfo", "model name"),
		Cores: runtime.NumCPU(), Go: runtime.Version(),
	}
	m.Load = loadAverage()
	var err error
	m.Flush, err = flushTime(dir)
	return m, err
}

// loadAverage is that of the last minute; empty where it is not known.
func loadAverage() string {
	text, _ := os.ReadFile("/proc/loadavg")
	load, _, _ := strings.Cut(string(text), " ")
	return load
}

// field gives the value of the first line "name: value" of a file; empty where
// there is none.
func field(path, name string) string {
	text, _ := os.ReadFile(path) //nolint:gosec // the caller names files of /proc
	for line := range strings.Lines(string(text)) {
		if key, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// flushTime is the median time of writing one page and flushing it: what a
// durable commit costs at least.
func flushTime(dir string) (time.Duration, error) {
	f, err := os.CreateTemp(dir, "flush-*.tmp")
	if err != nil {
		return 0, err
	}
	defer func() { _, _ = f.Close(), os.Remove(f.Name()) }()
	page := make([]byte, 4096)
	var took []time.Duration
	for range 100 {
		watch := start()
		if _, err := f.WriteAt(page, 0); err != nil {
			return 0, err
		}
		if err := f.Sync(); err != nil {
			return 0, err
		}
		took = append(took, watch.elapsed())
	}
	slices.Sort(took)
	return percentile(took, 50), nil
}

// halves splits the cores that the process may use: one half for the server,
// one for the generator. ok is false where processes cannot be pinned.
func halves() (server, generator []string, ok bool) {
	if _, err := exec.LookPath("taskset"); err != nil {
		return nil, nil, false
	}
	cores := coreList(field("/proc/self/status", "Cpus_allowed_list"))
	if len(cores) < 2 {
		return nil, nil, false
	}
	return cores[:len(cores)/2], cores[len(cores)/2:], true
}

// coreList reads a list like 0-3,8.
func coreList(text string) []string {
	var cores []string
	for part := range strings.SplitSeq(text, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		first, err := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err != nil || err2 != nil {
			return nil
		}
		for core := first; core <= last; core++ {
			cores = append(cores, strconv.Itoa(core))
		}
	}
	return cores
}

// pinSelf keeps this process, all its threads, on the cores.
func pinSelf(ctx context.Context, cores []string) error {
	//nolint:gosec // numbers only
	out, err := exec.CommandContext(ctx, "taskset", "-a", "-c", "-p", strings.Join(cores, ","), strconv.Itoa(os.Getpid())).CombinedOutput()
	if err != nil {
		return fmt.Errorf("taskset: %w: %s", err, out)
	}
	runtime.GOMAXPROCS(len(cores))
	return nil
}

// tick is the unit of processor time in /proc.
const tick = 10 * time.Millisecond

// stat gives the fields of a process after its name, which is empty where
// there is no such process.
func stat(pid int) (name string, fields []string) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", nil
	}
	before, rest, _ := strings.Cut(string(text), ") ")
	_, name, _ = strings.Cut(before, "(")
	if fields = strings.Fields(rest); len(fields) < 15 {
		return "", nil
	}
	return name, fields
}

// sumOf adds up fields that count ticks.
func sumOf(ticks ...string) (all time.Duration) {
	for _, text := range ticks {
		n, _ := strconv.Atoi(text)
		all += time.Duration(n) * tick
	}
	return all
}

// ownTime is the processor time that this process has used so far.
func ownTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// familyTime is what a process and its children have used, those that have
// ended included.
func familyTime(parent int) time.Duration {
	name, own := stat(parent)
	if name == "" {
		return 0
	}
	all := sumOf(own[11:15]...)
	processes, _ := filepath.Glob("/proc/[0-9]*") // the pattern is good
	for _, path := range processes {
		pid, _ := strconv.Atoi(filepath.Base(path))
		if name, fields := stat(pid); name != "" && fields[1] == strconv.Itoa(parent) {
			all += sumOf(fields[11], fields[12])
		}
	}
	return all
}

// memoryOf is the memory of a process.
func memoryOf(pid int) Memory {
	mb := func(name string) int {
		size, _, _ := strings.Cut(field(fmt.Sprintf("/proc/%d/status", pid), name), " ")
		kb, _ := strconv.Atoi(size)
		return kb >> 10
	}
	return Memory{Peak: mb("VmHWM"), End: mb("VmRSS"), Own: mb("RssAnon")}
}
