package ruleset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact"
)

const (
	// maxRules and maxExprs bound what a file may hold.
	maxRules = 1000
	maxExprs = 1000
	// maxSteps bounds the sum of the steps of all expressions, since that is
	// what each byte of a text may cost. The rules of gitleaks take 56,000.
	maxSteps = 100_000
)

// A checker turns a document into a File and gathers what is wrong with it.
type checker struct {
	problems []string
	file     *File

	own   map[string]bool // IDs of the rules of the file.
	kept  map[string]bool // Those of them that can apply to records.
	exprs int             // Expressions in allowlists.
	steps int             // Sum of the steps of all expressions so far.
}

// addProblem tells of a problem with the key at path, or with what would hold it.
func (c *checker) addProblem(path, format string, args ...any) {
	c.problems = append(c.problems, " "+path+": "+fmt.Sprintf(format, args...))
}

// ignoreMember tells of something that is left out.
func (c *checker) ignoreMember(path, format string, args ...any) {
	c.file.Ignored = append(c.file.Ignored, path+": "+fmt.Sprintf(format, args...))
}

// hasRoomFor takes in what an expression costs. It returns false, and tells so
// once, if all of them together cost too much.
func (c *checker) hasRoomFor(path, expr string) bool {
	before := c.steps
	c.steps += redact.ExprSteps(expr)
	if before <= maxSteps && c.steps > maxSteps {
		c.addProblem(path, "too large: the expressions up to here have %d steps when written out, of %d for a whole file", c.steps, maxSteps)
	}
	return c.steps <= maxSteps
}

func (c *checker) checkDocument(doc *document) {
	if len(doc.Rules) > maxRules {
		c.addProblem("rules", "more than %d rules", maxRules)
		return
	}
	c.checkNames(doc.Rules)
	for i := range doc.Rules {
		c.checkRule(fmt.Sprintf("rules[%d]", i), &doc.Rules[i], doc.Extend.UseDefault)
	}
	c.extendRules(&doc.Extend)
	for _, l := range c.checkLists("", doc.AllowList, doc.Allowlists) {
		c.checkGlobal(l)
	}
}

// checkNames gathers the IDs of the rules and finds those that are given twice.
func (c *checker) checkNames(rules []rule) {
	for i := range rules {
		id := rules[i].ID
		switch {
		case id != "" && c.own[id]:
			c.addProblem(fmt.Sprintf("rules[%d].id", i), "rule %s: there are two of this id", quoteKey(id))
		case strings.HasSuffix(id, added):
			c.addProblem(fmt.Sprintf("rules[%d].id", i), "rule %s: the id ends in %q", quoteKey(id), added)
		}
		c.own[id] = true
	}
}

// extendRules checks what the file builds on.
func (c *checker) extendRules(e *extend) {
	if e.Path != "" {
		c.addProblem("extend.path", "it is not followed: only this file is read")
	}
	if e.URL != "" {
		c.addProblem("extend.url", "it is not followed: only this file is read")
	}
	for _, id := range e.DisabledRules {
		ids := builtInFor(id)
		if !ids.known {
			c.addProblem("extend.disabledRules", "%s: %v", quoteKey(id), redact.ErrUnknownRule)
			continue
		}
		if len(ids.same) == 0 {
			c.ignoreMember("extend.disabledRules", "no built-in rule is what %s is, so none is disabled", quoteKey(id))
		}
		for _, wider := range ids.wider {
			if !slices.Contains(e.DisabledRules, wider) {
				c.ignoreMember("extend.disabledRules",
					"the built-in rule %q finds more than %s and stays: disable it by its own id", wider,
					quoteKey(id))
			}
		}
		c.file.disabled = append(c.file.disabled, ids.same...)
	}
	slices.Sort(c.file.disabled)
	c.file.disabled = slices.Compact(c.file.disabled)
}

// checkRule takes in one rule.
func (c *checker) checkRule(path string, r *rule, useDefault bool) {
	var except []redact.Exception
	for _, l := range c.checkLists(path, r.AllowList, r.Allowlists) {
		if e, ok := c.readException(l); ok {
			except = append(except, e)
		}
	}
	c.checkCompanions(path, r)
	switch {
	case r.Regex == "" && r.Path == "" && useDefault && r.ID != "":
		c.checkInherited(path, r, except)
		return
	case r.Regex == "" && r.Path == "":
		c.addProblem(path, "rule %s: neither regex nor path", quoteKey(r.ID))
		return
	case r.Path != "":
		c.ignoreMember(path+".path", "rule %s is bound to paths of files, which records do not have", quoteKey(r.ID))
		return
	case !c.hasRoomFor(path+".regex", r.Regex):
		return
	}
	custom, err := redact.Custom{
		ID: r.ID, Description: r.Description, Expr: r.Regex, Group: r.SecretGroup,
		Keywords: r.Keywords, Entropy: r.Entropy, Except: except,
	}.Rule()
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			key, what, _ := strings.Cut(strings.TrimSpace(line), ": ")
			c.addProblem(path+"."+key, "rule %s: %s", quoteKey(r.ID), what)
		}
		return
	}
	if r.SkipReport {
		c.ignoreMember(path+".skipReport", "rule %s is not to be reported, so it is left out", quoteKey(r.ID))
		return
	}
	c.kept[r.ID] = true
	c.file.rules = append(c.file.rules, ownRule{custom, redact.BuiltIn().Has(r.ID)})
}

// checkCompanions checks what else a rule wants to be found near its secrets.
func (c *checker) checkCompanions(path string, r *rule) {
	for i := range r.Required {
		if id := r.Required[i].ID; !c.own[id] && !builtInFor(id).known {
			c.addProblem(fmt.Sprintf("%s.required[%d].id", path, i), "rule %s: %s: %v", quoteKey(r.ID), quoteKey(id),
				redact.ErrUnknownRule)
		}
	}
	if len(r.Required) > 0 {
		c.ignoreMember(path+".required",
			"rule %s finds its secrets whether or not the rules that it requires find theirs", quoteKey(r.ID))
	}
}

// checkInherited takes in a rule that changes a rule of gitleaks. Its exceptions are
// for the built-in rules of that name.
func (c *checker) checkInherited(path string, r *rule, except []redact.Exception) {
	ids := builtInFor(r.ID)
	if !ids.known {
		c.addProblem(path, "rule %s: neither regex nor path, and no built-in rule has this id", quoteKey(r.ID))
		return
	}
	delete(c.own, r.ID)
	if r.SecretGroup != 0 || r.Entropy != 0 || len(r.Keywords) > 0 || r.SkipReport {
		c.ignoreMember(path, "rule %s: a built-in rule keeps its own way of finding", quoteKey(r.ID))
	}
	if all := ids.allOf(); len(all) > 0 {
		for _, e := range except {
			c.file.exceptions = append(c.file.exceptions, exception{Exception: e, builtIn: all})
		}
	}
}

// maxProblems bounds how many problems a message lists.
const maxProblems = 50

// An InvalidError tells of everything that is wrong with a rule file. It quotes
// no expression and no value, because these may be secrets.
type InvalidError struct {
	Name string // As it was given to Parse.
	// Never empty. Each begins with its line and column, or with a blank and the path of its key.
	Problems []string
}

// Error returns a line for each problem.
func (e *InvalidError) Error() string {
	lines := slices.Clone(e.Problems[:min(len(e.Problems), maxProblems)])
	if more := len(e.Problems) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf(" and %d more", more))
	}
	return e.Name + ":" + strings.Join(lines, "\n"+e.Name+":")
}
