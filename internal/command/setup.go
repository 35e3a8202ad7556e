package command

import (
	"errors"
	"strings"

	"github.com/git-ltm/git-ltm/internal/setup"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

// AgentList names the agents.
func AgentList() string {
	var names []string
	for _, a := range setup.Agents() {
		names = append(names, a.Name)
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// ConfirmHint is the command that takes the address that the upstream has now.
func ConfirmHint(err error) string {
	changed, ok := errors.AsType[*upstream.ChangedError](err)
	if !ok || changed.Now == "" {
		return "git ltm setup --remote NAME"
	}
	return "git ltm setup --remote " + changed.Remote
}
