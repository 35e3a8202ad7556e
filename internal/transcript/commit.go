package transcript

import (
	"slices"
	"strings"
)

// committed takes down the commits that a command made, as git printed them or as the client noticed them.
func (b *builder) committed(command, output, noticed string) {
	if !makesCommits(command) || b.leaves(command) {
		return
	}
	found := 0
	for line := range strings.Lines(output) {
		if id, subject, ok := commitLine(line); ok {
			found++
			b.addCommit(Commit{ID: id, Subject: head(subject, mostLabel)})
		}
	}
	if found == 0 && isObjectName(noticed) {
		b.addCommit(Commit{ID: head(noticed, mostLabel)})
	}
}

func (b *builder) addCommit(c Commit) {
	c.N = b.next()
	b.commits.put(c.ID, c)
	if len(b.commits.values) > mostRest {
		b.commits.cut(0)
	}
}

// leaves says whether a command line works in a repository other than that of the session, such as one made to try something.
func (b *builder) leaves(command string) bool {
	if strings.Contains(command, "git init") {
		return true
	}
	for _, step := range [...]string{"cd ", "git -C "} {
		_, rest, _ := strings.Cut(command, step)
		dir, _, _ := strings.Cut(rest, " ")
		if dir = strings.Trim(dir, `"';&`); strings.HasPrefix(dir, "/") && b.s.Dir != "" && !within(dir, b.s.Dir) && !within(b.s.Dir, dir) {
			return true
		}
	}
	return false
}

// within says whether a directory is another one or lies below it.
func within(dir, top string) bool {
	return dir == top || strings.HasPrefix(dir, strings.TrimRight(top, "/")+"/")
}

// makesCommits says whether a command line may make a commit with git.
func makesCommits(command string) bool {
	if !strings.Contains(command, "git") {
		return false
	}
	return slices.ContainsFunc([]string{
		"commit", "cherry-pick", "revert", "merge", "am", "rebase",
	}, func(verb string) bool { return strings.Contains(command, verb) })
}

// commitLine reads a line as git commit prints it: [branch 1a2b3c4] subject.
func commitLine(line string) (id, subject string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), "[")
	if !ok {
		return "", "", false
	}
	place, subject, ok := strings.Cut(rest, "] ")
	words := strings.Fields(place)
	if !ok || len(words) < 2 || !isObjectName(words[len(words)-1]) {
		return "", "", false
	}
	return head(words[len(words)-1], mostLabel), strings.TrimSpace(subject), true
}

// isObjectName says whether a word is the name of an object of git, which may be abbreviated.
func isObjectName(word string) bool {
	if len(word) < 7 || len(word) > 64 {
		return false
	}
	return strings.IndexFunc(word, func(r rune) bool { return !strings.ContainsRune("0123456789abcdef", r) }) < 0
}
