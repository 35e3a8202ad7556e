package packet_test

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// constant reads as one byte over and over.
type constant byte

func (c constant) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(c)
	}
	return len(p), nil
}

// SPEC.
func TestParseID(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, in string
		ok       bool
	}{
		{"usual", "01JDMB4W1YNJZQR7K8F3A2H5P9", true},
		{"least", "00000000000000000000000000", true},
		{"greatest", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", true},
		{"beyond the greatest time", "80000000000000000000000000", false},
		{"empty", "", false},
		{"short", "01JDMB4W1YNJZQR7K8F3A2H5P", false},
		{"long", "01JDMB4W1YNJZQR7K8F3A2H5P99", false},
		{"lower case", "01jdmb4w1ynjzqr7k8f3a2h5p9", false},
		{"letter I", "01JDMB4W1YNJZQR7K8F3A2H5PI", false},
		{"letter L", "01JDMB4W1YNJZQR7K8F3A2H5PL", false},
		{"letter O", "O1JDMB4W1YNJZQR7K8F3A2H5P9", false},
		{"letter U", "01JDMB4W1YNJZQR7K8F3A2H5PU", false},
		{"before the digits", "/1JDMB4W1YNJZQR7K8F3A2H5P9", false},
		{"path", "../../../refs/heads/main00", false},
		{"newline", "01JDMB4W1YNJZQR7K8F3A2H5P\n", false},
		{"26 bytes beyond ASCII", strings.Repeat("é", 13), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			id, err := packet.ParseID(tt.in)
			if tt.ok && (err != nil || string(id) != tt.in) {
				t.Errorf("ParseID(%q) = %q, %v; want it as it is", tt.in, id, err)
			}
			if !tt.ok && (!errors.Is(err, packet.ErrID) || id != "") {
				t.Errorf("ParseID(%q) = %q, %v; want ErrID", tt.in, id, err)
			}
		})
	}
}

func TestID_Time(t *testing.T) {
	t.Parallel()
	want := time.Date(2016, 7, 30, 22, 36, 16, 385e6, time.UTC)
	if got := packet.ID("01ARYZ6S41TSV4RRFFQ69G5FAV").Time(); !got.Equal(want) {
		t.Errorf("Time = %v, want %v", got, want)
	}
	if got := packet.ID("nonsense").Time(); !got.IsZero() {
		t.Errorf("Time of an invalid id = %v, want the zero time", got)
	}
}

// SPEC.
func TestNewID(t *testing.T) {
	t.Parallel()
	idAt := func(at time.Time, b constant) packet.ID {
		id, err := packet.NewID(at, b, "")
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	full := idAt(noon, 0xFF)
	for _, tt := range []struct {
		name    string
		after   packet.ID
		entropy constant
		at      time.Time // of the new ID
	}{
		{"none before", "", 7, noon},
		{"after an older one", idAt(noon.Add(-time.Millisecond), 0xFF), 0, noon},
		{"after one of the same moment", idAt(noon, 0x80), 0, noon},
		{"after one of the same moment, a long step", idAt(noon, 0x10), 0xFF, noon},
		{"after the last one of the moment", full, 0, noon.Add(time.Millisecond)},
		{"after one that is ahead", idAt(noon.Add(time.Hour), 3), 0, noon.Add(time.Hour)},
		{"after one that is a day ahead", idAt(noon.Add(24*time.Hour), 3), 0, noon.Add(24 * time.Hour)},
		{"not after one that is further ahead", idAt(noon.Add(24*time.Hour+time.Millisecond), 3), 0, noon},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			id, err := packet.NewID(noon, tt.entropy, tt.after)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := packet.ParseID(string(id)); err != nil {
				t.Errorf("ParseID(%q): %v", id, err)
			}
			if !id.Time().Equal(tt.at) {
				t.Errorf("Time = %v, want %v", id.Time(), tt.at)
			}
			if follows := !tt.after.Time().After(noon.Add(24 * time.Hour)); follows && id <= tt.after {
				t.Errorf("NewID = %q, want it to sort after %q", id, tt.after)
			}
		})
	}
}

