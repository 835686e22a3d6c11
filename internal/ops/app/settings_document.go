package app

import (
	"fmt"
	"strings"
)

// Markdown returns the generated sections of docs/settings.md.
func Markdown() string {
	var b strings.Builder
	for _, section := range sections {
		fmt.Fprintf(&b, "## %s\n\n| Name | Default | Values | Meaning |\n| --- | --- | --- | --- |\n", section.title)
		for _, row := range section.rows(documented) {
			if row.Secret {
				row.What += " (secret: never shown)"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", row.Name, row.defaults(), row.valid, row.What)
		}
		b.WriteString("\n")
	}
	b.WriteString("## Rate limits\n\nThe rules of `RATE_LIMITS`. `5/10m` allows 5 at once, then one more every 10m/5.\n\n" +
		"| Rule | Default | Limits |\n| --- | --- | --- |\n")
	for _, r := range RateLimits {
		fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", r.Name, r.Default, r.What)
	}
	return b.String()
}

func (s setting) defaults() string {
	text := "none"
	switch {
	case s.Documented != "":
		text = s.Documented
	case s.Default != "":
		text = "`" + s.Default + "`"
	}
	for _, env := range []string{Development, Staging, Production} {
		if value, ok := s.In[env]; ok {
			text += ", in " + env + " `" + value + "`"
		}
	}
	return text
}
