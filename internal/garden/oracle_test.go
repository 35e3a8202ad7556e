package garden

// Alike says how much two cards have in common, and whether one would do.
// That is so where both the tags and the texts are close, or where the texts
// differ in nothing but case, white space and marks. Tags alone never do, and
// neither does a text alone that is only close.
func Alike(a, b Card) (Likeness, bool) {
	l := Likeness{
		Tags: tagLikeness(subjectTags(a.Tags), subjectTags(b.Tags)),
		Text: textureOf(a.Text).similarityTo(textureOf(b.Text)),
	}
	if sameText(a.Text, b.Text) {
		l.Text = 1
		return l, true
	}
	return l, l.Tags >= alikeTags && l.Text >= alikeText
}
