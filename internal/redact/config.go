package redact

import (
	"errors"
	"fmt"
	"slices"
)

// A Config says how a Scanner differs from the built-in rules.
type Config struct {
	Rules      []Rule      // Further rules, such as Custom.Rule returns.
	Added      []Rule      // Rules of a file that nobody vouches for. What they find takes the place of nothing else.
	Disabled   []string    // IDs of built-in rules that are left out.
	Exceptions []Exception // For all rules together, or those that they name.
}

// NewWith returns a Scanner with the built-in rules and what cfg adds to them
// or takes from them. A rule may have the ID of a built-in one only if that one
// is disabled. The error tells everything that is wrong with cfg.
func NewWith(cfg Config) (*Scanner, error) {
	own := builtIn()
	known := map[string]bool{}
	for i := range own {
		known[own[i].ID] = true
	}
	var errs []error
	for _, id := range cfg.Disabled {
		if !known[id] {
			errs = append(errs, fmt.Errorf("disable rule %q: %w", id, ErrUnknownRule))
		}
	}
	rules := slices.DeleteFunc(own, func(r Rule) bool { return slices.Contains(cfg.Disabled, r.ID) })
	taken := map[string]bool{}
	for i := range rules {
		taken[rules[i].ID] = true
	}
	further := slices.Concat(cfg.Rules, added(cfg.Added))
	for i := range further {
		id := further[i].ID
		if taken[id] {
			errs = append(errs, fmt.Errorf("add rule %q: there is one of this name", id))
		}
		known[id], taken[id] = true, true
	}
	s := New(slices.Concat(rules, further))
	for i := range cfg.Exceptions {
		errs = append(errs, s.addException(cfg.Exceptions[i], known))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return s, nil
}

// added returns rules as those that take the place of no others.
func added(rules []Rule) []Rule {
	rules = slices.Clone(rules)
	for i := range rules {
		if rules[i].whole != nil {
			w := *rules[i].whole
			w.added = true
			rules[i].whole = &w
		}
	}
	return rules
}

// ErrUnknownRule says that no rule has the ID that is given.
var ErrUnknownRule = errors.New("there is no such rule")

// addException makes e apply to the rules that it names.
func (s *Scanner) addException(e Exception, known map[string]bool) error {
	if err := e.check(); err != nil {
		return err
	}
	for _, id := range e.Rules {
		if !known[id] {
			return fmt.Errorf("except from rule %q: %w", id, ErrUnknownRule)
		}
	}
	e.Words = lower(e.Words)
	if s.except == nil {
		s.except = make([][]Exception, len(s.rules))
	}
	for i := range s.rules {
		if len(e.Rules) == 0 || slices.Contains(e.Rules, s.rules[i].ID) {
			s.except[i] = append(s.except[i], e)
		}
	}
	return nil
}

// Rules returns the rules of the Scanner, the most specific first.
func (s *Scanner) Rules() []Rule { return slices.Clone(s.rules) }

// addCustom takes in the parts of a rule that only a Custom has.
func (s *Scanner) addCustom(rule int) {
	r := &s.rules[rule]
	if len(r.except) > 0 {
		if s.except == nil {
			s.except = make([][]Exception, len(s.rules))
		}
		s.except[rule] = slices.Clone(r.except)
	}
	if r.whole == nil {
		return
	}
	if s.wholes == nil {
		s.wholes = &wholes{slow: map[int]bool{}, known: map[string]bool{}}
		for i := range s.rules {
			s.wholes.known[s.rules[i].ID] = true
		}
	}
	s.wholes.add(rule, r.whole.keywords)
}
