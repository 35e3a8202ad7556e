package remote

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// How many refs are many. Every push of anybody hears of each ref that the remote holds, with about 90 bytes:
// from ManyRefs on that is worth a word, and from TooManyRefs on a loud one.
const (
	ManyRefs    = 1000
	TooManyRefs = 2000
)

// checkBroken tells of refs that git cannot use, and of names that are none of the format.
func checkBroken(ctx context.Context, p *patient) error {
	bad, err := p.store.Broken(ctx)
	if err != nil {
		return err
	}
	stray, err := p.store.Stray(ctx)
	if err != nil {
		return err
	}
	blocking, err := p.store.Blocking(ctx)
	if err != nil {
		return err
	}
	for _, name := range blocking {
		p.tell(Problem, name+" is a ref, so that none can be made below it: nothing can be saved there",
			"git update-ref --no-deref -d "+name)
	}
	for _, b := range bad {
		p.tell(Problem, b.Ref+" is broken: "+b.Reason, healCommand)
	}
	for _, name := range stray {
		if slices.Contains(blocking, name) {
			continue
		}
		p.tell(Advice, name+" is no record of this format; it is never read",
			"git update-ref --no-deref -d "+clean.ShellWord(name))
	}
	return nil
}

// checkLocks tells of locks whose holder is gone, or may be. Git refuses to change what is locked.
func checkLocks(_ context.Context, p *patient) error {
	for _, lock := range p.store.Locks() {
		switch minutes := int(lock.Age.Minutes()); {
		case lock.Left():
			p.tell(Problem, lock.Name+" was left behind by a process that died", healCommand)
		case minutes > 0: // A ref is written in milliseconds.
			p.tell(Advice, fmt.Sprintf("%s has been there for %d min: a process holds it, or died; after %d min "+
				"it is taken away", lock.Name, minutes, int(lock.Most.Minutes())), healCommand)
		}
	}
	return nil
}

// checkLive tells that there are so many refs that every push pays for them.
func checkLive(ctx context.Context, p *patient) error {
	held, err := p.store.CountRefs(ctx, TooManyRefs)
	if err != nil || held < ManyRefs {
		return err
	}
	level, what := Advice, fmt.Sprintf("%d refs of memory; each costs every push some 90 bytes", held)
	if held >= TooManyRefs {
		level, what = Problem,
			fmt.Sprintf("%d refs of memory or more slow every push to a remote that holds them", held)
	}
	p.tell(level, what, "git ltm compact")
	return nil
}

// checkDisk tells that nothing can be stored, and of broken refs that were set aside.
func checkDisk(_ context.Context, p *patient) error {
	probe := p.repo.Local().OwnFile("probe")
	err := probe.Replace([]byte("\n"), local.Unsynced)
	if _ = probe.Remove(); err != nil {
		p.tell(Problem, "nothing can be stored in "+p.repo.Local().Path()+": "+err.Error(), "")
	}
	aside := p.repo.Local().Sub("quarantine").Path()
	list, err := os.ReadDir(aside)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if n := len(list); n > 0 {
		p.tell(Advice, fmt.Sprintf("broken refs were set aside in %s: %d", aside, n),
			"look whether you miss a record, and delete the files")
	}
	return err
}

// Overwriting are the refspecs by which a plain fetch writes over records of this clone, and where it prunes
// deletes those that the remote does not hold.
func Overwriting(config git.Config) (all []Setting) {
	for _, name := range config.Remotes() {
		key := Tracking(name).Key
		for _, spec := range config.All(key) {
			if reachesPrefix(spec, refs.Root) {
				all = append(all, Setting{key, spec})
			}
		}
	}
	return all
}

// checkRefspecs finds refspecs that write below refs/ltm.
func checkRefspecs(_ context.Context, p *patient) error {
	for _, s := range Overwriting(p.config) {
		name := strings.TrimSuffix(strings.TrimPrefix(s.Key, "remote."), ".fetch")
		level, what := Problem, "git fetch %s writes over records of this clone (%s)"
		prunes, _ := p.config.Bool("fetch.prune", false)
		if prunes, _ = p.config.Bool("remote."+name+".prune", prunes); prunes {
			what = "git fetch %s writes over records of this clone and deletes those that were not " +
				"pushed (%s)"
		}
		if p.repo.Bare {
			level, what = Advice,
				"this is a mirror of %s: a record that is stored here is lost with the next fetch (%s)"
		}
		p.tell(level, fmt.Sprintf(what, name, s.Value),
			s.Command()+"; git ltm init "+name)
	}
	return nil
}

// reachesPrefix reports whether a refspec can write to refs with a prefix that ends in a slash.
func reachesPrefix(spec, prefix string) bool {
	source, to, ok := strings.Cut(strings.TrimPrefix(spec, "+"), ":")
	if !ok || strings.HasPrefix(source, "^") {
		return false
	}
	before, _, pattern := strings.Cut(to, "*")
	return strings.HasPrefix(before, prefix) || pattern && strings.HasPrefix(prefix, before)
}

// checkMirrors tells of pushes that delete what this clone lacks.
func checkMirrors(_ context.Context, p *patient) error {
	for _, name := range p.remotes {
		key := "remote." + name + ".mirror"
		if on, err := p.config.Bool(key, false); !on || err != nil || p.repo.Bare {
			continue
		}
		what := fmt.Sprintf(
			"a plain git push to %s deletes there what this clone lacks, records of others too (%s)", name,
			key)
		p.tell(Problem, what, "git config --unset "+key)
	}
	return nil
}

// checkAddresses tells of a remote that is several places for a push. Only the one that is fetched from is
// ever looked at.
func checkAddresses(_ context.Context, p *patient) error {
	for _, name := range p.remotes {
		all := p.config.All("remote." + name + ".pushurl")
		if len(all) == 0 {
			all = p.config.All("remote." + name + ".url")
		}
		if len(all) < 2 {
			continue
		}
		what := fmt.Sprintf(
			"a push to %s goes to %d places, and only the one that is fetched from is looked at: what "+
				"another lacks, or still holds after a purge, stays so", name, len(all))
		p.tell(Advice, what,
			"git remote add NAME URL for each of the others; git ltm sync --all")
	}
	return nil
}
