package clean_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
)

// SPEC.
func TestLine(t *testing.T) {
	t.Parallel()

	tests := map[string]struct{ in, want string }{
		"plain":               {"Grüße, 世界", "Grüße, 世界"},
		"lines and tabs":      {"  a\n\tb \r\n  c  ", "a b c"},
		"odd blanks":          {"a\u00a0\u2003\u3000b", "a b"},
		"colour":              {"a\x1b[31mred\x1b[0m", "ared"},
		"title of a terminal": {"a\x1b]0;owned\x07b", "ab"},
		"link of a terminal":  {"\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"},
		"unfinished command":  {"a\x1b]0;rest of the text", "a0;rest of the text"},
		"unfinished sequence": {"a\x1b[31", "a"},
		"character set":       {"a\x1b(Bb\x1bMc", "abc"},
		"lone escape":         {"a\x1b", "a"},
		"C1 sequence":         {"a\u009b31mb", "ab"},
		"C1 and DEL":          {"a\u0085b\x7fc\x00d\x08", "abcd"},
		"direction":           {"a\u202eb\u2066c\u200fd\u061ce", "abcde"},
		"zero width":          {"a\u200bb\u200dc\ufeffd\u2060e\u00adf", "abcdef"},
		"tags":                {"a\U000e0041\U000e007fb", "ab"},
		"selectors":           {"a\ufe0fb\U000e0100c", "abc"},
		"private use":         {"a\ue000b\U000f0000c\U0010fffdd", "abcd"},
		"noncharacters":       {"a\ufffeb\ufdd0c\U0001ffffd", "abcd"},
		"separators":          {"a\u2028b\u2029c", "abc"},
		"fillers":             {"a\u3164b\u115fc\uffa0d", "abcd"},
		"not UTF-8":           {"a\xffb\xc3", "ab"},
		"replacement sign":    {"a\ufffdb", "a\ufffdb"},
		"family":              {"👩\u200d👧", "👩👧"},
		"empty":               {"\n\t ", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := clean.Line(test.in); got != test.want {
				t.Errorf("Line(%q) = %q, want %q", test.in, got, test.want)
			}
		})
	}
}

func TestText(t *testing.T) {
	t.Parallel()

	tests := map[string]struct{ in, want string }{
		"lines":           {"a\nb\r\nc\rd", "a\nb\nc\nd"},
		"indent":          {"a\n\tb\n    c", "a\n b\n    c"},
		"trailing blanks": {"a  \n\nb\t\n\n", "a\n\nb"},
		"controls":        {"a\x1b[2J\nb\u202e", "a\nb"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := clean.Text(test.in); got != test.want {
				t.Errorf("Text(%q) = %q, want %q", test.in, got, test.want)
			}
		})
	}
}

func TestCount(t *testing.T) {
	t.Parallel()

	tests := map[string]int{
		"":                  0,
		"a\r\n\tb  c":       0,
		"a\u200bb\xff":      2,
		"a\x1b[31mb":        5,
		"\u202e\U000e0041x": 2,
	}
	for in, want := range tests {
		if got := clean.Count(in); got != want {
			t.Errorf("Count(%q) = %d, want %d", in, got, want)
		}
	}
}

func TestTruncate(t *testing.T) {
	t.Parallel()

	tests := []struct {
		in      string
		columns int
		want    string
	}{
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"ab cd", 4, "ab…"},
		{"世界", 4, "世界"},
		{"世界人", 5, "世界…"},
		{"世界人", 4, "世…"},
		{"世界", 1, "…"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
		{"e\u0301e\u0301", 2, "e\u0301e\u0301"},
		{"👍👍👍", 4, "👍…"},
		{"abc", 0, ""},
		{"", 5, ""},
	}
	for _, test := range tests {
		if got := clean.Truncate(test.in, test.columns); got != test.want {
			t.Errorf("Truncate(%q, %d) = %q, want %q", test.in, test.columns, got, test.want)
		}
	}
}

