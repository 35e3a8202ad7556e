package words_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/words"
)

// The sum is that of the stems as SQLite's porter tokenizer makes them, each behind its word.
func TestStem(t *testing.T) {
	t.Parallel()
	sum := sha256.New()
	for _, word := range stemWords() {
		_, _ = fmt.Fprintf(sum, "%s %s\n", word, words.Stem(word)) // A sum never fails.
	}
	const want = "1af7652e27bfe1989f6d4f3a35977ecfee7e64e912df9badfb29f872899303d6"
	if got := fmt.Sprintf("%x", sum.Sum(nil)); got != want {
		t.Errorf("the sum of the stems is %s, want %s", got, want)
	}
	for word, want := range map[string]string{
		"relational": "relat", "hopping": "hop", "falling": "fall", "sensibility": "sensibl",
		"conflated": "conflat", "cried": "cri",
	} {
		if got := words.Stem(word); got != want {
			t.Errorf("Stem(%q) = %q, want %q", word, got, want)
		}
	}
}

// stemWords makes words of beginnings and endings.
func stemWords() []string {
	var all []string
	for begin := range strings.FieldsSeq(
		"run hop agree plast bleed motor conflat troubl siz fall hiss fizz fail fil happ sk relat " +
			"condition rat valenc digit conform radic differ vil analog vietnam predic operat feudal " +
			"decis hope callous formal sensitiv sensib triplic form electr rev allow infer airlin " +
			"gyroscop adjust defens irrit replac depend adopt homolog communi activ angul effect bowdl " +
			"prob ces cont rol trans syzyg b tr cry fly token index") {
		for end := range strings.FieldsSeq(
			"- s es ies ed eed ing y ion ions ational tional enci anci izer abli alli entli eli ousli " +
				"ization ation ator alism iveness fulness ousness aliti iviti biliti icate ative alize " +
				"iciti ical ful ness al ance ence er ic able ible ant ement ment ent ou ism ate iti ous " +
				"ive ize e l ll sses ss ying ied logi bli") {
			all = append(all, begin+strings.TrimPrefix(end, "-"))
		}
	}
	return all
}
