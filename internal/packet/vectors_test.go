package packet_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/packet"
)

const vectors = "../../testdata/packet"

// vectorNames returns the names of the vectors of one directory.
func vectorNames(tb testing.TB, dir string, atLeast int) []string {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(vectors, dir, "*.json"))
	if err != nil {
		tb.Fatal(err)
	}
	if len(files) < atLeast {
		tb.Fatalf("%s has %d vectors, want at least %d", dir, len(files), atLeast)
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(filepath.Base(file), ".json")
	}
	return files
}

func vector(tb testing.TB, dir, file string) []byte {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join(vectors, dir, file))
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// SPEC,
//
func TestVectors_valid(t *testing.T) {
	t.Parallel()
	for _, name := range vectorNames(t, "valid", 70) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := vector(t, "valid", name+".canonical")
			for _, input := range [][]byte{vector(t, "valid", name+".json"), want} {
				r, err := packet.Parse(input, packet.Stored)
				if err != nil {
					t.Fatalf("Parse: %v", err)
				}
				if got := r.Encode(); !bytes.Equal(got, want) {
					t.Errorf("Encode (-want +got):\n%s", cmp.Diff(string(want), string(got)))
				}
			}
		})
	}
}

// SPEC.
// SPEC.
func TestVectors_invalid(t *testing.T) {
	t.Parallel()
	for _, name := range vectorNames(t, "invalid", 180) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := packet.Parse(vector(t, "invalid", name+".json"), packet.Stored)
			want := string(vector(t, "invalid", name+".problems"))
			if got := problemLines(t, err); got != want {
				t.Errorf("paths of %v (-want +got):\n%s", err, cmp.Diff(want, got))
			}
		})
	}
}

// problemLines returns the paths of an InvalidError, one a line.
func problemLines(tb testing.TB, err error) string {
	tb.Helper()
	invalid, ok := errors.AsType[*packet.InvalidError](err)
	if !ok {
		tb.Fatalf("error is %T (%v), want *InvalidError", err, err)
	}
	var b strings.Builder
	for _, p := range invalid.Problems {
		b.WriteString(p.Path + "\n")
	}
	return b.String()
}
