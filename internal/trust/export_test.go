package trust

import "github.com/git-ltm/git-ltm/internal/sign"

// ReadStatus reads what gpg or gpgsm says, where keys have to be of a marginal validity at least.
func ReadStatus(status string) sign.Verdict {
	v, _ := readStatus(status, levelMarginal)
	return v
}

// Recall is a verdict as it comes back from the cache of a process whose lists are the same, at the same
// time.
func Recall(v sign.Verdict) (sign.Verdict, bool) {
	t := &Trust{digest: "0123456789abcdef"}
	return t.decodeVerdict(t.encodeVerdict(v))
}

// RecallByOthers is a verdict as it comes back where the lists changed.
func RecallByOthers(v sign.Verdict) (sign.Verdict, bool) {
	text := (&Trust{digest: "0123456789abcdef"}).encodeVerdict(v)
	return (&Trust{digest: "fedcba9876543210"}).decodeVerdict(text)
}
