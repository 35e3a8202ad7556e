// Package ruleset reads rule files, in which people keep rules of their own for
// package redact. The format is the one of gitleaks, version 8, in TOML.
//
// A file is read strictly: what is wrong with it is told all at once, each with
// its place, and a file with any of it gives no rules at all. What is right but
// cannot apply to a record, because it speaks of files or commits, is left out
// and told. The package reads the bytes that it is given and nothing else: a
// file that points to another one is refused.
//
// The built-in rules always run. Only a file from a place that is protected
// may take something from them, so the caller says which file that is.
package ruleset

import (
	"slices"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// A File is what a rule file holds.
type File struct {
	Name string // As it was given to Parse.
	// Ignored tells what of the file cannot apply to records, or not in whole.
	Ignored []string

	rules      []ownRule
	disabled   []string // IDs of built-in rules.
	exceptions []exception
}

// An ownRule is a rule of the file. It replaces the built-in rule of its name.
type ownRule struct {
	redact.Rule
	replaces bool
}

// An exception of the file is for all rules, or for those that it names.
type exception struct {
	redact.Exception          // Its Rules are empty.
	everywhere       bool     // It names no rules.
	own, builtIn     []string // IDs of the rules that it names.
}

// Parse reads a rule file. The error is an *InvalidError that tells of all that
// is wrong with it.
func Parse(name string, data []byte) (*File, error) {
	doc, problems := readTOML(data)
	if doc == nil {
		return nil, &InvalidError{name, problems}
	}
	c := &checker{
		problems: problems, file: &File{Name: name}, own: map[string]bool{}, kept: map[string]bool{},
	}
	c.checkDocument(doc)
	if len(c.problems) > 0 {
		return nil, &InvalidError{name, c.problems}
	}
	return c.file, nil
}

// added is behind the ID of a rule that stands beside the built-in rule of the
// same name. No ID of a file ends in it.
const added = "+"

// whole takes all of a file, including what disables, replaces or excepts.
func (f *File) whole() redact.Config {
	cfg := redact.Config{Disabled: slices.Clone(f.disabled)}
	for i := range f.rules {
		cfg.Rules = append(cfg.Rules, f.rules[i].Rule)
		if id := f.rules[i].ID; f.rules[i].replaces && !slices.Contains(cfg.Disabled, id) {
			cfg.Disabled = append(cfg.Disabled, id)
		}
	}
	for _, e := range f.exceptions {
		e.Rules = slices.Concat(e.own, e.builtIn)
		cfg.Exceptions = append(cfg.Exceptions, e.Exception)
	}
	return cfg
}

// addOnly leaves out whatever could touch a built-in rule: whoever wrote the file, a Scanner finds everything
// that it would find without. An exception for all rules is one for all rules of the file.
func (f *File) addOnly() redact.Config {
	var cfg redact.Config
	var all []string
	for i := range f.rules {
		rule := f.rules[i].Rule
		rule.ID = f.addedID(rule.ID)
		all = append(all, rule.ID)
		cfg.Added = append(cfg.Added, rule)
	}
	for _, e := range f.exceptions {
		e.Rules = slices.Clone(all)
		if !e.everywhere {
			e.Rules = nil
			for _, id := range e.own {
				e.Rules = append(e.Rules, f.addedID(id))
			}
		}
		if len(e.Rules) > 0 { // Without rules it would be for every rule.
			cfg.Exceptions = append(cfg.Exceptions, e.Exception)
		}
	}
	return cfg
}

// addedID returns the ID of a rule of the file beside the built-in ones.
func (f *File) addedID(id string) string {
	for i := range f.rules {
		if f.rules[i].ID == id && f.rules[i].replaces {
			return id + added
		}
	}
	return id
}
