package journal

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

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
				got, ok := searchKey(text.Bytes(), probe)
				if got != want || ok != known {
					t.Fatalf("search(%q) = %q, %v, want %q, %v", probe, got, ok, want, known)
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
		value, ok := searchKey(text, key)
		if line := []byte(Entry{key, value}.asLine()); ok && !bytes.HasPrefix(text, line) &&
			!bytes.Contains(text, append([]byte("\n"), line...)) {
			t.Fatalf("search(%q) = %q, which stands nowhere", key, value)
		}
	})
}
