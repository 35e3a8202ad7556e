package deadend

import (
	"maps"
	"slices"
	"strings"
)

// commandRule is the commands that a rule has: it is met where each of them is among those of an action, with
// its words and its options wherever they stand.
type commandRule struct {
	rule    int
	forms   []form
	derived bool // an attempt: without options, one more may be what makes it work
}

// form is a command in the way in which commands are compared.
type form struct {
	words   []string          // as they stand there
	program string            // as programs are compared
	folder  string            // where a script lies that is the program
	anchor  bool              // the first plain word comes before any option: it is a subcommand
	plain   []string          // the words that are no options, in their order
	values  []string          // those that may be the value of an option, and those that are
	options map[string]string // each in its long form, and how it stands there
	assigns []string          // NAME=value before it
	below   string            // the directory in which it runs, within the repository
}

// newCommandRule reads the commands of a rule.
func newCommandRule(i int, command string) (commandRule, bool) {
	c := commandRule{rule: i}
	for _, run := range ruleCommands(command) {
		words, assigns := run.words, run.assigns
		for {
			words = spelledOut(words)
			rest, line := innerCommand(words)
			if len(rest) == 0 || line != "" || !isThin(words, rest) {
				break
			}
			assigns = assignmentsIn(assigns, words[:len(words)-len(rest)])
			words = rest
		}
		f := formOf(words)
		f.assigns = assigns
		c.forms = append(c.forms, f)
	}
	return c, len(c.forms) > 0
}

// isThin says whether the words before a command say nothing of what is done: no host, no image, and no
// option of what runs a script.
func isThin(words, rest []string) bool {
	before := len(words) - len(rest)
	w, ok := wrapperOf(strings.Join(words[:min(2, before)], " "))
	if !ok {
		w, ok = wrapperOf(programOf(words[0]))
	}
	return ok && w.skip == 0 && (!w.file || before == 1 || words[before-1] == w.after)
}

// ruleCommands are the commands that a rule means: all but those that go somewhere or set variables for the
// others.
func ruleCommands(line string) []shellCommand {
	if len(line) > maxRule {
		return nil
	}
	return slices.DeleteFunc(shellCommands(line, ""), func(c shellCommand) bool {
		_, goes := c.changesTo("")
		return goes || len(c.words) == 0 || c.words[0] == "export"
	})
}

// formOf sorts the words of a command.
func formOf(words []string) form {
	f := form{words: words, program: programOf(words[0]), options: map[string]string{}}
	if f.program == baseName(words[0]) {
		f.folder = strings.TrimSuffix(tidyPath(words[0]), f.program)
	}
	program := f.program
	for i := 1; i < len(words); i++ {
		w := words[i]
		if where, _, whole := strings.Cut(w, "="); isAmong(lookUp("where", program), where) {
			if !whole {
				i++
			}
			continue
		}
		if program == "dotnet" && strings.HasPrefix(w, "/") && strings.Contains(w, ":") {
			w = "-" + w[1:]
		}
		// A version of the program, as in "cargo +nightly".
		if w == "--" || i == 1 && strings.HasPrefix(w, "+") {
			continue
		}
		if len(w) < 2 || w[0] != '-' {
			f.anchor = f.anchor || len(f.plain) == 0 && len(f.options) == 0
			for _, part := range operandsOf(program, w) {
				if f.plain = append(f.plain, part); strings.HasPrefix(words[i-1], "-") {
					f.values = append(f.values, part)
				}
			}
			continue
		}
		if isIn("singleDash", program) && strings.HasPrefix(w, "--") {
			w = w[1:]
		}
		name, value := w, ""
		if at := strings.IndexAny(w, "=:"); at > 0 {
			name, value = strings.ReplaceAll(w[:at], "_", "-"), w[at+1:]
		}
		if w[1] >= 'A' && w[1] <= 'Z' && !isCluster(program, w) {
			name, value = w[:2], w[2:] // as in "-DNAME=ON"
		}
		if len(name) > 2 && value == "" && name[1] != '-' && isCluster(program, name[:2]) &&
			(isDigit(name[2]) || strings.HasSuffix(longOf(program, f.plain, name[:2]), "=")) {
			name, value = name[:2], name[2:] // as in "-j8"
		}
		if value != "" {
			f.values = append(f.values, value)
		}
		letters := []string{name}
		if isCluster(program, name) {
			letters = letters[:0]
			for _, letter := range name[1:] {
				letters = append(letters, "-"+string(letter))
			}
		}
		for _, letter := range letters {
			f.options[strings.TrimSuffix(longOf(program, f.plain, letter), "=")] = name
		}
	}
	return f
}

// programOf is the name of a program without its folder and its version.
func programOf(word string) string {
	name, _, _ := strings.Cut(baseName(word), "@")
	if bare := strings.TrimRight(strings.TrimRight(name, "0123456789."), "-"); len(bare) > 1 {
		name = bare
	}
	if other := lookUp("programs", name); other != "" {
		return other
	}
	return name
}

// operandsOf are the words that a word of a command means: kubectl has kinds with other names, as
// "deploy/api".
func operandsOf(program, word string) []string {
	switch program {
	case "kubectl":
		parts := strings.FieldsFunc(word, func(c rune) bool { return c == '/' || c == ',' })
		for i, part := range parts {
			if short := lookUp("kinds", strings.TrimSuffix(part, "s")); short != "" {
				parts[i] = short
			}
		}
		return parts
	case "cmake": // Where it builds from is no part of what.
		if strings.Trim(word, "./") == "" {
			return nil
		}
		return []string{tidyWord(word)}
	case "systemctl", "journalctl":
		return []string{strings.TrimSuffix(word, ".service")}
	default:
		return []string{tidyWord(word)}
	}
}

