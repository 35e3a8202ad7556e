package transcript_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/transcript"
)

// FuzzRead holds that whatever the bytes are, they are read without an error, twice the same, to a session of
// bounded size in which no mark of ours stands.
func FuzzRead(f *testing.F) {
	for _, file := range fixtures(f) {
		data := readFile(f, file)
		for i, format := range transcript.Formats() {
			if format == expected(f, file).Format {
				f.Add(uint8(i), data[:min(len(data), 8<<10)])
			}
		}
	}
	f.Add(uint8(0), []byte(strings.Repeat(`{"a":[`, 500)))
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		format := transcript.Formats()[int(which)%len(transcript.Formats())]
		s := read(t, data, format)
		holdsBounds(t, reflect.ValueOf(s))
		if again := read(t, data, format); !cmp.Equal(s, again) {
			t.Errorf("the second time (-first +second):\n%s", cmp.Diff(s, again))
		}
		_, _ = transcript.Detect(data)
		read(t, data[:len(data)/2], format)
		if s.Format != format {
			t.Errorf("a session of %q", s.Format)
		}
	})
}

// holdsBounds walks all texts and lists of a session.
func holdsBounds(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		if n := v.Len(); n > 32<<10 || !utf8.ValidString(v.String()) {
			t.Errorf("a text of %d bytes: %.40q", n, v.String())
		}
		if lower := strings.ToLower(v.String()); strings.Contains(lower, "<ltm-") ||
			strings.Contains(lower, "</ltm-") {
			t.Errorf("a mark of ours: %q", v.String())
		}
	case reflect.Slice:
		if v.Len() > 500 {
			t.Errorf("a list of %d", v.Len())
		}
		for i := range v.Len() {
			holdsBounds(t, v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for _, field := range v.Fields() {
			holdsBounds(t, field)
		}
	default:
	}
}

// FuzzRead_own holds that what stands between our marks never comes through, whatever stands around them and
// wherever the text stands: in a prompt, in the agent's words, or in what a command printed.
func FuzzRead_own(f *testing.F) {
	f.Add(uint8(0), "fix it", "please")
	f.Add(uint8(6), "<ltm-", "</ltm-packet")
	f.Add(uint8(12), "<ltm-packet></ltm-packet", ">")
	f.Add(uint8(0), "<system-reminder>", "</system-reminder>")
	f.Add(uint8(16), "ltm-packet x begin\n", "\nltm-packet x end")
	f.Add(uint8(21), "# Resume from git ltm\n", "<")
	type fixture struct {
		file string
		data []byte
		want expectation
	}
	var all []fixture
	for _, file := range fixtures(f) {
		all = append(all, fixture{file, readFile(f, file), expected(f, file)})
	}
	f.Fuzz(func(t *testing.T, which uint8, before, after string) {
		if strings.Contains(before+after, "QU") || strings.Contains(before+after, "CE") {
			return
		}
		text := before + "<ltm-packet nonce=\"1\">\n| " + planted + "\n</ltm-packet nonce=\"1\">" + after
		fixture := all[int(which)%len(all)]
		data := bytes.ReplaceAll(fixture.data, escaped(t, fixture.want.Last), escaped(t, text))
		data = bytes.ReplaceAll(data, escaped(t, fixture.want.Goal), escaped(t, text))
		for _, c := range fixture.want.Failed {
			data = bytes.ReplaceAll(data, escaped(t, c.Error), escaped(t, text))
		}
		if all := shown(t, read(t, data, fixture.want.Format)); strings.Contains(all, planted) {
			t.Errorf("%s with %q lets it through:\n%s", fixture.file, text, all)
		}
	})
}

// escaped is a text as it stands inside the quotes of JSON; of an empty one there is nothing to find.
func escaped(t *testing.T, text string) []byte {
	t.Helper()
	if text == "" {
		return []byte("\x00")
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		t.Fatal(err)
	}
	return bytes.Trim(bytes.TrimSpace(out.Bytes()), `"`)
}
