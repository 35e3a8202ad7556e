package index

// stopWord reports whether a word in lower case says nothing by itself.
func stopWord(word string) bool {
	switch word {
	case "a", "about", "above", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "because", "been",
		"before", "being", "between", "both", "but", "by", "can", "cannot", "could", "did", "do", "does", "doing", "done", "down",
		"during", "each", "etc", "few", "for", "from", "further", "get", "gets", "had", "has", "have", "having", "he", "her", "here",
		"hers", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "itself", "just", "let", "like", "made", "make",
		"may", "me", "might", "more", "most", "much", "must", "my", "no", "nor", "not", "now", "of", "off", "on", "once", "one",
		"only", "or", "other", "our", "ours", "out", "over", "own", "please", "same", "shall", "she", "should", "so", "some", "such",
		"than", "that", "the", "their", "theirs", "them", "then", "there", "these", "they", "this", "those", "through", "to", "too",
		"under", "until", "up", "us", "use", "used", "uses", "using", "very", "was", "we", "were", "what", "when", "where", "which",
		"find", "know", "known", "look", "said", "say", "tell", "while", "who", "whom", "whose", "why", "will", "with", "would", "you", "your", "yours",
		"dont", "doesnt", "didnt", "cant", "isnt", "wasnt", "wont", "im", "ive", "lets", "whats", "thats":
		return true
	default:
		return false
	}
}
