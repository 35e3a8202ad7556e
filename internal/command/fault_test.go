package command

import (
	"regexp"
	"slices"
	"testing"
)

// TestFaults holds that each kind of error has its words, and no kind has them twice.
func TestFaults(t *testing.T) {
	t.Parallel()
	var names []string
	for _, section := range regexp.MustCompile(`(?m)^= (.*) (\d+)$`).FindAllStringSubmatch(faultWords, -1) {
		if slices.Contains(names, section[1]) {
			t.Errorf("faults.txt has %q twice", section[1])
		}
		names = append(names, section[1])
	}
	for _, f := range Faults() {
		if !slices.Contains(names, f.Name) {
			t.Errorf("faults.txt has nothing for %q", f.Name)
		}
	}
	if got, want := WayNamed("gate.ErrSelf"), (Way{2, "name two records", "name two records"}); got != want {
		t.Errorf("WayNamed = %v, want %v", got, want)
	}
	if got := WayNamed("nothing"); got != (Way{Code: 1}) {
		t.Errorf("WayNamed of what is not there = %v", got)
	}
}
