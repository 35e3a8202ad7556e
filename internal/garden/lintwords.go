package garden

import "strings"

// hasReason says whether a text gives a reason or tells what follows.
func hasReason(words []token) bool {
	for _, t := range words {
		if t.clause && (t.word == "so" || t.word == "as" || t.word == "or" || t.word == "else") {
			return true
		}
	}
	all := joined(words)
	for _, phrase := range [...]string{
		" because ", " since ", " so that ", " otherwise ", " to avoid ", " in order to ", " due to ", " therefore ", " hence ", " thus ", " as a result ",
		" or else ", " leads to ", " lead to ", " causes ", " cause ", " caused ", " breaks ", " break ", " fails ", " fail ", " means ", " prevents ", " reason ",
		" results in ", " instead of ", " rather than ", " which makes ", " to keep ", " to prevent ", " to make sure ", " requires ", " needs ", " loses ",
		" lose ", " leaks ", " leak ", " corrupts ", " hangs ", " crashes ", " deadlocks ", " panics ", " rejects ", " refuses ", " overwrites ", " lest ",
		" unless ", " as it ", " as they ", " so it ", " so they ", " so the ", " so a ",
	} {
		if strings.Contains(all, phrase) {
			return true
		}
	}
	return false
}

// isEnglish says whether a text has words that only English has in such number
// that what is asked of English can be asked of it.
func isEnglish(words []token) bool {
	for _, t := range words {
		switch t.word {
		case "the", "and", "with", "for", "are", "this", "that", "from", "when", "of", "it", "has", "have", "every", "our", "we":
			return true
		}
	}
	return false
}

// hasOrder says whether a text tells somebody to do something.
func hasOrder(words []token) bool {
	for i, t := range words {
		switch t.word {
		case "must", "should", "never", "always", "don't", "don’t", "avoid", "required", "mandatory", "forbidden", "shall", "cannot", "can't", "prefer", "please", "needed":
			return true
		case "not":
			if before := at(words, i-1); before == "do" || before == "may" {
				return true
			}
		}
		begins := t.begins || t.clause || isLeadIn(at(words, i-1))
		if begins && (isOrder(t.word) || isBase(t.word) && isObject(at(words, i+1))) {
			return true
		}
	}
	return false
}

// isLeadIn says whether an order may follow a word.
func isLeadIn(word string) bool {
	switch word {
	case "then", "and", "or", "first", "please", "just", "to":
		return true
	default:
		return false
	}
}

// isOrder says whether a word at the begin of a sentence is an order.
func isOrder(word string) bool {
	switch word {
	case "only", "no", "not", "use", "run", "keep", "set", "call", "check", "make", "put", "write", "add", "do", "let", "read", "start", "stop", "pass", "pin", "wrap", "test",
		"build", "deploy", "commit", "push", "pull", "merge", "rebase", "install", "remove", "delete", "create", "copy", "move", "rename", "open", "close",
		"enable", "disable", "turn", "treat", "store", "send", "return", "handle", "validate", "verify", "ensure", "ask", "tell", "give", "show", "print",
		"log", "cache", "flush", "restart", "reload", "rotate", "mock", "stub", "seed", "migrate", "generate", "regenerate", "format", "lint", "review", "name",
		"prefix", "quote", "escape", "encode", "decode", "parse", "load", "import", "export", "register", "configure", "define", "declare", "document", "follow",
		"apply", "skip", "ignore", "retry", "wait", "limit", "split", "join", "sort", "filter", "bump", "tag", "release", "publish", "sign", "increase", "reduce",
		"change", "update", "replace", "switch", "look", "find", "go", "begin", "end", "finish", "stick", "leave", "take", "bring", "hold", "choose", "pick", "select":
		return true
	default:
		return false
	}
}

// isBase says whether a word could be a verb that orders: it has none of the
// endings of other forms, and is none of the small words.
func isBase(word string) bool {
	for _, end := range [...]string{"s", "ed", "ing", "ly", "ion"} {
		if strings.HasSuffix(word, end) {
			return false
		}
	}
	switch word {
	case "in", "on", "for", "with", "when", "while", "if", "all", "the", "both", "after", "before", "by", "from", "at", "of", "once", "until", "not", "so",
		"but", "and", "or", "that", "than", "to", "via", "per", "like", "unlike", "under", "over", "without", "during", "into", "had", "did", "can", "will",
		"would", "are", "were", "we", "i", "it", "they", "you", "he", "she", "there", "here", "where", "what", "who", "how", "why", "then", "even", "now",
		"about", "between", "among", "through", "behind", "above", "below", "beyond", "out", "up", "down", "have", "be", "been", "near", "because", "since", coded:
		return false
	default:
		return word != ""
	}
}

// isObject says whether a word begins what an order is about.
func isObject(word string) bool {
	switch word {
	case "the", "a", "an", "this", "these", "those", "each", "every", "all", "any", "your", "our", "its", "it", "them", "no", "only", "new", coded:
		return true
	default:
		return false
	}
}

// isFiller says whether a word says nothing of its own.
func isFiller(word string) bool {
	switch word {
	case "a", "an", "the", "this", "that", "these", "those", "it", "its", "is", "are", "was", "were", "be", "been", "to", "of", "for", "in", "on", "at", "by",
		"with", "from", "and", "or", "so", "as", "we", "i", "you", "our", "us", "they", "because", "since", "want", "wanted", "need", "needed", "should",
		"must", "will", "would", "have", "has", "had", "do", "did", "decided", "decision", "just", "also", "here", "there", "now", "then", "please", "what", "how":
		return true
	default:
		return false
	}
}

// isVagueWord says whether a word of a next step says only that there is one.
func isVagueWord(word string) bool {
	switch word {
	case "continue", "continuing", "finish", "complete", "proceed", "resume", "keep", "going", "go", "carry", "wrap", "up", "done", "tbd", "todo", "next",
		"step", "steps", "work", "working", "task", "tasks", "rest", "remaining", "everything", "stuff", "thing", "things", "planned", "implementation", "where",
		"left", "off", "fix", "bug", "bugs", "issue", "issues", "problem", "problems", "same", "before", "previous", "more", "some", "clean", "cleanup", "polish", "improve",
		"feature", "job", "ahead", "it's", "until", "ready", "further", "again", "all", "implementing", "coding", "session", "start", "move", "forward", "above", "see":
		return true
	default:
		return false
	}
}
