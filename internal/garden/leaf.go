package garden

// A leaf is a card with all that grouping asks again and again.
type leaf struct {
	card    Card
	place   int      // among all leaves
	tags    []string // what it is about, without hubs, in order
	text    texture
	outline *sketch
	figures []figure
	denies  bool
}

// newLeaf prepares a card.
func newLeaf(c Card) *leaf {
	figures, denies := figuresOf(c.Text)
	return &leaf{
		card: c, tags: subjectTags(c.Tags), text: textureOf(c.Text), outline: sketchOf(c.Text),
		figures: figures, denies: denies,
	}
}

// textAtLeast returns the similarity of the texts of a and b, or zero where it
// is below the least that counts.
func (a *leaf) textAtLeast(b *leaf, least float64) float64 {
	short := a.text.words == nil || b.text.words == nil
	if short && a.outline.maxSimilarity(len(a.text.runes), b.outline) < least {
		return 0
	}
	if s := a.text.similarityTo(b.text); s >= least {
		return s
	}
	return 0
}

// strengthWith says how closely two cards belong together: zero where they do not,
// and more the more tags and text they share. They belong together with two
// tags, or with one tag and close texts. A decision and a pitfall never do.
func (a *leaf) strengthWith(b *leaf) float64 {
	tags := countShared(a.tags, b.tags)
	if tags == 0 || a.card.Kind == kindDecision && b.card.Kind == kindPitfall ||
		a.card.Kind == kindPitfall && b.card.Kind == kindDecision {
		return 0
	}
	text := a.textAtLeast(b, alikeText)
	if tags < 2 && text == 0 {
		return 0
	}
	s := shareOf(tags, len(a.tags)+len(b.tags)-tags) + text
	if text > 0 && findConflict(a, b) != "" {
		s += 2 // What contradicts stands together, so that it is seen.
	}
	return s
}
