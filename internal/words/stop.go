package words

// IsStop reports whether a word in lower case says nothing by itself.
func IsStop(word string) bool {
	switch withoutApostrophes(word) {
	case "a", "about", "above", "after", "again", "all", "also", "am", "an", "and", "any", "are", "arent",
		"as", "at", "be", "because", "been", "before", "being", "between", "both", "but", "by", "can",
		"cannot", "cant", "could", "couldnt", "did", "didnt", "do", "does", "doesnt", "doing", "done",
		"dont", "down", "during", "each", "etc", "few", "find", "for", "from", "further", "get", "gets",
		"had", "hadnt", "has", "hasnt", "have", "havent", "having", "he", "her", "here", "hers", "him",
		"his", "how", "i", "if", "im", "in", "into", "is", "isnt", "it", "its", "itself", "ive", "just",
		"know", "known", "let", "lets", "like", "look", "made", "make", "may", "me", "might", "more",
		"most", "much", "must", "my", "no", "nor", "not", "now", "of", "off", "on", "once", "one", "only",
		"or", "other", "our", "ours", "out", "over", "own", "please", "said", "same", "say", "shall", "she",
		"should", "shouldnt", "so", "some", "such", "tell", "than", "that", "thats", "the", "their",
		"theirs", "them", "then", "there", "these", "they", "this", "those", "through", "to", "too",
		"under", "until", "up", "us", "use", "used", "uses", "using", "very", "was", "wasnt", "we", "were",
		"werent", "what", "whats", "when", "where", "which", "while", "who", "whom", "whose", "why", "will",
		"with", "wont", "would", "wouldnt", "you", "your", "yours":
		return true
	default:
		return false
	}
}
