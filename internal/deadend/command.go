package deadend

import (
	"slices"
	"strings"
)

// commandRule is a command that a rule has: it is met by commands that begin
// with its words and have its options, wherever they stand.
type commandRule struct {
	rule  int
	form  form
	doubt int
}

// form is a command with its options apart.
type form struct {
	program string
	head    []string // the words before the first option
	rest    []string // the words after it
	plain   []string // all of these in their order
	values  []string // those that follow an option and may be its value
	flags   []string
	assigns []string // NAME=value before it
}

// newCommandRule reads the command of a rule.
func newCommandRule(i int, command string) (commandRule, bool) {
	c, ok := ruleCommand(command)
	if !ok {
		return commandRule{}, false
	}
	words := spelledOut(c.words)
	if rest, ok := runnerRest(words); ok {
		if tool, ok := afterOptions(rest, false); ok {
			words = tool
		}
	}
	f := formOf(words)
	f.assigns = c.assigns
	return commandRule{rule: i, form: f}, true
}

// ruleCommand is the command that a rule means: the first that does more than
// go somewhere.
func ruleCommand(line string) (shellCommand, bool) {
	for _, c := range shellCommands(line) {
		if len(c.words) > 0 && c.words[0] != "cd" {
			return c, true
		}
	}
	return shellCommand{}, false
}

// formOf sorts the words of a command.
func formOf(words []string) form {
	f := form{program: words[0]}
	for i := 1; i < len(words); i++ {
		w := words[i]
		if len(w) > 1 && w[0] == '-' {
			f.flags = append(f.flags, w)
			if i+1 < len(words) && takesValue(baseName(f.program), w) {
				i++
			}
			continue
		}
		w = tidyWord(w)
		f.plain = append(f.plain, w)
		switch {
		case len(f.flags) == 0:
			f.head = append(f.head, w)
		case strings.HasPrefix(words[i-1], "-"):
			f.values = append(f.values, w)
		default:
			f.rest = append(f.rest, w)
		}
	}
	return f
}

// tidyWord lets "./dist/" be "dist", and leaves "./..." alone.
func tidyWord(w string) string {
	if tidy := tidyPath(w); tidy != "" && tidy != "..." {
		return tidy
	}
	return w
}

// byCommand finds the rules whose command is among the commands of an action.
func (r *Rules) byCommand(run []shellCommand) []Match {
	if len(r.commands) == 0 {
		return nil
	}
	var found []Match
	for _, c := range run {
		for _, words := range c.unwrapped() {
			found = append(found, r.matchForm(c, words)...)
		}
	}
	return found
}

func (r *Rules) matchForm(c shellCommand, words []string) []Match {
	var found []Match
	var given *givenForm
	for _, rule := range r.commands {
		if !sameProgram(rule.form.program, words[0]) {
			continue
		}
		if given == nil {
			given = newGivenForm(words)
			given.below = c.below
		}
		if on, ok := given.meets(rule.form); ok && c.assignsAll(rule.form.assigns) {
			found = append(found, Match{Rule: rule.rule, By: ByCommand, On: on, Sure: lower(rule.doubt)})
		}
	}
	return found
}

// assignsAll says whether a command sets all these variables, itself or
// through env.
func (c shellCommand) assignsAll(assigns []string) bool {
	return !slices.ContainsFunc(assigns, func(a string) bool {
		return !slices.Contains(c.assigns, a) && !slices.Contains(c.words, a)
	})
}

// sameProgram compares programs by name where the rule does not say a path.
func sameProgram(rule, given string) bool {
	return rule == given || rule == baseName(given)
}

// givenForm is the form of a command of an action, with its options as a set.
type givenForm struct {
	words []string
	plain []string
	below string            // the directory in which it runs, within the repository
	flags map[string]string // each way to write an option, to the way it stands there
}

func newGivenForm(words []string) *givenForm {
	f := formOf(words)
	g := &givenForm{words: words, plain: f.plain, flags: make(map[string]string, 2*len(f.flags))}
	program := baseName(words[0])
	for i, w := range words {
		if i == 0 || len(w) < 2 || w[0] != '-' {
			continue
		}
		for _, same := range spellings(program, w) {
			g.flags[same] = w
		}
		if i+1 < len(words) {
			g.flags[w+"="+words[i+1]] = w
		}
	}
	return g
}

