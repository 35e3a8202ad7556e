package garden_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/garden"
)

// BenchmarkGroups groups 10,000 cards of thirty words with some of 300 tags.
func BenchmarkGroups(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var cards []garden.Card
	for i := range 10000 {
		var text, tags []string
		for range 30 {
			text = append(text, fmt.Sprintf("w%c%c", 'a'+r.IntN(26), 'a'+r.IntN(26)))
		}
		for range 4 {
			tags = append(tags, fmt.Sprint("t", r.IntN(1+r.IntN(300))))
		}
		cards = append(cards, card(fmt.Sprintf("%05d", i), strings.Join(text, " "), tags...))
	}
	for b.Loop() {
		garden.Groups(cards)
	}
}
