package garden_test

import (
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/garden"
)

// alike says how much two cards have in common, where one of them would do.
func alike(a, b garden.Card) (garden.Likeness, bool) {
	found := garden.Duplicates(a, []garden.Card{b})
	if len(found) == 0 {
		return garden.Likeness{}, false
	}
	return found[0].Likeness, true
}

func TestAlike(t *testing.T) {
	t.Parallel()
	long := "Keep the session cache on an own Redis instance, it evicts sessions at 256 MB."
	tests := []struct {
		name string
		a, b garden.Card
		want bool
	}{
		{
			"the same text in another dress", card("a", "Use  `make proto`,\nbefore building!"),
			card("b", "use make proto before Building"), true,
		},
		{"the same text, no tag in common", card("a", long, "x"), card("b", long, "y"), true},
		{
			"close texts, tags close", card("a", long, "redis", "cache"),
			card("b", "Sessions: keep the cache on an own Redis instance.", "redis", "cache", "ops"), true,
		},
		{
			"close texts, other tags", card("a", long, "redis"), card("b", long+" Please.", "session", "ops"),
			false,
		},
		{
			"a tag alone is no likeness", card("a", "Redis sessions live in database 3.", "redis"),
			card("b", "Flush after each deploy.", "redis"), false,
		},
		{
			"one tag of many", card("a", long, "redis"),
			card("b", long+" Please.", "redis", "cache", "session", "ops"), false,
		},
		{
			"only the source in common", card("a", long, "source-x"), card("b", long+" Please.", "source-x"),
			false,
		},
		{
			"marks that mean something", card("a", "Use C.", "lang"),
			card("b", "Never count on a newer C++.", "lang"), false,
		},
		{"another number", card("a", "Set x to 1.5"), card("b", "Set x to 15"), false},
		{"another sign", card("a", "if n >= 3"), card("b", "if n <= 3"), false},
		{"nothing but marks", card("a", "..."), card("b", "!!!"), false},
		{"nothing at all", card("a", "", "x"), card("b", "", "x"), false},
	}
	for _, test := range tests {
		l, got := alike(test.a, test.b)
		if got != test.want {
			t.Errorf("%s: Alike = %v, %v, want %v", test.name, l, got, test.want)
		}
		back, again := alike(test.b, test.a)
		if back != l || again != got {
			t.Errorf("%s: Alike turned round = %v, %v, want %v, %v", test.name, back, again, l, got)
		}
	}
}

// TestAlike_long states that long texts do not become alike by being long.
func TestAlike_long(t *testing.T) {
	t.Parallel()
	a, b := prose(1), prose(2)
	if l, ok := alike(card("a", a, "x"), card("b", b, "x")); ok {
		t.Errorf("two long texts that share only their letters are alike: %v", l)
	}
	if l, ok := alike(card("a", a, "x"), card("b", strings.Replace(a, "w1 ", "changed ", 3), "x")); !ok {
		t.Errorf("a long text with a few other words is not alike: %v", l)
	}
}

// prose is a long text of the same few words, in an order of its own.
func prose(step int) string {
	words := strings.Fields(
		"w1 the cache keeps sessions of workers and a proxy restarts when memory ends in every region but one")
	var b strings.Builder
	for i := range 300 {
		b.WriteString(words[(i*i*step+i*(3+step))%len(words)] + " ")
	}
	return b.String()
}

func TestDuplicates(t *testing.T) {
	t.Parallel()
	c := card("c", "The pool size is 20 for the workers.", "pg", "pool")
	others := []garden.Card{
		c,
		card("far", "Prepared statements break.", "pg", "pool"),
		card("near", "The pool size is 50 for all the workers.", "pg", "pool"),
		card("same", "the pool size is 20 for the workers"),
		card("tag", "The pool size is 20 for workers.", "pg", "x", "y", "z"),
	}
	found := garden.Duplicates(c, others)
	if len(found) != 2 || found[0].Card.ID != "same" || found[1].Card.ID != "near" {
		t.Fatalf("Duplicates = %+v, want same, near", found)
	}
	if found[0].Conflict != "" || found[1].Conflict != "size: 20 or 50" {
		t.Errorf("conflicts = %q and %q, want none and the size", found[0].Conflict, found[1].Conflict)
	}
}

// FuzzAlike states that likeness has no direction and lies between 0 and 1,
// and that a text is like itself.
func FuzzAlike(f *testing.F) {
	f.Add("Use make proto before building.", "Before building, use make proto.", "x", "x")
	f.Add("\xff\xfe a", "ſ K ẞ ß", "source:x", "source-")
	f.Add("", "...", "", "a")
	f.Add(prose(1), prose(1)+"x", "x", "x")
	f.Fuzz(func(t *testing.T, text, other, tag, tag2 string) {
		a, b := card("a", text, tag, "t"), card("b", other, tag2, "t")
		l, is := alike(a, b)
		back, again := alike(b, a)
		if l != back || is != again {
			t.Errorf("Alike = %v, %v and turned round %v, %v", l, is, back, again)
		}
		if l.Tags < 0 || l.Tags > 1 || l.Text < 0 || l.Text > 1 {
			t.Errorf("likeness %v is out of bounds", l)
		}
		if _, self := alike(a, card("c", text)); !self && text != "" {
			t.Errorf("%q is not like itself", text)
		}
	})
}

func BenchmarkDuplicates(b *testing.B) {
	var cards []garden.Card
	for i := range 10000 {
		words := strings.Fields(prose(i%7 + 1))
		at := i * 37 % 200
		cards = append(cards, card(string(rune(0x4e00+i)), strings.Join(words[at:at+30], " "), "a", "b"))
	}
	for b.Loop() {
		garden.Duplicates(card("x",
			"Prepared statements break in the transaction mode of pgbouncer, so use session mode there.", "a",
			"b"), cards)
	}
}
