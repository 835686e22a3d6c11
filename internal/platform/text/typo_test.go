package text_test

import (
	"testing"

	"moothall/internal/platform/text"
)

func TestIsOneTypo(t *testing.T) {
	for _, row := range []struct {
		a, b string
		is   bool
	}{
		{"chess", "ches", true}, {"chess", "chesss", true}, {"chess", "chesz", true}, {"chess", "hcess", true}, {"chess", "chses", true},
		{"шахматы", "шахмоты", true}, {"шахматы", "шхаматы", true}, {"шахматы", "шахмат", true}, {"chess", "chess", false},
		{"chess", "che", false}, {"chess", "cheszz", false}, {"chess", "hcses", false}, {"chess", "ssehc", false}, {"games", "gems", false},
	} {
		if text.IsOneTypo(row.a, row.b) != row.is || text.IsOneTypo(row.b, row.a) != row.is {
			t.Errorf("%s and %s: one typo is not %v", row.a, row.b, row.is)
		}
	}
}
