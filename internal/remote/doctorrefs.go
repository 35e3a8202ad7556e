package remote

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// How many refs are many. Every push of anybody hears of each ref that the remote holds, with about 90 bytes: from ManyRefs on
// that is worth a word, and from TooManyRefs on a loud one.
const (
	ManyRefs    = 1000
	TooManyRefs = 2000
)

const (
	manyLoose = 2000
	oldLock   = time.Hour // oldLock is when a lock was left behind by a process that died.
)

// broken tells of refs that git cannot use, and of names that are none of the format.
func broken(ctx context.Context, p *patient) ([]Finding, error) {
	bad, stray, err := p.memory.Audit().Inspect(ctx)
	if err != nil {
		return nil, err
	}
	var found []Finding
	for _, b := range bad {
		found = append(found, Finding{
			Level: Problem, What: b.Ref + " is broken: " + b.Err.Error(), Mend: "git ltm doctor --fix", fix: p.memory.HealAll,
		})
	}
	for _, name := range stray {
		found = append(found, Finding{Level: Advice, What: name + " is no record of this format; it is never read", Mend: "git update-ref -d " + shellWord(name)})
	}
	return found, nil
}

// shellWord is a text as one word of a command for a shell. The name of a ref may hold what a shell would run.
func shellWord(text string) string {
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("/._-", c)
	}
	if text != "" && strings.IndexFunc(text, func(c rune) bool { return !plain(c) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// locks tells of locks of refs whose holder is long gone. Git would refuse to change those refs for ever.
func locks(_ context.Context, p *patient) ([]Finding, error) {
	var found []Finding
	err := p.walk(func(path string, entry fs.DirEntry) error {
		if !strings.HasSuffix(path, ".lock") {
			return nil
		}
		info, err := entry.Info()
		if err != nil || time.Since(info.ModTime()) < oldLock {
			return nil //nolint:nilerr // It was given back meanwhile.
		}
		name, _ := filepath.Rel(p.repo.CommonDir, path) // Both are absolute.
		found = append(found, Finding{
			Level: Problem, What: filepath.ToSlash(name) + " was left behind by a process that died", Mend: "git ltm doctor --fix",
			fix: p.memory.HealAll,
		})
		return nil
	})
	return found, err
}

// walk calls do for each file of a loose ref of memory.
func (p *patient) walk(do func(path string, entry fs.DirEntry) error) error {
	for _, dir := range []string{"ltm", "ltm-remotes"} {
		err := filepath.WalkDir(filepath.Join(p.repo.CommonDir, "refs", dir), func(path string, entry fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // It was packed meanwhile.
			}
			if err != nil || entry.IsDir() {
				return err
			}
			return do(path, entry)
		})
		if err != nil {
			return fmt.Errorf("look at loose refs: %w", err)
		}
	}
	return nil
}

// live tells that there are so many refs that every push pays for them.
func live(ctx context.Context, p *patient) ([]Finding, error) {
	held, err := p.memory.Audit().Held(ctx, TooManyRefs)
	if err != nil || held < ManyRefs {
		return nil, err
	}
	level, what := Advice, fmt.Sprintf("%d refs of memory; each costs every push some 90 bytes", held)
	if held >= TooManyRefs {
		level, what = Problem, fmt.Sprintf("%d refs of memory or more slow every push to a remote that holds them", held)
	}
	return []Finding{{Level: level, What: what, Mend: "git ltm compact"}}, nil
}

// loose tells that so many refs are files of their own that git is slow.
func loose(_ context.Context, p *patient) ([]Finding, error) {
	count := 0
	err := p.walk(func(string, fs.DirEntry) error {
		count++
		return nil
	})
	if err != nil || count < manyLoose {
		return nil, err
	}
	return []Finding{{Level: Advice, What: fmt.Sprintf("%d refs of memory are files of their own", count), Mend: "git pack-refs --all", fix: p.repo.PackRefs}}, nil
}

// How much of the spool is much: it empties itself within a day.
const (
	muchSpool = 64 << 20
	manySpool = 5000
)

// disk tells of what lies in the directory of state.
func disk(_ context.Context, p *patient) ([]Finding, error) {
	var found []Finding
	aside := p.repo.Local().Sub("quarantine").Path()
	if n, _, err := weigh(aside); err != nil {
		return nil, err
	} else if n > 0 {
		found = append(found, Finding{Level: Advice, What: fmt.Sprintf("broken refs were set aside in %s: %d", aside, n), Mend: "look whether you miss a record, and delete the files"})
	}
	n, size, err := weigh(p.repo.Local().Sub("spool").Path())
	if err != nil {
		return found, err
	}
	if n >= manySpool || size >= muchSpool {
		what := fmt.Sprintf("the spool of recent saves holds %d files, %d MB", n, size>>20)
		found = append(found, Finding{Level: Advice, What: what, Mend: "git ltm doctor --fix", fix: p.memory.HealAll})
	}
	return found, nil
}

// weigh counts the files of a directory and their bytes. One that is not there has none.
func weigh(dir string) (files int, bytes int64, err error) {
	list, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, 0, nil
	}
	for _, entry := range list {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			files++
			bytes += info.Size()
		}
	}
	return files, bytes, err
}
