package app

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"moothall/internal/platform/ratelimit"
)

// format is what a setting accepts.
type format struct {
	parse func(value string) error // into the field; the error completes the sentence "NAME=value ..."
	valid string                   // the valid values, in Markdown; empty: setting.What describes them
}

// parsed accepts what a function parses.
func parsed[T any](field *T, parse func(string) (T, error)) format {
	return format{parse: func(value string) (err error) {
		*field, err = parse(value)
		return err
	}}
}

// listOf accepts entries, separated by commas, that a function parses. The error names the first invalid entry.
func listOf[T any, L ~[]T](field *L, parse func(string) (T, error)) format {
	return format{parse: func(value string) (err error) {
		*field, err = each(value, parse)
		return err
	}}
}

func anyText(value string) (string, error) { return value, nil }

func text[T ~string | ~[]byte](field *T) format {
	return format{parse: func(value string) error {
		*field = T(value)
		return nil
	}}
}

// choice accepts names of values.
func choice[T any](field *T, names []string, values []T) format {
	last := len(names) - 1
	return format{func(value string) error {
		i := slices.Index(names, value)
		if i < 0 {
			return errors.New("must be " + strings.Join(names[:last], ", ") + " or " + names[last])
		}
		*field = values[i]
		return nil
	}, "`" + strings.Join(names, "`, `") + "`"}
}

func oneOf(field *string, allowed ...string) format { return choice(field, allowed, allowed) }

func boolean(field *bool) format {
	return choice(field, []string{"true", "false"}, []bool{true, false})
}

func logLevel(field *slog.Level) format {
	levels := []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError}
	return choice(field, []string{"debug", "info", "warn", "error"}, levels)
}

// between accepts what parse returns, from least to most. kind is the kind of value in the error.
func between[T int | float64 | time.Duration](
	field *T, kind string, parse func(string) (T, error), write func(T) string, least, most T,
) format {
	limits := write(least) + " to " + write(most)
	return format{func(value string) error {
		v, err := parse(value)
		if err != nil || !(v >= least && v <= most) { // as no NaN is
			return fmt.Errorf("must be %s from %s", kind, limits)
		}
		*field = v
		return nil
	}, limits}
}

func number(field *int, least, most int) format {
	return between(field, "a whole number", strconv.Atoi, strconv.Itoa, least, most)
}

func duration(field *time.Duration, least, most time.Duration) format {
	return between(field, "a duration like 90s, 15m or 720h,", time.ParseDuration, ratelimit.ShortDuration, least, most)
}

func share(field *float64) format {
	parse := func(value string) (float64, error) { return strconv.ParseFloat(value, 64) }
	return between(field, "a number", parse, func(v float64) string { return fmt.Sprint(v) }, 0, 1)
}

// list splits at commas and trims the entries.
func list(value string) []string {
	var entries []string
	for entry := range strings.SplitSeq(value, ",") {
		if entry = strings.TrimSpace(entry); entry != "" {
			entries = append(entries, entry)
		}
	}
	return entries
}

// each parses every entry of a list. Its error names the first invalid entry.
func each[T any](value string, parse func(string) (T, error)) ([]T, error) {
	var all []T
	for _, entry := range list(value) {
		one, err := parse(entry)
		if err != nil {
			return nil, fmt.Errorf("has the entry %q, which %w", entry, err)
		}
		all = append(all, one)
	}
	return all, nil
}
