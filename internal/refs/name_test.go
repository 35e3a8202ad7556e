package refs_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// SPEC.
func TestParseName(t *testing.T) {
	t.Parallel()
	const good = "01KAT00000000000000000000Z"
	tests := []struct {
		ref  string
		want bool
	}{
		{"refs/ltm/packets/" + good, true},
		{"refs/ltm/events/" + good, true},
		{"refs/ltm/packets/" + strings.ToLower(good), false},
		{"refs/ltm/packets/8" + good[1:], false},
		{"refs/ltm/packets/" + good[:25], false},
		{"refs/ltm/packets/" + good + "0", false},
		{"refs/ltm/packets/" + good + "/x", false},
		{"refs/ltm/packets/" + good + "\n", false},
		{"refs/ltm/packets//" + good, false},
		{"refs/ltm/../ltm/packets/" + good, false},
		{"refs/ltm/other/" + good, false},
		{"refs/ltm/archive/" + good, false},
		{"refs/ltm-remotes/packets/" + good, false},
		{"packets/" + good, false},
		{"", false},
	}
	for _, test := range tests {
		name, ok := refs.ParseName(test.ref)
		if ok != test.want {
			t.Errorf("ParseName(%q) is %v, want %v", test.ref, ok, test.want)
		}
		if ok && name.Ref() != test.ref {
			t.Errorf("ParseName(%q) comes back as %q", test.ref, name.Ref())
		}
	}
}

// FuzzParseName holds that an accepted name comes back as it was, that its ID is one, and that git accepts
// it. SPEC.
func FuzzParseName(f *testing.F) {
	f.Add("refs/ltm/packets/01KAT00000000000000000000Z")
	f.Add("refs/ltm/events/7ZZZZZZZZZZZZZZZZZZZZZZZZZ")
	f.Add("refs/ltm/packets/01kat00000000000000000000z")
	f.Add("refs/ltm/packets/../../heads/main")
	f.Fuzz(func(t *testing.T, ref string) {
		name, ok := refs.ParseName(ref)
		if !ok {
			return
		}
		if name.Ref() != ref {
			t.Errorf("%q comes back as %q", ref, name.Ref())
		}
		if _, err := packet.ParseID(string(name.ID)); err != nil {
			t.Errorf("%q was accepted with the ID %q", ref, name.ID)
		}
		if err := exec.CommandContext(t.Context(), "git", "check-ref-format", ref).Run(); err != nil {
			t.Errorf("git refuses %q, which was accepted", ref)
		}
	})
}
