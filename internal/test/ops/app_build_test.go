package ops_test

import (
	"testing"

	"moothall/api"
	"moothall/internal/ops/app"
)

// TestBuildKnowsItsContract compares what the command version prints with the contract.
func TestBuildKnowsItsContract(t *testing.T) {
	document, err := api.Document()
	if err != nil {
		t.Fatal(err)
	}
	if b := app.ThisBuild(); b.Contract != document.Info.Version || b.Schema == 0 || b.Version == "" {
		t.Errorf("%+v; the contract is %s", b, document.Info.Version)
	}
}
