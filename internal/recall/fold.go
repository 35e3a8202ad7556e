package recall

import (
	"slices"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/garden"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// foldAlike puts what says nearly the same below one heading into one, the most valuable, with a count. Two
// that state a thing differently, or that both have words of their own, stay, and so do tasks, drafts,
// commands and what is not to be done, of which a letter may be what matters. What is not trusted is never
// counted.
func foldAlike(all []briefing.Known, to replay.Reading) []briefing.Known {
	apart := []briefing.Section{briefing.Skips, briefing.Failed, briefing.Drafted, briefing.Work}
	var kept []briefing.Known
	cards := map[string][]garden.Card{} // what was kept, by what may be one
	for _, k := range all {
		text, _ := k.Text.For(to)
		may := string(rune(k.Section)) + k.Kind + " " + k.Store
		card := garden.Card{ID: k.ID() + k.Place, Tags: []string{"same"}, Text: text}
		if !k.Text.Origin().Trusted || slices.Contains(apart, k.Section) {
			kept = append(kept, k)
			continue
		}
		same := slices.DeleteFunc(garden.Duplicates(card, cards[may]), func(d garden.Duplicate) bool {
			return d.Conflict != "" || !garden.SameMatter(text, d.Card.Text)
		})
		if len(same) == 0 {
			cards[may] = append(cards[may], card)
			kept = append(kept, k)
			continue
		}
		at := slices.IndexFunc(kept, func(k briefing.Known) bool { return k.ID()+k.Place == same[0].Card.ID })
		kept[at].Alike += 1 + k.Alike
	}
	return kept
}
