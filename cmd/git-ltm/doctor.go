package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/hook"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/setup"
)

type doctorOptions struct{ Fix bool }

// errProblems says that something is wrong with a set-up.
var errProblems = errors.New("there are problems")

// runDoctor looks, mends where it may, and tells. Of agents that are named it also says what they wait for.
func runDoctor(ctx context.Context, e *env, m *memory.Memory, o doctorOptions, names []string) error {
	ask, err := findAgents(names)
	if err != nil {
		return err
	}
	e.rules, _ = m.Rules(ctx) // Where they cannot be read, names are judged by the built-in ones.
	found, err := examineClone(ctx, e, m, ask)
	if err != nil {
		return err
	}
	mended := map[string]bool{}
	for _, f := range found {
		if !o.Fix || !f.Fixable() || mended[f.What] {
			continue
		}
		if err := f.Fix(ctx); err != nil {
			e.warnf("%s: %v", f.What, err)
			continue
		}
		mended[f.What] = true
	}
	if len(mended) > 0 {
		if found, err = examineClone(ctx, e, m, ask); err != nil {
			return err
		}
	}
	problems := 0
	for i := range found {
		f := &found[i]
		f.What, f.Mend = e.printable(e.aimCommands(f.What)), e.printable(e.aimCommands(f.Mend))
		if f.Level == remote.Problem {
			problems++
		}
		line := fmt.Sprintf("%s: %s", f.Level, f.What)
		if f.Mend != "" {
			line += "; mend: " + f.Mend
		}
		e.println(line)
	}
	if err := e.printResult(found, nil); err != nil || problems == 0 {
		return err
	}
	return fmt.Errorf("%w: %d", errProblems, problems)
}

// aimCommands lets the commands in a text work on the memory that this one works on.
func (e *env) aimCommands(text string) string {
	if e.userStore == "" {
		return text
	}
	pairs := []string{"git ltm ", "git ltm --user "}
	for _, verb := range []string{"config ", "update-ref ", "pack-refs ", "for-each-ref ", "fetch "} {
		pairs = append(pairs, "git "+verb, "git -C "+e.userStore+" "+verb)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// examineClone lists all findings.
func examineClone(
	ctx context.Context, e *env, m *memory.Memory, ask []setup.Agent,
) ([]remote.Finding, error) {
	found, err := remote.Examine(ctx, m, e.now())
	if err != nil {
		return nil, err
	}
	hooks, err := examineHook(ctx, m)
	found = append(found, remote.Judge("hook", "the hook of a push is as it should be", hooks, err)...)
	_, damaged, err := m.Drafts().Read(ctx)
	var drafts []remote.Finding
	for _, s := range damaged {
		drafts = append(drafts, remote.Finding{
			Level: remote.Advice, What: "the draft " + s.Ref + " cannot be read: " + s.Err.Error(),
			Mend: "git ltm distill --drop " + path.Base(s.Ref),
		})
	}
	if err != nil || len(drafts) > 0 {
		found = append(found, remote.Judge("drafts", "", drafts, err)...)
	}
	agents, err := examineAgents(ctx, e, m, ask)
	return append(found, agents...), err
}

// examineHook tells of a hook that should call git ltm and does not, or that git does not run.
func examineHook(ctx context.Context, m *memory.Memory) ([]remote.Finding, error) {
	repo := m.Repo()
	site, err := hookSite(ctx, repo)
	if err != nil {
		return nil, err
	}
	place, err := hook.PrePush.At(site)
	if err != nil {
		return nil, err
	}
	var found []remote.Finding
	if place.Calls && place.Exists && !place.Executable && runtime.GOOS != "windows" {
		found = append(found,
			remote.Finding{
				Level: remote.Problem,
				What:  "git does not run " + place.Path + ", which is not executable",
				Mend:  "chmod +x " + place.Path,
			})
	}
	plain := site
	plain.Dir = filepath.Join(repo.CommonDir, "hooks")
	if hidden, err := hook.PrePush.At(plain); err == nil && hidden.Own && plain.Dir != site.Dir &&
		hidden.Path != place.Path && !place.Calls {
		found = append(found,
			remote.Finding{
				Level: remote.Problem,
				What:  "git does not run " + hidden.Path + ": core.hooksPath leads it to " + site.Dir,
				Mend:  "git ltm hook install pre-push says what to do",
			})
	}
	return found, nil
}

// examineAgents tells what is wrong with what agents are told. Of agents that are told nothing there is
// nothing to say.
func examineAgents(ctx context.Context, e *env, m *memory.Memory,
	asked []setup.Agent,
) ([]remote.Finding, error) {
	site, err := findSite(ctx, e)
	if err != nil {
		return nil, nil //nolint:nilerr // Without a home no agent has files.
	}
	var found []remote.Finding
	for _, a := range setup.Agents() {
		for _, f := range a.Examine(site) {
			found = append(found,
				remote.Finding{Check: "agents", Level: remote.Level(f.Level), What: f.What, Mend: f.Mend})
		}
	}
	if x, err := remote.Look(ctx, m); err == nil && !x.Fixed && isAnySetUp(ctx, e) {
		what := "setup fixed no remote for memory here, so it does not travel by itself"
		found = append(found,
			remote.Finding{
				Check: "agents", Level: remote.Advice, What: what,
				Mend: "git ltm setup --remote " + x.Remote,
			})
	}
	fault, err := lastFault(e, m.Repo())
	if err == nil && fault != nil {
		found = append(found, remote.Finding{
			Check: "agents", Level: remote.Advice,
			What: fmt.Sprintf("the hook %s of %s failed at %s: %s", fault.Event, fault.Host,
				fault.At.Format("2006-01-02 15:04"), fault.Error),
		})
	}
	for _, a := range asked {
		told := slices.ContainsFunc(setup.Look(site, a), func(s setup.State) bool { return s.Told })
		if !told && a.Plugin(site) == "" {
			found = append(found, remote.Finding{
				Check: "agents", Level: remote.Problem, What: a.Title + " is not set up here", Mend: "git ltm setup " + a.Name,
			})
		}
		for _, note := range a.Notes(site) {
			found = append(found, remote.Finding{Check: "agents", Level: remote.Advice, What: note})
		}
	}
	return found, err
}
