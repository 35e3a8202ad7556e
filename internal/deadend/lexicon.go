package deadend

// isStop says whether a word says nothing of its own. The words are those of
// prose, and the verbs that any attempt may begin with.
func isStop(stem string) bool {
	switch stem {
	case "a", "an", "the", "and", "or", "but", "if", "then", "so", "as", "at", "by", "for", "from", "in", "into", "of", "off",
		"on", "onto", "out", "over", "per", "than", "to", "up", "upon", "via", "with", "within", "without", "about", "after",
		"again", "also", "any", "all", "am", "ar", "be", "been", "being", "befor", "both", "can", "could", "did", "do", "doe",
		"doing", "dont", "each", "els", "every", "few", "get", "got", "had", "has", "hav", "he", "her", "him", "his", "how", "i",
		"im", "instead", "is", "it", "its", "itself", "just", "let", "lik", "lot", "mak", "may", "me", "might", "mor", "most",
		"much", "must", "my", "no", "nor", "not", "now", "onc", "one", "only", "other", "our", "own", "pleas", "put", "rather",
		"sam", "set", "she", "should", "sinc", "som", "stil", "such", "that", "their", "them",
		"ther", //nolint:misspell // a stem, not a word
		"thes", "they", "this",
		"thos", "through", "too", "try", "until", "us", "use", "used", "using", "very", "was", "we", "wer", "what", "when", "wher",
		"which", "whil", "who", "whol", "why", "wil", "would", "you", "your", "yet", "front", "tim", "alway", "want", "need", "go", "going",
		"went", "giv", "tak", "see", "look", "shal", "never", "avoid", "cannot", "cant", "wont", "remov", "delet", "drop", "revert",
		"undo", "disabl", "uninstal", "turn":
		return true
	default:
		return len(stem) < 2
	}
}

// isLight says whether a word is so common in the talk of programmers that it
// tells little: it counts half, and only beside others.
func isLight(stem string) bool {
	switch stem {
	case "add", "app", "application", "apply", "build", "built", "cal", "chang", "check", "class", "client", "cod", "command", "config", "creat",
		"data", "databas", "default", "direct", "enabl", "error", "exampl", "fail", "fals", "featur", "field", "fil", "fix", "function",
		"handl", "implement", "instal", "introduc", "issu", "job", "lin", "list", "local", "lower", "main", "method", "migrat", "mod",
		"modul", "mov", "nam", "new", "old", "open", "option", "packag", "pag", "problem", "process", "project", "rais", "read", "refactor",
		"replac", "repo", "request", "respons", "result", "rewrit", "run", "script", "server", "servic", "siz", "start", "stat", "stop",
		"stor", "swap", "switch", "system", "test", "tru", "typ", "updat", "upgrad", "downgrad", "user", "valu", "version", "work", "writ",
		"renam", "thing", "way", "first", "second", "step", "js", "ts", "py", "md", "txt", "json", "yml", "yaml":
		return true
	default:
		return false
	}
}

// The words that turn a number or a version up, or down.
var (
	raising  = []string{"rais", "upgrad", "extend", "widen"}  //nolint:gochecknoglobals // A table that nobody writes to.
	lowering = []string{"lower", "downgrad", "cut", "narrow"} //nolint:gochecknoglobals // The same.
)

// turnsAway says whether a word takes the words after it back: what follows is
// not done, or done away with.
func turnsAway(stem string) bool {
	switch stem {
	case "without", "no", "off", "remov", "delet", "drop", "revert", "undo", "disabl", "uninstal", "rm":
		return true
	default:
		return false
	}
}

// forbids says whether a word of a prompt forbids what follows it.
func forbids(stem string) bool {
	switch stem {
	case "dont", "not", "never", "avoid", "stop", "cannot", "cant", "wont", "shouldnt", "mustnt", "isnt", "arent", "refus":
		return true
	default:
		return false
	}
}

// isPurpose says whether "to" before this word begins what an attempt was
// for, and no longer what was done.
func isPurpose(stem string) bool {
	switch stem {
	case "avoid", "fix", "get", "mak", "stop", "prevent", "lower", "speed", "work", "silenc", "see", "keep", "let", "allow", "handl",
		"resolv", "bypass", "improv", "sav", "solv", "cut", "check", "ensur", "support", "serialis", "rul", "find", "help", "meet", "satisfy",
		"pass", "mitigat", "eliminat", "debug", "be":
		return true
	default:
		return false
	}
}
