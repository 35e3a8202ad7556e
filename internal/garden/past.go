package garden

import "strings"

// pastOf returns the past form of a verb that often begins the subject of a
// commit, or "".
func pastOf(verb string) string {
	switch {
	case isListed("verbs", verb) && strings.HasSuffix(verb, "e"):
		return verb + "d"
	case isListed("verbs", verb):
		return verb + "ed"
	default:
		return wordLists()["past"][verb]
	}
}