// meets says whether the command begins with a rule's words and has its
// options, and which of its words these are.
func (g *givenForm) meets(rule form) ([]string, bool) {
	if len(g.plain) < len(rule.head) || !slices.EqualFunc(rule.head, g.plain[:len(rule.head)], g.means) {
		return nil, false
	}
	on := append([]string{g.words[0]}, rule.head...)
	for _, flag := range rule.flags {
		given, ok := g.flags[flag]
		if !ok && !g.hasLetters(flag) {
			return nil, false
		}
		if ok {
			on = append(on, given)
		}
	}
	for _, w := range rule.values {
		if !slices.ContainsFunc(g.plain, func(given string) bool { return g.means(w, given) }) {
			return nil, false
		}
		on = append(on, w)
	}
	left := g.plain[len(rule.head):]
	for _, w := range rule.rest {
		i := slices.IndexFunc(left, func(given string) bool { return g.means(w, given) })
		if i < 0 {
			return nil, false
		}
		on = append(on, left[i])
		left = left[i+1:]
	}
	return on, true
}

// means says whether a word of the command is one of the rule, or names the
// same file from below.
func (g *givenForm) means(rule, given string) bool {
	return rule == given || g.below != "" && rule == g.fromTop(given)
}

// fromTop names a file as seen from the top of the repository.
func (g *givenForm) fromTop(word string) string {
	return g.below + "/" + strings.TrimPrefix(word, "./")
}

// hasLetters says whether "-rf" is there in other words: "-fr" or "-r -f".
func (g *givenForm) hasLetters(flag string) bool {
	if !isCluster(baseName(g.words[0]), flag) {
		return false
	}
	for i := 1; i < len(flag); i++ {
		if _, ok := g.flags["-"+flag[i:i+1]]; !ok {
			return false
		}
	}
	return true
}

// spellings are the ways to write an option that mean the same.
func spellings(program, flag string) []string {
	all := []string{flag}
	if name, _, ok := strings.Cut(flag, "="); ok {
		all = append(all, name)
	}
	if isCluster(program, flag) {
		for i := 1; i < len(flag); i++ {
			all = append(all, "-"+flag[i:i+1])
		}
	}
	for _, f := range all {
		if long := longOf(program, f); long != "" {
			all = append(all, long)
		}
	}
	return all
}

// longOf is the other spelling of an option that many programs share.
func longOf(program, flag string) string {
	switch program {
	case "git", "npm", "yarn", "pnpm", "rm", "mv", "cp", "ln":
		switch flag {
		case "-f":
			return "--force"
		case "--force":
			return "-f"
		}
	}
	switch program {
	case "rm", "cp", "chmod", "chown", "grep":
		switch flag {
		case "-r", "-R":
			return "--recursive"
		case "--recursive":
			return "-r"
		}
	}
	switch {
	case program == "jest" || program == "vitest":
		switch flag {
		case "-u", "--update":
			return "--updateSnapshot"
		case "--updateSnapshot":
			return "-u"
		}
		return ""
	case program == "git" && flag == "-n":
		return "" // --no-verify of commit, --dry-run of push
	case program == "docker" && flag == "-v":
		return "--volumes" // of compose down
	case program == "docker" && flag == "--volumes":
		return "-v"
	case program == "npm" && flag == "-g":
		return "--global"
	case program == "npm" && flag == "--global":
		return "-g"
	default:
		return ""
	}
}

// isCluster says whether an option is a few letters in one, as in "tar -xvf".
func isCluster(program, flag string) bool {
	switch program {
	case "go", "find", "java", "javac", "terraform", "gcc", "clang", "openssl", "ffmpeg", "xcodebuild":
		return false
	}
	if len(flag) < 2 || len(flag) > 5 || flag[0] != '-' || flag[1] == '-' {
		return false
	}
	return !slices.ContainsFunc([]byte(flag[1:]), func(ch byte) bool {
		return !isAlnum(ch) || '0' <= ch && ch <= '9'
	})
}
