// Package spreadsheet writes tables as CSV files (RFC 4180) in which spreadsheets find no formulas.
package spreadsheet

import "strings"

// BOM is the first line's beginning: without it, Excel reads UTF-8 as another encoding.
const BOM = "\ufeff"

// AppendRow appends a line of cells. All cells are quoted, so that a program with another separator does not split them. Tabs and line
// breaks become spaces, and a cell that could be a formula begins with an apostrophe.
func AppendRow(to []byte, cells ...string) []byte {
	for i, cell := range cells {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(to, '"')
		to = append(to, strings.ReplaceAll(defuse(cell), `"`, `""`)...)
		to = append(to, '"')
	}
	return append(to, "\r\n"...)
}

// formulaStarts are the characters with which formulas begin, also in full width.
const formulaStarts = "=+-@\uff1d\uff0b\uff0d\uff20"

var breaks = strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ", "\t", " ", "\v", " ", "\f", " ", "\x00", " ",
	"\u0085", " ", "\u2028", " ", "\u2029", " ")

// defuse returns a text that is no formula, whatever spaces and quotes come first.
func defuse(cell string) string {
	cell = breaks.Replace(cell)
	start := strings.TrimLeft(cell, " \"'\u00a0\u200b\ufeff")
	if start != "" && strings.ContainsAny(start[:firstRune(start)], formulaStarts) {
		return "'" + cell
	}
	return cell
}

// firstRune returns the length of the first character.
func firstRune(s string) int {
	for i := range s {
		if i > 0 {
			return i
		}
	}
	return len(s)
}
