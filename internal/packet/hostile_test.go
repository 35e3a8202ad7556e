package packet_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/packet/packettest"
)

// SPEC.
func TestParse_hostile(t *testing.T) {
	t.Parallel()
	cases := slices.Concat(packettest.Hostile(), packettest.HostileSmall())
	if len(cases) < 900 {
		t.Fatalf("there are %d cases, want at least 900", len(cases))
	}
	seen := map[string]bool{}
	for _, c := range cases {
		if seen[c.Name] {
			t.Errorf("two cases are named %q", c.Name)
		}
		seen[c.Name] = true
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			r, err := packet.Parse(c.JSON, packet.Stored)
			if c.Refused {
				checkRefused(t, err, c.At)
				return
			}
			if err != nil {
				t.Fatalf("Parse: %v, want it accepted", err)
			}
			checkFixedPoint(t, r)
			checkPlaces(t, r)
		})
	}
}

// checkRefused also holds that nothing of a refused text can reach a terminal.
func checkRefused(t *testing.T, err error, at []string) {
	t.Helper()
	if err == nil {
		t.Fatal("Parse accepted it, want it refused")
	}
	got := strings.Split(strings.TrimSuffix(problemLines(t, err), "\n"), "\n")
	slices.Sort(got)
	want := slices.Sorted(slices.Values(at))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("paths of %v (-want +got):\n%s", err, diff)
	}
	if i := strings.IndexFunc(err.Error(), isUnsafe); i >= 0 {
		t.Errorf("the error %q has a character that steers a terminal", err)
	}
	if n := len(err.Error()); n > 1000 {
		t.Errorf("the error is %d bytes long", n)
	}
}

func isUnsafe(r rune) bool {
	return r < ' ' || r >= 0x7F && r < 0xA0 || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}

func checkFixedPoint(tb testing.TB, r *packet.Record) {
	tb.Helper()
	first := r.Encode()
	again, err := packet.Parse(first, packet.Stored)
	if err != nil {
		tb.Fatalf("Parse of Encode: %v", err)
	}
	if second := again.Encode(); !bytes.Equal(first, second) {
		tb.Errorf("the second encoding differs (-first +second):\n%s",
			cmp.Diff(string(first), string(second)))
	}
}
