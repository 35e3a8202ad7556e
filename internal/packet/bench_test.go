package packet_test

import (
	"testing"

	"github.com/git-ltm/git-ltm/internal/packet"
)

func BenchmarkRecord(b *testing.B) {
	data := fiveKilobytes(b)
	b.Run("parse and encode", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			r, err := packet.Parse(data, packet.Stored)
			if err != nil {
				b.Fatal(err)
			}
			_ = r.Encode()
		}
	})
	b.Run("view", func(b *testing.B) {
		r, err := packet.Parse(data, packet.Stored)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			_ = r.Packet()
		}
	})
}

// fiveKilobytes returns the full vector with its lists filled up.
func fiveKilobytes(tb testing.TB) []byte {
	tb.Helper()
	r, err := packet.Parse(vector(tb, "valid", "version-0.3-full.json"), packet.Draft)
	if err != nil {
		tb.Fatal(err)
	}
	var decisions, attempts []map[string]any
	for range 12 {
		decisions = append(decisions, map[string]any{
			"what": "Read the rows through a server-side cursor.", "locked": true,
			"why": "The driver keeps the whole result in memory otherwise, and the largest tenant has " +
				"nine million rows.",
		})
		attempts = append(attempts, map[string]any{
			"tried": "Raise the statement timeout to an hour.", "outcome": "failed",
			"learned": "The proxy in front of the database cuts the connection at ten minutes, idle or not.",
		})
	}
	for name, value := range map[string]any{"decisions": decisions, "attempts": attempts} {
		if err := r.Set(name, value); err != nil {
			tb.Fatal(err)
		}
	}
	data := r.Encode()
	if len(data) < 5000 || len(data) > 8000 {
		tb.Fatalf("the packet is %d bytes, want about 5 KB", len(data))
	}
	return data
}
