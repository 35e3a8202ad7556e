package setup

import (
	"github.com/git-ltm/git-ltm/internal/settings"
)

// savingTools are the tools of our server that an agent may be allowed to call unasked: they add to the
// memory and take nothing away.
func savingTools() []string { return []string{"save", "note"} }

// PlanApprovals says what is still missing for an agent to call our tools save and note without a question to
// the person, in the person's own files. It changes nothing. Where the agent keeps that in no file of a
// person that we may write, the plan is empty.
func PlanApprovals(site Site, a Agent, scope Scope) (Plan, error) {
	p := Plan{Agent: a, Scope: scope}
	if err := a.checkScope(site, scope); err != nil || a.approvals == nil {
		return p, err
	}
	r, file, err := readRecord(site, scope)
	if err != nil {
		return p, err
	}
	err = p.planWishes(site, r.entryOf(site, a.Name, scope), a.approvals(site, scope))
	p.record, p.next = file, r
	return p, err
}

// ByHand says how a person allows the tools at a scope where setup does not; "" where the agent does not ask.
func (a Agent) ByHand(scope Scope) string {
	if a.approvals != nil && scope != Project {
		return ""
	}
	return a.byHand
}

// allowTools are the wishes for a list of tools that an agent calls unasked, in the form of Claude Code.
func (w wish) allowTools() []wish {
	wishes := make([]wish, 0, len(savingTools()))
	for _, tool := range savingTools() {
		one := w
		one.add = &settings.Addition{
			Path:  []string{"permissions", "allow"},
			Value: encodeJSON("mcp__" + serverName + "__" + tool),
		}
		wishes = append(wishes, one)
	}
	return wishes
}