// tidyWord lets "./dist/" be "dist", and leaves "./..." alone. Text is compared as what is added is.
func tidyWord(w string) string {
	if strings.Contains(w, " ") {
		return strings.Trim(foldText(w), "; ")
	}
	if tidy := tidyPath(w); tidy != "" && tidy != "..." {
		return tidy
	}
	return w
}

// isCluster says whether an option is a few letters in one, as in "tar -xvf".
func isCluster(program, option string) bool {
	return !isIn("singleDash", program) && len(option) > 1 && len(option) <= 5 && option[0] == '-' &&
		!strings.ContainsFunc(option[1:], func(ch rune) bool {
			return ch > 'z' || !isAlnum(byte(ch)) || isDigit(byte(ch))
		})
}

// longOf is the long form of an option, where a table has one for the program or its subcommand.
func longOf(program string, plain []string, option string) string {
	keys := []string{program}
	for n := 1; n <= min(2, len(plain)); n++ {
		keys = append(keys, program+" "+strings.Join(plain[:n], " "))
	}
	for _, key := range slices.Backward(keys) {
		for pair := range strings.FieldsSeq(lookUp("long", key)) {
			if short, long, _ := strings.Cut(pair, "="); short == option {
				return long
			}
		}
	}
	return option
}

// byCommand finds the rules whose commands are among the commands of an action.
func (r *Rules) byCommand(run []shellCommand) []Match {
	if len(r.commands) == 0 {
		return nil
	}
	given := formsOf(run)
	var found []Match
	for _, rule := range r.commands {
		var on []string
		met := !slices.ContainsFunc(rule.forms, func(f form) bool {
			for _, g := range given {
				if words, ok := g.meetsRule(f, rule.derived); ok {
					on = append(on, words...)
					return false
				}
			}
			return true
		})
		if met {
			found = append(found, Match{Rule: rule.rule, By: ByCommand, On: on, Sure: r.sureOf(rule.rule, 0)})
		}
	}
	return found
}

// formsOf are the forms of the commands of an action, as they stand there and as what they run in turn.
func formsOf(run []shellCommand) (all []form) {
	for _, c := range run {
		for _, words := range c.commandChain() {
			f := formOf(words)
			f.assigns = assignmentsIn(c.assigns, c.words[:max(0, len(c.words)-len(words))])
			f.below = c.below
			for _, assign := range f.assigns { // Options may stand in a variable, as in NODE_OPTIONS.
				if _, value, _ := strings.Cut(assign, "="); strings.HasPrefix(value, "-") {
					more := formOf(append([]string{f.program}, strings.Fields(value)...))
					maps.Copy(f.options, more.options)
					f.values = append(f.values, more.values...)
				}
			}
			all = append(all, f)
		}
	}
	return all
}

// meetsRule says whether a command has the words and options of a rule, and which of its words these are.
func (g form) meetsRule(rule form, derived bool) ([]string, bool) {
	if rule.program != g.program ||
		!strings.HasSuffix("/"+g.folder, rule.folder) && !strings.HasSuffix("/"+rule.folder, g.folder) {
		return nil, false
	}
	at, on := 0, map[string]bool{}
	for i, w := range rule.plain {
		if slices.Contains(rule.values, w) {
			continue
		}
		for at < len(g.plain) && !g.meansWord(w, g.plain[at]) {
			if i == 0 && rule.anchor && !slices.Contains(g.values, g.plain[at]) &&
				!isIn("operands", g.program) {
				return nil, false
			}
			at++
		}
		if at == len(g.plain) {
			return nil, false
		}
		on[g.plain[at]] = true
		at++
	}
	for _, w := range rule.values {
		all := slices.Concat(g.plain, g.values)
		i := slices.IndexFunc(all, func(given string) bool { return g.meansWord(w, given) })
		if i < 0 {
			return nil, false
		}
		on[all[i]] = true
	}
	for option := range rule.options {
		typed, ok := g.options[option]
		if !ok {
			return nil, false
		}
		on[typed] = true
	}
	for option := range g.options {
		_, wanted := rule.options[option]
		if !wanted && (isIn("otherwise", option) ||
			derived && len(rule.options) == 0 && !isIn("tame", option)) {
			return nil, false
		}
	}
	for _, a := range rule.assigns {
		if !slices.Contains(g.assigns, a) {
			return nil, false
		}
	}
	return append(g.words[:1:1], slices.DeleteFunc(slices.Clone(g.words[1:]), func(w string) bool {
		name, _, _ := strings.Cut(w, "=")
		return !on[tidyWord(w)] && !on[name] && !(len(w) > 2 && w[0] == '-' && on[w[:2]])
	})...), true
}

// meansWord says whether a word of the command is one of the rule: the same, the same file named from below,
// or the same package in some version, where the rule says none.
func (g form) meansWord(rule, given string) bool { return slices.Contains(g.wordReadings(given), rule) }

// wordReadings are what a word of the command may be in a rule.
func (g form) wordReadings(word string) []string {
	all := []string{word}
	if g.below != "" {
		all = append(all, g.below+"/"+strings.TrimPrefix(word, "./"))
	}
	if i := strings.IndexAny(word, "@=<>~^"); i > 0 {
		all = append(all, word[:i])
	}
	return all
}
