package refs

import (
	"bytes"
	"compress/zlib"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// deflated returns text as zlib deflates it at a level.
func deflated(tb testing.TB, text []byte, level int) []byte {
	tb.Helper()
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, level)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// TestInflater_inflateWhole inflates with one inflater what zlib deflates: texts of one byte and of all, short and
// long ones, with a stream of their own and in front of other bytes.
func TestInflater_inflateWhole(t *testing.T) {
	t.Parallel()
	random := rand.NewChaCha8([32]byte{1})
	noise := make([]byte, 3000)
	_, _ = random.Read(noise) // It never fails.
	skewed := make([]byte, 20000)
	for i := range skewed { // Some bytes are so rare that their codes are long.
		skewed[i] = byte(min(255, random.Uint64()%(1<<(random.Uint64()%9))))
	}
	var f inflater
	for name, text := range map[string][]byte{
		"none": nil, "one": []byte("a"), "run": bytes.Repeat([]byte("a"), 5000), "noise": noise, "skewed": skewed,
		"words": []byte(strings.Repeat("the cache keeps the parsed form, ", 40)),
		"far":   bytes.Join([][]byte{noise, noise, noise[:999], noise}, nil),
	} {
		for _, level := range []int{0, 1, 6, 9, zlib.HuffmanOnly} {
			stream, out := deflated(t, text, level), make([]byte, len(text))
			for _, in := range [][]byte{stream, append(bytes.Clone(stream), noise...)} {
				clear(out)
				if !f.inflateWhole(out, in) || !bytes.Equal(out, text) {
					t.Errorf("%s at level %d: not what was deflated", name, level)
				}
			}
			if f.inflateWhole(make([]byte, len(text)+1), stream) || len(text) > 0 && f.inflateWhole(out[1:], stream) {
				t.Errorf("%s at level %d: another length is right", name, level)
			}
			for cut := 0; cut < len(stream); cut += 1 + len(stream)/500 {
				if f.inflateWhole(out, stream[:cut]) {
					t.Errorf("%s at level %d: %d of %d bytes are enough", name, level, cut, len(stream))
				}
			}
		}
	}
}

// FuzzInflater asks compress/zlib about what the inflater takes, and whether it takes what that makes.
func FuzzInflater(f *testing.F) {
	for _, text := range []string{"", "a", strings.Repeat("ab", 300), "The cache keeps the parsed form of the cache."} {
		for _, level := range []int{0, 1, 9, zlib.HuffmanOnly} {
			f.Add(deflated(f, []byte(text), level), uint16(len(text)))
		}
	}
	f.Fuzz(func(t *testing.T, in []byte, size uint16) {
		var short inflater
		out := make([]byte, size)
		if short.inflateWhole(out, in) {
			r, err := zlib.NewReader(bytes.NewReader(in))
			if err != nil {
				t.Fatalf("zlib refuses what was taken: %v", err)
			}
			if want, err := io.ReadAll(r); err != nil || !bytes.Equal(out, want) {
				t.Errorf("got %q, zlib says %q, error %v", out, want, err)
			}
		}
		text := in[:min(len(in), 4096)]
		out = make([]byte, len(text))
		if stream := deflated(t, text, zlib.HuffmanOnly); len(stream) < len(text) &&
			(!short.inflateWhole(out, stream) || !bytes.Equal(out, text)) {
			t.Errorf("got %q, want %q", out, text)
		}
	})
}
