package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"moothall/bench/report"
)

func describeMachine() report.Machine {
	return report.Machine{
		System: runtime.GOOS + "/" + runtime.GOARCH, Processor: procField("/proc/cpuinfo", "model name"),
		Cores: runtime.NumCPU(), Go: runtime.Version(), Load: loadAverage(),
	}
}

// loadAverage returns the load average of the last minute, or empty if it is unknown.
func loadAverage() string {
	text, _ := os.ReadFile("/proc/loadavg")
	average, _, _ := strings.Cut(string(text), " ")
	return average
}

// procField returns the value of the first line "name: value" of a file, or empty if
// there is none.
func procField(path, name string) string {
	text, _ := os.ReadFile(path) //nolint:gosec // a file of /proc
	for line := range strings.Lines(string(text)) {
		if key, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// splitCores returns one half of the process's cores for the server and one for
// the generator. ok is false if processes cannot be pinned.
func splitCores() (server, generator []string, ok bool) {
	if _, err := exec.LookPath("taskset"); err != nil {
		return nil, nil, false
	}
	cores := coreList(procField("/proc/self/status", "Cpus_allowed_list"))
	if len(cores) < 2 {
		return nil, nil, false
	}
	return cores[:len(cores)/2], cores[len(cores)/2:], true
}

// coreList parses a list like 0-3,8.
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

// pinSelf pins all threads of this process to the cores.
func pinSelf(ctx context.Context, cores []string) error {
	//nolint:gosec // numbers only
	out, err := exec.CommandContext(ctx, "taskset", "-a", "-c", "-p", strings.Join(cores, ","), strconv.Itoa(os.Getpid())).CombinedOutput()
	if err != nil {
		return fmt.Errorf("taskset: %w: %s", err, out)
	}
	runtime.GOMAXPROCS(len(cores))
	return nil
}

// onCores prefixes a command so that it runs on the given cores. Without cores it
// returns the command unchanged.
func onCores(cores, command []string) []string {
	if len(cores) == 0 {
		return command
	}
	return append([]string{"taskset", "-c", strings.Join(cores, ",")}, command...)
}

// processStat returns a process's name and the fields after it in /proc/PID/stat. The
// name is empty if there is no such process.
func processStat(pid int) (name string, fields []string) {
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

// sumTicks adds up fields of /proc/PID/stat that count processor time.
func sumTicks(fields ...string) (total time.Duration) {
	const tick = 10 * time.Millisecond
	for _, text := range fields {
		n, _ := strconv.Atoi(text)
		total += time.Duration(n) * tick
	}
	return total
}

// familyTime returns the processor time of a process and its children, including
// those that have ended.
func familyTime(parent int) time.Duration {
	name, own := processStat(parent)
	if name == "" {
		return 0
	}
	total := sumTicks(own[11:15]...)
	processes, _ := filepath.Glob("/proc/[0-9]*") // the pattern is valid
	for _, path := range processes {
		pid, _ := strconv.Atoi(filepath.Base(path))
		if name, fields := processStat(pid); name != "" && fields[1] == strconv.Itoa(parent) {
			total += sumTicks(fields[11], fields[12])
		}
	}
	return total
}

// memoryOf returns the memory of a process.
func memoryOf(pid int) report.Memory {
	mib := func(name string) int {
		size, _, _ := strings.Cut(procField(fmt.Sprintf("/proc/%d/status", pid), name), " ")
		kib, _ := strconv.Atoi(size)
		return kib >> 10
	}
	return report.Memory{Peak: mib("VmHWM"), End: mib("VmRSS"), Own: mib("RssAnon")}
}
