package scan

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/ruleset"
)

// lastRules is the file below the clone's own folder that holds the rule file of the work tree as it last
// could be used.
const lastRules = "rules.toml"

// Source is where the rules of a repository come from. It is not safe for concurrent use.
type Source struct {
	repo     *git.Repo
	ruleFile string // the rule file to trust; empty is the one that git's configuration names
	rules    *Rules // valid where ruled is true
	ruled    bool
	instead  *Fault
}

// NewSource returns the source of the rules of a repository.
func NewSource(repo *git.Repo) *Source { return &Source{repo: repo} }

// Use makes a rule file trusted in the place of the one that ltm.scanConfig names. It comes before the first
// scan.
func (s *Source) Use(config string) { s.ruleFile = config }

// Rules returns the rules of the repository. They are read when they are first asked for. Where the rule file
// of the work tree cannot be used, others take its place, and [Source.Fault] says so.
func (s *Source) Rules(ctx context.Context) (*Rules, error) {
	if !s.ruled {
		rules, err := readRules(ctx, s.repo, s.ruleFile)
		if err != nil {
			if rules, err = s.spareRules(ctx, err); err != nil {
				return nil, err
			}
		} else if rules != nil && rules.added != "" {
			s.keepRules(rules.added)
		}
		s.rules, s.ruled = rules, true
	}
	return s.rules.within(ctx), nil
}

// Fault says why the rule file of the work tree is not the one that is scanned by, and which is in its place;
// nil where it is. It is known once [Source.Rules] was called.
func (s *Source) Fault() *Fault { return s.instead }

// Fault is a rule file of the work tree that cannot be used. It only adds rules and whoever writes a branch
// writes it, so it does not keep this clone from storing; what guards and what sends refuses.
type Fault struct {
	Err     error  // a *[RulesError]
	Instead string // the rules that are used
}

func (f *Fault) Error() string {
	return "the " + ownRules + " of the work tree cannot be used, so " + f.Instead +
		" are; nothing is sent until 'git ltm scan' reads it"
}

// Whole returns the rules by which what guards and what sends is judged: where a rule file cannot be used,
// that is an error.
func (s *Source) Whole(ctx context.Context) (*Rules, error) {
	rules, err := s.Rules(ctx)
	if err == nil && s.instead != nil {
		return nil, s.instead.Err
	}
	return rules, err
}

// spareRules returns what is scanned by where the rule file of the work tree cannot be used: its last version
// that could be used in this clone, else that of the default branch, else none. A trusted file that cannot be
// used is the fault that it was.
func (s *Source) spareRules(ctx context.Context, fault error) (*Rules, error) {
	if s.ruleFile != "" {
		return nil, fault
	}
	trusted, err := trustedFile(ctx, s.repo, "")
	if err != nil {
		return nil, fault
	}
	for _, spare := range []struct {
		what string
		read func() *ruleFile
	}{
		{"the rules that could be used here last", s.lastRules},
		{"those of the default branch", func() *ruleFile { return s.defaultRules(ctx) }},
	} {
		added := spare.read()
		if added == nil {
			continue
		}
		if rules, err := newRules(trusted, added); err == nil {
			s.instead = &Fault{Err: fault, Instead: spare.what}
			return rules, nil
		}
	}
	s.instead = &Fault{Err: fault, Instead: "the other rules alone"}
	if trusted == nil {
		return nil, nil //nolint:nilnil // Nil is the built-in rules.
	}
	rules, err := newRules(trusted, nil)
	if err != nil {
		s.instead = nil
		return nil, fault
	}
	return rules, nil
}

// lastRules reads the copy, or returns nil.
func (s *Source) lastRules() *ruleFile {
	f, err := readRuleFile(s.lastRulesFile().Path())
	if err != nil {
		return nil
	}
	f.name = ownRules
	return f
}

// defaultRules reads the file of the default branch of the remote, or returns nil.
func (s *Source) defaultRules(ctx context.Context) *ruleFile {
	config, _ := s.repo.Config(ctx)
	remotes := config.Remotes()
	for _, remote := range append([]string{"origin"}, remotes...) {
		text, err := s.repo.File(ctx, "refs/remotes/"+remote+"/HEAD", ownRules, ruleset.MaxSize)
		if err == nil && (remote == "origin" || len(remotes) == 1) {
			return &ruleFile{ownRules, string(text)}
		}
	}
	return nil
}

func (s *Source) lastRulesFile() local.File { return s.repo.Local().File(lastRules) }

// keepRules keeps a rule file of the work tree that can be used. Where it cannot be kept, as in a clone that
// is only read, the default branch's is used in its place.
func (s *Source) keepRules(text string) {
	if last := s.lastRules(); last != nil && last.text == text {
		return
	}
	_ = s.lastRulesFile().Replace([]byte(text), local.Synced)
}
