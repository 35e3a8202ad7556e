package remote

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// refspecs tells of those with which a plain fetch would write over records of this clone.
func refspecs(_ context.Context, p *patient) ([]Finding, error) {
	var found []Finding
	for _, name := range p.remotes {
		key := "remote." + name + ".fetch"
		for _, spec := range p.config.All(key) {
			if !reaches(spec, refs.Root) {
				continue
			}
			level, what := Problem, "git fetch %s writes over records of this clone (%s)"
			if p.prunes(name) {
				what = "git fetch %s writes over records of this clone and deletes those that were not pushed (%s)"
			}
			if p.repo.Bare {
				level, what = Advice, "this is a mirror of %s: a record that is stored here is lost with the next fetch (%s)"
			}
			found = append(found, Finding{
				Level: level, What: fmt.Sprintf(what, name, spec),
				Mend: Setting{Key: key, Value: spec}.Command() + "; git ltm init " + name,
			})
		}
	}
	return found, nil
}

// reaches reports whether a refspec can write to refs with a prefix that ends in a slash.
func reaches(spec, prefix string) bool {
	source, to, ok := strings.Cut(strings.TrimPrefix(spec, "+"), ":")
	if !ok || strings.HasPrefix(source, "^") {
		return false
	}
	before, _, pattern := strings.Cut(to, "*")
	return strings.HasPrefix(before, prefix) || pattern && strings.HasPrefix(prefix, before)
}

// prunes reports whether a fetch takes out what a remote no longer has.
func (p *patient) prunes(name string) bool {
	prune, _ := p.config.Bool("fetch.prune", false)
	prune, _ = p.config.Bool("remote."+name+".prune", prune)
	return prune
}

// mirrors tells of pushes that delete what this clone lacks.
func mirrors(_ context.Context, p *patient) ([]Finding, error) {
	var found []Finding
	for _, name := range p.remotes {
		key := "remote." + name + ".mirror"
		if on, err := p.config.Bool(key, false); !on || err != nil || p.repo.Bare {
			continue
		}
		what := fmt.Sprintf("a plain git push to %s deletes there what this clone lacks, records of others too (%s)", name, key)
		found = append(found, Finding{Level: Problem, What: what, Mend: "git config --unset " + key})
	}
	return found, nil
}

// addresses tells of a remote that is several places for a push. Only the one that is fetched from is ever looked at.
func addresses(_ context.Context, p *patient) ([]Finding, error) {
	var found []Finding
	for _, name := range p.remotes {
		all := p.config.All("remote." + name + ".pushurl")
		if len(all) == 0 {
			all = p.config.All("remote." + name + ".url")
		}
		if len(all) < 2 {
			continue
		}
		what := fmt.Sprintf("a push to %s goes to %d places, and only the one that is fetched from is looked at: what another lacks, or still holds after a purge, stays so", name, len(all))
		found = append(found, Finding{Level: Advice, What: what, Mend: "git remote add NAME URL for each of the others; git ltm sync --all"})
	}
	return found, nil
}

// tracking tells of a remote whose memory a plain fetch does not bring, or brings under another name.
func tracking(_ context.Context, p *patient) ([]Finding, error) {
	var found []Finding
	for _, name := range p.remotes {
		own := Tracking(name)
		for _, spec := range p.config.All(own.Key) {
			if spec != own.Value && strings.HasPrefix(strings.TrimPrefix(spec, "+"), refs.Root) && reaches(spec, refs.TrackingRoot) {
				found = append(found, Finding{
					Level: Advice, What: fmt.Sprintf("what %s holds is tracked under another name (%s)", name, spec),
					Mend: Setting{Key: own.Key, Value: spec}.Command() + "; git ltm init " + name,
				})
			}
		}
	}
	if own := Tracking(p.own); p.own != "" && !slices.Contains(p.config.All(own.Key), own.Value) {
		what := "git fetch " + p.own + " brings no memory; git ltm pull does"
		found = append(found, Finding{Level: Advice, What: what, Mend: "git ltm init " + p.own})
	}
	return found, nil
}

// prefetch tells of the copies that scheduled maintenance makes of all that is tracked.
func prefetch(ctx context.Context, p *patient) ([]Finding, error) {
	const off = "git config maintenance.prefetch.enabled false"
	copies, err := p.repo.Refs(ctx, []string{"refs/prefetch/ltm/", "refs/prefetch/ltm-remotes/"}, git.ListOptions{NamesOnly: true})
	if err != nil {
		return nil, err
	}
	if len(copies) > 0 {
		what := fmt.Sprintf("git maintenance keeps %d copies of refs of memory below refs/prefetch", len(copies))
		drop := "; git for-each-ref --format='delete %(refname)' refs/prefetch/ltm refs/prefetch/ltm-remotes | git update-ref --stdin"
		return []Finding{{Level: Advice, What: what, Mend: off + drop}}, nil
	}
	strategy, _ := p.config.Get("maintenance.strategy")
	on, err := p.config.Bool("maintenance.prefetch.enabled", strategy == "incremental")
	if err != nil || !on || p.own == "" {
		return nil, err
	}
	if own := Tracking(p.own); !slices.Contains(p.config.All(own.Key), own.Value) {
		return nil, nil
	}
	return []Finding{{Level: Advice, What: "git maintenance will copy every ref of memory below refs/prefetch", Mend: off}}, nil
}
