package command

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/git-ltm/git-ltm/internal/local"
)

// The bounds of an ignore file.
const (
	IgnoreFile  = ".ltmignore"
	MaxIgnore   = 64 << 10
	MostIgnored = 1000
)

// ignores says which files of a folder are not read, in the manner of .gitignore.
type ignores []ignore

// An ignore is one line of the file.
type ignore struct {
	pattern *regexp.Regexp
	negated bool // what it matches is read after all
	folders bool // it matches folders alone
}

// ReadIgnore reads the ignore file at the top of a folder. One that is no plain file, or has no end, is an
// error: what it would keep out must not come in.
func ReadIgnore(files fs.FS) (all ignores, err error) {
	info, err := fs.Lstat(files, IgnoreFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New(IgnoreFile + " is no plain file")
	}
	f, err := files.Open(IgnoreFile)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	data, err := local.ReadAll(f, MaxIgnore)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", IgnoreFile, err)
	}
	for line := range strings.Lines(string(data)) {
		one, ok, err := parseIgnore(strings.TrimRight(line, " \t\r\n"))
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, one)
		}
	}
	if len(all) > MostIgnored {
		return nil, errors.New(IgnoreFile + " has too many lines")
	}
	return all, nil
}

func parseIgnore(line string) (one ignore, ok bool, err error) {
	if line == "" || line[0] == '#' {
		return one, false, nil
	}
	line, one.negated = strings.CutPrefix(line, "!")
	line = strings.TrimPrefix(line, `\`) // before a # or a ! that is meant
	line, one.folders = strings.CutSuffix(line, "/")
	rest, anchored := strings.CutPrefix(line, "/")
	if !anchored && !strings.Contains(rest, "/") {
		rest = "**/" + rest
	}
	// An expression of Go takes a time that its own length and that of the name bound.
	forms := strings.NewReplacer(`\*\*/`, "(.*/)?", `/\*\*`, "(/.*)?", `\\\*`, `\*`, `\*`, "[^/]*", `\?`, "[^/]",
		`\[!`, "[^", `\[\^`, "[^", `\[`, "[", `\]`, "]")
	one.pattern, err = regexp.Compile("^" + forms.Replace(regexp.QuoteMeta(rest)) + "$")
	if err != nil {
		err = errors.New(IgnoreFile + ": a pattern that cannot be read")
	}
	return one, rest != "**/", err
}

// Matches tells whether a file or a folder is left out. The last line that speaks of it counts.
func (all ignores) Matches(name string, entry fs.DirEntry) bool {
	left := false
	for _, one := range all {
		if (entry.IsDir() || !one.folders) && one.pattern.MatchString(name) {
			left = !one.negated
		}
	}
	return left
}