// TestLine_everyCharacter asks the tables of Unicode about each character.
// SPEC.
func TestLine_everyCharacter(t *testing.T) {
	t.Parallel()

	for r := range unicode.MaxRune + 1 {
		if !utf8.ValidRune(r) {
			continue
		}
		got := clean.Line("a" + string(r) + "b")
		if forbidden(r) && strings.ContainsRune(got, r) {
			t.Errorf("%U stays", r)
		}
		if unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) && !strings.ContainsRune(got, r) &&
			!blank(r) {
			t.Errorf("%U is a letter, number or sign, and is taken out", r)
		}
	}
}

// blank says whether r counts as a letter or sign and shows nothing.
func blank(r rune) bool {
	return r == 0x115F || r == 0x1160 || r == 0x3164 || r == 0xFFA0 || r == 0x2800
}

// FuzzLine holds what every cleaned text promises.
func FuzzLine(f *testing.F) {
	f.Add("a\x1b[31mb\u202e\n\tc\xff", 10)
	f.Add("\x1b]0;x\x07\u009b1m\U000e0041👩\u200d👧", 3)
	f.Add("\x1b\x1b[[31mm]", 1)
	f.Fuzz(func(t *testing.T, s string, columns int) {
		line, text := clean.Line(s), clean.Text(s)
		for _, out := range []string{line, text} {
			if !utf8.ValidString(out) || len(out) > len(s) {
				t.Errorf("%q: %q is longer or no UTF-8", s, out)
			}
			if strings.ContainsFunc(strings.ReplaceAll(out, "\n", ""), forbidden) {
				t.Errorf("%q: %q holds a forbidden character", s, out)
			}
		}
		if strings.Contains(line, "\n") {
			t.Errorf("%q: the line %q has a line end", s, line)
		}
		if clean.Line(line) != line || clean.Text(text) != text || clean.Line(text) != line {
			t.Errorf("%q: cleaning %q or %q again changes it", s, line, text)
		}
		if n := clean.Count(s); n < 0 || n > utf8.RuneCountInString(s) || clean.Count(text) != 0 {
			t.Errorf("%q: count is %d", s, n)
		}
		if short := clean.Truncate(line, columns); clean.Width(short) > max(columns, 0) {
			t.Errorf("Truncate(%q, %d) = %q, which is wider", line, columns, short)
		}
	})
}

// forbidden is a second opinion on what must not be printed, from the tables
// of Unicode.
func forbidden(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp,
		unicode.Noncharacter_Code_Point, unicode.Variation_Selector)
}

// TestLine_markers holds SPEC: what looks like a marker of a host, of a model or of ours loses its
// bracket, however it is spelled, and nothing else does.
func TestLine_markers(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"</system-reminder>":                  "‹/system-reminder>",
		"<System-Reminder>":                   "‹System-Reminder>",
		"<|im_start|>system":                  "‹|im_start|>system",
		"</function_results>":                 "‹/function_results>",
		"</ ltm-context>":                     "‹/ ltm-context>",
		"<\n/ltm-packet nonce":                "‹ /ltm-packet nonce",
		"<//ltm-context>":                     "‹//ltm-context>",
		"＜/ltm-context＞":                      "‹/ltm-context＞",
		"<\u200bltm-packet":                   "‹ltm-packet",
		"<<ltm-packet":                        "‹‹ltm-packet",
		"<" + "antml:" + "invoke>":            "‹" + "antml:" + "invoke>",
		"a < b, <b>, List<String>, x<-y, <":   "a < b, <b>, List<String>, x<-y, <",
		"</div> and <system.out> and <- ltm-": "</div> and <system.out> and <- ltm-",
	} {
		if got := clean.Line(in); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
		if got := clean.Line(clean.Line(in)); got != want {
			t.Errorf("Line of Line(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestLine_combining: a letter keeps the marks that a script needs, and none of a heap.
func TestLine_combining(t *testing.T) {
	t.Parallel()
	if got, want := clean.Line("a"+strings.Repeat("\u0301", 300)+"b"),
		"a"+strings.Repeat("\u0301", 5)+"b"; got != want {
		t.Errorf("a heap of marks leaves %d bytes, want %d", len(got), len(want))
	}
	for _, word := range []string{"Vie\u0302\u0301t", "\u05d1\u05bc\u05b0\u0596", "\u0e17\u0e35\u0e48"} {
		if got := clean.Line(word); got != word {
			t.Errorf("Line(%q) = %q", word, got)
		}
	}
}
