package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"moothall/internal/identity/signin/idp"
)

// documented are settings with one identity provider, whose name stands for that of any.
var documented = &Settings{Idps: []idp.Options{{Name: anyProvider}}}

const anyProvider = "<NAME>"

// settingNames returns the names of all settings; those of identity providers contain anyProvider.
func settingNames() (all []string) {
	for _, section := range sections {
		for _, row := range section.rows(documented) {
			all = append(all, row.Name)
		}
	}
	return all
}

// Misspelt returns a warning for each variable ("NAME=value") whose name is almost that
// of a setting.
func Misspelt(environ []string) (warnings []string) {
	all := settingNames()
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		if len(name) <= maxTypos*3 || isOneOf(all, name) {
			continue
		}
		if meant := nearest(name, all); meant != "" {
			warnings = append(warnings, fmt.Sprintf("%s is not a setting; did you mean %s?", name, meant))
		}
	}
	return warnings
}

// CheckName returns an error if a name is not that of a setting. It names the one that may
// be meant. LoadSettings refuses names of earlier versions.
func CheckName(name string) error {
	if isOneOf(settingNames(), name) || isOneOf(replacedNames(), name) {
		return nil
	}
	if warnings := Misspelt([]string{name}); len(warnings) > 0 {
		return errors.New(warnings[0])
	}
	return fmt.Errorf("%s is not a setting; docs/settings.md lists them", name)
}

func isOneOf(all []string, name string) bool {
	return slices.ContainsFunc(all, func(one string) bool {
		before, after, ok := strings.Cut(one, anyProvider)
		return one == name || ok && strings.HasPrefix(name, before) && strings.HasSuffix(name, after)
	})
}

const maxTypos = 2

// nearest returns the name that differs least from a word, by at most maxTypos edits; empty if there is none.
func nearest(word string, names []string) (name string) {
	least := maxTypos + 1
	for _, one := range names {
		longer := len(word) - len(one) // a distance is at least the difference of the lengths
		if longer <= -least || longer >= least {
			continue
		}
		if distance := levenshtein.ComputeDistance(word, one); distance < least {
			name, least = one, distance
		}
	}
	return name
}
