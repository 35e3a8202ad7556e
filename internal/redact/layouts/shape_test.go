package layouts

import "testing"

func TestLayout(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		layout Layout
		text   string
		want   int // Where it ends, or -1.
	}{
		{"x4-d2", "ab12-34 ", 7},
		{"x4-d2", "ab12-345", -1},
		{"x4-d2", "ab1-34", -1},
		{"x2,4.", "abc.", 4},
		{"x2,4.", "abcde.", -1},
		{"d2+_a3", "1234_xyz.", 8},
		{"d2+_a3", "1_xyz", -1},
		{"U", "01234567-89ab-cdef-0123-456789abcdef", 36},
		{"U", "01234567-89ab-cdef-0123-456789abcde", -1},
		{"s3==", "+a/==", 5},
		{"s3==", "+a/=", -1},
		{"u2l2w2p3", "AB", -1},
	} {
		got, ok := c.layout.matchAt(c.text, 0)
		if !ok {
			got = -1
		}
		if got != c.want {
			t.Errorf("layout %q: match(%q) = %d, want %d", c.layout, c.text, got, c.want)
		}
	}
}
