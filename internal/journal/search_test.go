package journal

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
)

// counted counts the bytes that are read.
type counted struct {
	io.ReaderAt
	bytes int
}

func (c *counted) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, at)
	c.bytes += n
	return n, err
}

func TestSearch_readsLittle(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	for i := range 110_000 {
		text.WriteString(Entry{fmt.Sprintf("key-%08d", i), strings.Repeat("v", 80)}.asLine())
	}
	if text.Len() < 10_000_000 {
		t.Fatalf("the base has %d bytes only", text.Len())
	}
	for i := -1; i < 110_001; i += 5501 {
		file := &counted{ReaderAt: bytes.NewReader(text.Bytes())}
		key := fmt.Sprintf("key-%08d", i)
		_, ok, err := searchKey(newParts(file, int64(text.Len())), key)
		if want := i >= 0 && i < 110_000; ok != want || err != nil {
			t.Errorf("search(%q) = %v, %v, want %v", key, ok, err, want)
		}
		if file.bytes > 200_000 {
			t.Errorf("search(%q) reads %d bytes", key, file.bytes)
		}
	}
}

// A search finds exactly what a look at every line finds.
func FuzzSearch_model(f *testing.F) {
	f.Add("a b c", uint16(3), uint16(1))
	f.Add("key other more keys of all kinds 0 ~", uint16(3000), uint16(700))
	f.Add("long", uint16(3), uint16(2999))
	f.Add("long lines", uint16(200), uint16(2999))
	f.Fuzz(func(t *testing.T, words string, copies, width uint16) {
		model := map[string]string{}
		for i, word := range strings.Fields(words) {
			for n := range int(copies) % 500 {
				e := Entry{fmt.Sprint(word, n*i), strings.Repeat("v", (n*31+i)%(int(width)%3000+1))}
				if e.checkEntry() == nil {
					model[e.Key] = e.Value
				}
			}
		}
		var text bytes.Buffer
		for _, key := range slices.Sorted(maps.Keys(model)) {
			text.WriteString(Entry{key, model[key]}.asLine())
		}
		probes := slices.Collect(maps.Keys(model))
		for _, key := range probes[:min(len(probes), 50)] {
			for _, probe := range []string{key, key + "!", key[:len(key)-1]} {
				want, known := model[probe]
				got, ok, err := searchKey(newParts(bytes.NewReader(text.Bytes()), int64(text.Len())), probe)
				if got != want || ok != known || err != nil {
					t.Fatalf("search(%q) = %q, %v, %v, want %q, %v", probe, got, ok, err, want, known)
				}
			}
		}
	})
}

// In any text a search ends, and finds only what stands there as a whole line.
func FuzzSearch_damaged(f *testing.F) {
	f.Add([]byte("a\t1\t\nb\t2\t\n"), "b", uint8(1))
	f.Add([]byte("b\t1\t\n\x00\xff\na\t2\t\n"), "a", uint8(200))
	f.Fuzz(func(t *testing.T, text []byte, key string, copies uint8) {
		text = bytes.Repeat(text, int(copies)*10+1)
		value, ok, err := searchKey(newParts(bytes.NewReader(text), int64(len(text))), key)
		if err != nil {
			t.Fatal(err)
		}
		if line := []byte(Entry{key, value}.asLine()); ok && !bytes.HasPrefix(text, line) &&
			!bytes.Contains(text, append([]byte("\n"), line...)) {
			t.Fatalf("search(%q) = %q, which stands nowhere", key, value)
		}
	})
}
