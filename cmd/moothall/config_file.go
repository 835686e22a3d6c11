package main

import (
	"errors"
	"fmt"
	"strings"
)

// parseConfig parses lines NAME=value, as in the EnvironmentFile of systemd. Empty lines, and lines that begin with #, are
// comments. A value may be in quotes; without quotes, it ends before " #". Of lines with one name, the last one counts.
// check returns an error for an unknown name. Errors name the line, but quote nothing: it may be secret.
func parseConfig(text string, check func(name string) error) (map[string]string, error) {
	values := map[string]string{}
	for i, line := range strings.Split(text, "\n") {
		name, value, err := parseConfigLine(strings.TrimSpace(line))
		if err == nil && name != "" {
			err = check(name)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		if name != "" {
			values[name] = value
		}
	}
	return values, nil
}

// parseConfigLine parses a line without the space around it. The name is empty if there is no setting.
func parseConfigLine(line string) (name, value string, err error) {
	if line == "" || line[0] == '#' {
		return "", "", nil
	}
	name, value, ok := strings.Cut(strings.TrimPrefix(line, "export "), "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || name == "" || strings.ContainsAny(name, " \t\"'") {
		return "", "", errors.New("must be NAME=value, or a comment that begins with #")
	}
	value, err = unquoteConfig(value)
	return name, value, err
}

// unquoteConfig returns the value without its quotes. In double quotes, a backslash escapes the next character, and \n is
// a line break.
func unquoteConfig(value string) (string, error) {
	if value == "" || value[0] != '"' && value[0] != '\'' {
		if i := strings.Index(value, " #"); i >= 0 {
			value = strings.TrimSpace(value[:i])
		}
		return value, nil
	}
	quote := value[0]
	var plain strings.Builder
	for i := 1; i < len(value); i++ {
		switch c := value[i]; {
		case c == quote:
			if rest := strings.TrimSpace(value[i+1:]); rest != "" && rest[0] != '#' {
				return "", errors.New("something follows the closing quote")
			}
			return plain.String(), nil
		case c == '\\' && quote == '"' && i+1 < len(value):
			if i++; value[i] == 'n' {
				plain.WriteByte('\n')
			} else {
				plain.WriteByte(value[i])
			}
		default:
			plain.WriteByte(c)
		}
	}
	return "", errors.New("the closing quote is missing")
}
