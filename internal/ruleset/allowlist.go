package ruleset

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// A list is an allowlist with the path of its table.
type list struct {
	*allowlist
	path string
}

// checkLists returns the allowlists of the file, whose path is empty, or of a rule.
// There are an old and a new way to write them.
func (c *checker) checkLists(path string, old *allowlist, all []allowlist) []list {
	var lists []list
	if old != nil {
		lists = append(lists, list{old, joinPath(path, "allowlist")})
		if len(all) > 0 {
			c.addProblem(joinPath(path, "allowlist"), "both allowlist and allowlists are given")
		}
	}
	for i := range all {
		lists = append(lists, list{&all[i], fmt.Sprintf("%s[%d]", joinPath(path, "allowlists"), i)})
	}
	for _, l := range lists {
		if path != "" && len(l.TargetRules) > 0 {
			c.addProblem(l.path, "there is no key targetRules in a rule")
		}
	}
	return lists
}

// checkGlobal takes in an allowlist that stands outside the rules.
func (c *checker) checkGlobal(l list) {
	e, ok := c.readException(l)
	target := exception{Exception: e, everywhere: len(l.TargetRules) == 0}
	for _, id := range l.TargetRules {
		if c.kept[id] {
			target.own = append(target.own, id)
		}
		if c.own[id] {
			continue
		}
		ids := builtInFor(id)
		if !ids.known {
			c.addProblem(l.path+".targetRules", "%s: %v", quoteKey(id), redact.ErrUnknownRule)
		}
		target.builtIn = append(target.builtIn, ids.allOf()...)
	}
	if ok && (target.everywhere || len(target.own)+len(target.builtIn) > 0) {
		c.file.exceptions = append(c.file.exceptions, target)
	}
}

// readException turns an allowlist into an exception. It returns false if there is
// something wrong with it, or if it can never apply to a record.
func (c *checker) readException(l list) (redact.Exception, bool) {
	before := len(c.problems)
	e := redact.Exception{Words: l.StopWords, All: c.compileAll(l)}
	for i, word := range l.StopWords {
		if strings.TrimSpace(word) == "" {
			c.addProblem(l.path+".stopwords", "word %d is empty", i+1)
		}
	}
	exprs := c.compileExpr(l)
	switch l.RegexTarget {
	case "", "secret":
		e.Secrets = exprs
	case "match":
		e.Matches = exprs
	case "line":
		e.Lines = exprs
	default:
		c.addProblem(l.path+".regexTarget", "%s is not secret, match or line", quoteKey(l.RegexTarget))
	}
	return e, len(c.problems) == before && c.appliesTo(l, &e)
}

// compileAll says whether every kind of criterion must hold.
func (c *checker) compileAll(l list) bool {
	switch strings.ToUpper(l.Condition) {
	case "AND", "&&":
		return true
	case "", "OR", "||":
		return false
	default:
		c.addProblem(l.path+".condition", "%s is not AND or OR", quoteKey(l.Condition))
		return false
	}
}

func (c *checker) compileExpr(l list) []*regexp.Regexp {
	const key = ".regexes"
	if c.exprs += len(l.Regexes); c.exprs > maxExprs {
		c.addProblem(l.path+key, "more than %d expressions in allowlists", maxExprs)
		return nil
	}
	var all []*regexp.Regexp
	for i, expr := range l.Regexes {
		if !c.hasRoomFor(l.path+key, expr) {
			return nil
		}
		compiled, err := redact.CompileExpr(expr)
		if err != nil {
			c.addProblem(l.path+key, "expression %d: %v", i+1, err)
			continue
		}
		all = append(all, compiled)
	}
	return all
}

// appliesTo says whether an allowlist can apply to records, which have neither
// commits nor paths.
func (c *checker) appliesTo(l list, e *redact.Exception) bool {
	inText := len(e.Secrets)+len(e.Matches)+len(e.Lines)+len(e.Words) > 0
	inFiles := len(l.Commits)+len(l.Paths) > 0
	switch {
	case !inText && !inFiles:
		c.addProblem(l.path, "allowlist has no commits, paths, regexes or stopwords")
	case !inText, inFiles && e.All:
		c.ignoreMember(l.path, "the allowlist never applies, since records have neither paths nor commits")
	case inFiles:
		c.ignoreMember(l.path, "paths and commits of the allowlist are left out, since records have none")
	}
	return inText && (!inFiles || !e.All)
}