func TestNewID_times(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		now  time.Time
		want packet.ID
	}{
		{"zero time", time.Time{}, "00000000000000000000000000"},
		{"before 1970", time.Unix(-1, 0), "00000000000000000000000000"},
		{"beyond the greatest", time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC), "7ZZZZZZZZZ0000000000000000"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := packet.NewID(tt.now, constant(0), "")
			if err != nil || got != tt.want {
				t.Errorf("NewID(%v) = %q, %v; want %q", tt.now, got, err, tt.want)
			}
		})
	}
}

func TestNewID_errors(t *testing.T) {
	t.Parallel()
	short := func() io.Reader { return bytes.NewReader([]byte{1, 2, 3}) }
	if _, err := packet.NewID(noon, short(), ""); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("with little entropy: %v, want io.ErrUnexpectedEOF", err)
	}
	last, err := packet.NewID(noon, constant(1), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := packet.NewID(noon, short(), last); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("with little entropy after another: %v, want io.ErrUnexpectedEOF", err)
	}
	if _, err := packet.NewID(noon, constant(1), "../x"); !errors.Is(err, packet.ErrID) {
		t.Errorf("after something that is not an id: %v, want ErrID", err)
	}
	end := time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC)
	if _, err := packet.NewID(end, constant(0), "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"); err == nil {
		t.Error("after the greatest id: no error")
	}
}

// SPEC.
func TestDeriveID(t *testing.T) {
	t.Parallel()
	const own = "3f2b8c1e-0c5b-4f6e-9a57-1d1f3f6f2a10"
	id := packet.DeriveID(own, noon)
	if id != packet.DeriveID(own, noon) {
		t.Error("two derivations differ")
	}
	if id == packet.DeriveID(own+"x", noon) {
		t.Error("two ids derive the same name")
	}
	if !id.Time().Equal(noon) {
		t.Errorf("Time = %v, want %v", id.Time(), noon)
	}
	suffix := packet.DerivedSuffix(own)
	if len(suffix) != 16 {
		t.Errorf("DerivedSuffix = %q, want 16 characters", suffix)
	}
	for _, at := range []time.Time{noon, {}, noon.AddDate(9000, 0, 0)} {
		id := packet.DeriveID(own, at)
		if _, err := packet.ParseID(string(id)); err != nil || !strings.HasSuffix(string(id), suffix) {
			t.Errorf("DeriveID at %v = %q (%v), want an id that ends in %q", at, id, err, suffix)
		}
	}
	// The digest of the empty string begins with e3b0c442 98fc1c14 9afb.
	if got := packet.DerivedSuffix(""); got != "WERC8GMRZGE196QV" {
		t.Errorf("DerivedSuffix of the empty string = %q", got)
	}
}

func FuzzID(f *testing.F) {
	shape := regexp.MustCompile(`^[0-7][0-9A-HJKMNP-TV-Z]{25}$`)
	f.Add("01JDMB4W1YNJZQR7K8F3A2H5P9", int64(0), byte(0))
	f.Add("7ZZZZZZZZZZZZZZZZZZZZZZZZY", int64(1<<48-1), byte(0xFF))
	f.Fuzz(func(t *testing.T, s string, ms int64, b byte) {
		id, err := packet.ParseID(s)
		if got, want := err == nil, shape.MatchString(s) && !strings.HasSuffix(s, "\n"); got != want {
			t.Fatalf("ParseID(%q) accepts is %v, want %v", s, got, want)
		}
		if err != nil {
			id = ""
		}
		now := time.UnixMilli(ms)
		next, err := packet.NewID(now, constant(b), id)
		if err != nil {
			return
		}
		if !shape.MatchString(string(next)) {
			t.Errorf("NewID = %q, want a ULID", next)
		}
		ahead := id.Time().Sub(next.Time())
		if id != "" && ahead >= 0 && ahead <= 24*time.Hour && next <= id {
			t.Errorf("NewID at %v = %q, want it to sort after %q", now, next, id)
		}
		if derived := packet.DeriveID(s, now); !shape.MatchString(string(derived)) {
			t.Errorf("DeriveID = %q, want a ULID", derived)
		}
	})
}
