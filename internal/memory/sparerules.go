package memory

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/ruleset"
)

// lastRules is the file below the clone's own folder that holds the rule file of the work tree as it last could be used.
const lastRules = "rules.toml"

// RulesFault says why the rule file of the work tree is not the one that is scanned by, and which is in its place; nil where it
// is. It is known once [Memory.Rules] was called.
func (m *Memory) RulesFault() *RulesFault { return m.instead }

// RulesFault is a rule file of the work tree that cannot be used. It only adds rules and whoever writes a branch writes it, so it
// does not keep this clone from storing; what guards and what sends refuses.
type RulesFault struct {
	Err     error  // a *[RulesError]
	Instead string // the rules that are used
}

func (f *RulesFault) Error() string {
	return "the " + ownRules + " of the work tree cannot be used, so " + f.Instead + " are; nothing is sent until 'git ltm scan' reads it"
}

// WholeRules returns the rules by which what guards and what sends is judged: where a rule file cannot be used, that is an error.
func (m *Memory) WholeRules(ctx context.Context) (*Rules, error) {
	rules, err := m.Rules(ctx)
	if err == nil && m.instead != nil {
		return nil, m.instead.Err
	}
	return rules, err
}

// spareRules returns what is scanned by where the rule file of the work tree cannot be used: its last version that could be used
// in this clone, else that of the default branch, else none. A trusted file that cannot be used is the fault that it was.
func (m *Memory) spareRules(ctx context.Context, fault error) (*Rules, error) {
	if m.ruleFile != "" {
		return nil, fault
	}
	trusted, err := trustedFile(ctx, m.repo, "")
	if err != nil {
		return nil, fault
	}
	for _, spare := range []struct {
		what string
		read func(context.Context) *ruleFile
	}{{"the rules that could be used here last", m.lastRules}, {"those of the default branch", m.defaultRules}} {
		added := spare.read(ctx)
		if added == nil {
			continue
		}
		if rules, err := newRules(trusted, added); err == nil {
			m.instead = &RulesFault{Err: fault, Instead: spare.what}
			return rules, nil
		}
	}
	m.instead = &RulesFault{Err: fault, Instead: "the other rules alone"}
	if trusted == nil {
		return nil, nil //nolint:nilnil // Nil is the built-in rules.
	}
	rules, err := newRules(trusted, nil)
	if err != nil {
		m.instead = nil
		return nil, fault
	}
	return rules, nil
}

// lastRules reads the copy, or returns nil.
func (m *Memory) lastRules(context.Context) *ruleFile {
	f, err := readRuleFile(m.lastRulesFile().Path())
	if err != nil {
		return nil
	}
	f.name = ownRules
	return f
}

// defaultRules reads the file of the default branch of the remote, or returns nil.
func (m *Memory) defaultRules(ctx context.Context) *ruleFile {
	remotes, _ := m.repo.Remotes(ctx)
	for _, remote := range append([]string{"origin"}, remotes...) {
		text, err := m.repo.File(ctx, "refs/remotes/"+remote+"/HEAD", ownRules, ruleset.MaxSize)
		if err == nil && (remote == "origin" || len(remotes) == 1) {
			return &ruleFile{ownRules, string(text)}
		}
	}
	return nil
}

func (m *Memory) lastRulesFile() local.File { return m.repo.Local().File(lastRules) }

// keepRules keeps a rule file of the work tree that can be used. Where it cannot be kept, as in a clone that is only read, the
// default branch's is used in its place.
func (m *Memory) keepRules(ctx context.Context, text string) {
	if last := m.lastRules(ctx); last != nil && last.text == text {
		return
	}
	_ = m.lastRulesFile().Replace([]byte(text), local.Synced)
}
