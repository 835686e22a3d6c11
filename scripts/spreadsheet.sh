#!/bin/sh
# Opens hostile cells of CSV files in LibreOffice, which must find no formula.
set -eu
cd "$(dirname "$0")/.."
scripts/needs.sh spreadsheet
TEST_SOFFICE=$(command -v soffice) "${GO:-go}" test -count=1 -run TestLibreOfficeFindsNoFormula ./internal/platform/spreadsheet
