package ruleset

import (
	"fmt"
	"slices"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// Merge returns what two files together give to a Scanner: all of the trusted one, and of the other what adds
// to it. Either may be nil. A rule of the other that has the name of a trusted one stands beside it with "+"
// behind its name.
func Merge(trusted, other *File) redact.Config {
	var cfg redact.Config
	if trusted != nil {
		cfg = trusted.whole()
	}
	if other == nil {
		return cfg
	}
	taken := map[string]bool{}
	for i := range cfg.Rules {
		taken[cfg.Rules[i].ID] = true
	}
	apart := func(id string) string {
		if taken[id] {
			return id + added
		}
		return id
	}
	more := other.addOnly()
	for _, rule := range more.Added {
		rule.ID = apart(rule.ID)
		cfg.Added = append(cfg.Added, rule)
	}
	for _, e := range more.Exceptions {
		e.Rules = slices.Clone(e.Rules)
		for i := range e.Rules {
			e.Rules[i] = apart(e.Rules[i])
		}
		cfg.Exceptions = append(cfg.Exceptions, e)
	}
	return cfg
}

// LeftOut tells what of a file would take something from the built-in rules, and does not where the file only
// adds.
func (f *File) LeftOut() []string {
	var all []string
	for _, id := range f.disabled {
		all = append(all, fmt.Sprintf("the built-in rule %q is not disabled", id))
	}
	for i := range f.rules {
		if f.rules[i].replaces {
			all = append(all, fmt.Sprintf(
				"the built-in rule %q is not replaced; the rule of the file stands beside it", f.rules[i].ID))
		}
	}
	for _, e := range f.exceptions {
		if e.everywhere || len(e.builtIn) > 0 {
			all = append(all, "an allowlist holds for the rules of the file alone, and not for built-in rules")
			break
		}
	}
	return all
}
