package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/setup"
)

// examineAgents tells what is wrong with what agents are told. Of agents that are told nothing there is
// nothing to say.
func (e *env) examineAgents(ctx context.Context, m *memory.Memory,
	asked []setup.Agent,
) ([]remote.Finding, error) {
	site, err := e.site(ctx)
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
	if x, err := remote.Look(ctx, m); err == nil && !x.Fixed && e.isAnySetUp(ctx) {
		what := "setup fixed no remote for memory here, so it does not travel by itself"
		found = append(found,
			remote.Finding{
				Check: "agents", Level: remote.Advice, What: what,
				Mend: "git ltm setup --remote " + x.Remote,
			})
	}
	fault, err := e.lastFault(m.Repo())
	if err == nil && fault != nil {
		found = append(found, remote.Finding{
			Check: "agents", Level: remote.Advice,
			What: fmt.Sprintf("the hook %s of %s failed at %s: %s", fault.Event, fault.Host,
				fault.At.Format("2006-01-02 15:04"), fault.Error),
		})
	}
	answers := make([][]remote.Finding, len(asked))
	var all sync.WaitGroup
	for i, a := range asked { // Each takes seconds to start, and some wait for a network.
		all.Go(func() { answers[i] = e.askAgent(ctx, site, a) })
	}
	all.Wait()
	return append(found, slices.Concat(answers...)...), err
}

// askAgent lets an agent say itself what it knows of git ltm.
func (e *env) askAgent(ctx context.Context, site setup.Site, a setup.Agent) []remote.Finding {
	lines, err := a.Ask(ctx, site, e.vars)
	f := remote.Finding{
		Check: "agents", Level: remote.Fine,
		What: a.Title + " says: " + strings.Join(lines, "; "),
	}
	switch {
	case err != nil:
		f.Level, f.What = remote.Advice, a.Title+" says nothing: "+err.Error()
	case len(lines) == 0:
		f.Level, f.What, f.Mend = remote.Problem, a.Title+" does not know the server ltm",
			"git ltm setup "+a.Name
	case setup.Refuses(lines):
		f.Level = remote.Problem
	}
	found := []remote.Finding{f}
	for _, note := range a.Notes(site) {
		found = append(found, remote.Finding{Check: "agents", Level: remote.Advice, What: note})
	}
	return found
}
