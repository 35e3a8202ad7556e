package deadend

import "strings"

// Stem brings a word into the form in which words are compared: lower case,
// without the endings of plural, past and progress, and one spelling for words
// that mean the same to programmers. It is lighter than the stemmers of search
// engines: what it puts together nearly always belongs together.
func Stem(word string) string {
	w := strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(word), "'", ""), "’", "")
	if strings.HasPrefix(w, "#") {
		return w
	}
	return sameWord(undouble(ending(w)))
}

// ending cuts the ending of an English word of letters.
func ending(w string) string {
	if len(w) < 4 || strings.HasSuffix(w, "eed") || strings.ContainsAny(w, "0123456789") {
		return w
	}
	for _, e := range []struct{ from, to string }{
		{"ies", "y"}, {"ied", "y"}, {"sses", "ss"}, {"shes", "sh"}, {"ches", "ch"}, {"xes", "x"}, {"ings", ""}, {"ing", ""}, {"ed", ""}, {"ers", "er"},
	} {
		if rest, ok := strings.CutSuffix(w, e.from); ok && len(rest) >= 3 && hasVowel(rest) {
			return silent(rest + e.to)
		}
	}
	if strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is") {
		w = w[:len(w)-1]
	}
	return silent(w)
}

// silent cuts an "e" at the end, so that "raise" and "raising" meet.
func silent(w string) string {
	if len(w) > 3 && strings.HasSuffix(w, "e") {
		return w[:len(w)-1]
	}
	return w
}

// undouble takes one of two equal letters at the end, so that "splitting" and
// "split" meet.
func undouble(w string) string {
	if n := len(w); n > 3 && w[n-1] == w[n-2] && strings.IndexByte("bdgmnprtl", w[n-1]) >= 0 {
		return w[:n-1]
	}
	return w
}

func hasVowel(s string) bool {
	return strings.ContainsAny(s, "aeiouy")
}

// sameWord is one spelling of words that programmers use for the same thing.
func sameWord(stem string) string {
	switch stem {
	case "increas", "bump", "enlarg", "grow", "rais":
		return "rais"
	case "reduc", "decreas", "shrink", "lower":
		return "lower"
	case "convert", "migrat":
		return "migrat"
	case "db", "databas":
		return "databas"
	case "config", "configuration", "configur", "conf":
		return "config"
	case "postgr", "postgresql", "pg":
		return "postgr"
	case "dep", "dependency":
		return "dep"
	case "env", "environment":
		return "env"
	case "repo", "repository":
		return "repo"
	case "regex", "regexp":
		return "regex"
	case "con", "connection": // "conn" has lost one of its letters
		return "conn"
	case "javascript":
		return "js"
	case "typescript":
		return "ts"
	case "kubernet":
		return "k8s"
	case "serializ", "serialis":
		return "serialis"
	case "dir", "directory", "folder":
		return "dir"
	case "authentication", "auth":
		return "auth"
	case "asynchronou", "async":
		return "async"
	case "synchronou", "sync":
		return "sync"
	default:
		return importedAs(stem)
	}
}

// importedAs is a package that programs know by another name.
func importedAs(stem string) string {
	switch stem {
	case "pd":
		return "panda"
	case "np":
		return "numpy"
	case "mp":
		return "multiprocess"
	case "concatenat":
		return "concat"
	default:
		return stem
	}
}
