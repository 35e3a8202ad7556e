package setup

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/settings"
)

// Missing says which approvals of its own an agent still asks for in the project, as far as its files say,
// each with how a person gives it. An agent that asks for none, or in whose files nothing can be told, misses
// none. Nothing here gives one.
func (a Agent) Missing(site Site) []string {
	told := slices.ContainsFunc(Look(site, a), func(s State) bool { return s.Told && s.Scope != User })
	if a.missing == nil || !told {
		return nil
	}
	missing := a.missing(site)
	for i := range missing {
		missing[i] = a.Title + " waits for an approval: " + missing[i]
	}
	return missing
}

// jsonAt reads a file of JSON; a zero value where it cannot be read.
func jsonAt[T any](path string) (value T) {
	if f, err := settings.Read(path); err == nil {
		_ = json.Unmarshal(f.Text, &value) // What cannot be read approves nothing.
	}
	return value
}

// isBelow tells whether a trusted folder holds another.
func isBelow(trusted, folder string) bool {
	rel, err := filepath.Rel(trusted, folder)
	return err == nil && filepath.IsLocal(rel)
}

func claudeMissing(s Site) []string {
	file := jsonAt[struct {
		Projects map[string]struct{ HasTrustDialogAccepted bool }
	}](claudeFile(s))
	for folder, project := range file.Projects {
		if project.HasTrustDialogAccepted && isBelow(folder, s.Top) {
			return nil
		}
	}
	return []string{"it runs hooks only in a folder that you trust: start claude here, and say yes"}
}

func geminiMissing(folder func(Site) string) func(Site) []string {
	return func(s Site) []string {
		for trusted, how := range jsonAt[map[string]string](filepath.Join(folder(s), "trustedFolders.json")) {
			if how == "TRUST_PARENT" {
				trusted = filepath.Dir(trusted)
			}
			if strings.HasPrefix(how, "TRUST_") && isBelow(trusted, s.Top) {
				return nil
			}
		}
		return []string{"it runs hooks and servers of a project only in a folder that you trust: start it " +
			"here, or /permissions"}
	}
}

func copilotMissing(s Site) []string {
	file := jsonAt[struct{ TrustedFolders []string }](filepath.Join(copilotFolder(s), "config.json"))
	if slices.ContainsFunc(file.TrustedFolders, func(trusted string) bool { return isBelow(trusted, s.Top) }) {
		return nil
	}
	return []string{"it reads .github only in a folder that you trust: start copilot here, and say yes"}
}

func codexMissing(s Site) (missing []string) {
	f, _ := settings.Read(filepath.Join(codexFolder(s), "config.toml"))
	if level, _, _ := settings.TableValue(f.Text, "projects", s.Top, "trust_level"); level != "trusted" {
		missing = append(missing,
			"it reads .codex only where you trust the project: start codex here, and say yes")
	}
	seen, _, _ := settings.TableValue(f.Text, "hooks", "state")
	state, _ := seen.(map[string]any)
	for hook := range state {
		if strings.HasPrefix(hook, s.inTop(".codex", "hooks.json")+":") {
			return missing
		}
	}
	return append(missing,
		"it runs no hook that you have not approved, and skips it silently: /hooks in codex")
}

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
