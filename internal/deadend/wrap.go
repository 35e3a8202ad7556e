package deadend

import (
	"slices"
	"strings"
)

// wrapper is a program, or a subcommand of one, that runs another command.
type wrapper struct {
	values string // its options that are followed by a value
	skip   int    // so many words come before the command: the host of ssh, the image of docker run
	after  string // the option behind which the command stands, where it stands behind one
	line   bool   // the command is a line for a shell
	file   bool   // the command may be a script, which is named
	unless string // its own subcommands
}

// wrapperOf is what a table says of a program, or of one with its subcommand.
func wrapperOf(key string) (w wrapper, ok bool) {
	said, ok := commands.Value("wrappers", key)
	for word := range strings.FieldsSeq(said) {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "+1":
			w.skip = 1
		case "+after":
			w.after = value
		case "+line":
			w.line = true
		case "+file":
			w.file = true
		case "+node":
			w.unless = lookUp("values", "node")
		case "+docker":
			w.values += " " + lookUp("values", "docker")
		default:
			w.values += " " + word
		}
	}
	return w, ok
}

// spelledOut writes a command that has two names the one way.
func spelledOut(words []string) []string {
	for n := min(2, len(words)); n > 0; n-- {
		name := lookUp("names", strings.Join(append([]string{baseName(words[0])}, words[1:n]...), " "))
		if name != "" {
			return append(strings.Fields(name), words[n:]...)
		}
	}
	return words
}

// maxWrapped is how many programs that run one another are taken off.
const maxWrapped = 12

// commandChain returns the words of a command, and the words of what it runs in turn: "sudo -H npx jest" is
// also "npx jest" and "jest".
func (c shellCommand) commandChain() (all [][]string) {
	for words := c.words; len(words) > 0 && len(all) < maxWrapped; words, _ = innerCommand(words) {
		words = spelledOut(words)
		all = append(all, words)
	}
	return all
}

// innerScript is what the command hands to another shell, as a word or as a here document.
func (c shellCommand) innerScript() (line string) {
	if all := c.commandChain(); len(all) > 0 {
		last := all[len(all)-1]
		w, _ := wrapperOf(baseName(last[0]))
		if _, line = innerCommand(last); line == "" && w.line {
			line = c.body
		}
	}
	return line
}

// innerCommand is what a command runs that only runs another one: words, or a line for a shell.
func innerCommand(words []string) (rest []string, line string) {
	key := programOf(words[0])
	for at, deep := 1, 0; deep < 3; deep++ {
		if w, ok := wrapperOf(key); ok && (w.unless == "" || at < len(words) &&
			!isAmong(w.unless, words[at])) {
			rest, line = w.cutWrapper(words[at:])
			return rest, line
		}
		for at < len(words) && strings.HasPrefix(words[at], "-") {
			if isAmong(lookUp("where", programOf(words[0])), words[at]) {
				at++
			}
			at++
		}
		if at >= len(words) {
			break
		}
		key += " " + words[at]
		at++
	}
	return nil, ""
}

// cutWrapper takes off what stands before the command.
func (w wrapper) cutWrapper(words []string) (rest []string, line string) {
	at := slices.IndexFunc(words, func(word string) bool {
		return word == w.after ||
			w.line && len(w.after) == 2 && isCluster("", word) && strings.HasSuffix(word, w.after[1:])
	})
	if w.after != "" && at >= 0 && at+1 < len(words) {
		if w.line {
			return nil, words[at+1]
		}
		return words[at+1:], ""
	}
	if w.file {
		at = slices.IndexFunc(words, func(word string) bool { return !strings.HasPrefix(word, "-") })
		if at >= 0 && strings.ContainsAny(words[at], "./") {
			return words[at:], ""
		}
	}
	if w.file || w.after != "" {
		return nil, ""
	}
	skip := w.skip
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case word == "--":
		case isAmong(w.values, word):
			i++
		case strings.HasPrefix(word, "-") || skip == 0 && isAssignment(word):
		case skip > 0:
			skip--
		case w.line:
			return nil, strings.Join(words[i:], " ")
		default:
			return words[i:], ""
		}
	}
	return nil, ""
}

// isAmong says whether a word is one of a list.
func isAmong(list, word string) bool {
	// Nearly no word is, and this is how fast a text can be searched.
	return strings.Contains(list, word) && slices.Contains(strings.Fields(list), word)
}
