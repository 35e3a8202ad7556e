// Package command does what the commands of git ltm promise, once for the command line and for the
// tools of agents.
//
// Each takes a memory and an input whose JSON names are those of the tools, and returns a value.
// Who calls reads the input and renders the value; what is wrong with an input is said with the
// name of its member.
//
// What people write and read of records has its form here, too, as far as neither a stream nor a terminal has a
// part in it: the form that an editor opens, packets in flags, batches, rows of lists, and what a signature means.
package command

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/setup"
	"github.com/git-ltm/git-ltm/internal/upstream"
	"github.com/git-ltm/git-ltm/internal/words"
)

// InputError says everything that is wrong with an input, each with the JSON pointer of its member.
type InputError struct{ packet.InvalidError }

// Unwrap lets whoever looks for what is not valid find it.
func (e *InputError) Unwrap() error { return &e.InvalidError }

// Refuse is an error about one member of an input.
func Refuse(at string, why error) error {
	return &InputError{packet.InvalidError{Problems: []packet.Problem{{Path: at, Text: why.Error()}}}}
}

// problems collects what is wrong with an input.
type problems []packet.Problem

func (p *problems) addProblem(at, format string, args ...any) {
	*p = append(*p, packet.Problem{Path: at, Text: fmt.Sprintf(format, args...)})
}

func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return &InputError{packet.InvalidError{Problems: p}}
}

// defaultBudget is the number of characters of a briefing where ltm.budget does not say another.
const defaultBudget = 8000

// Budget is how many characters a briefing may have; 0 is no bound.
func Budget(ctx context.Context, m *memory.Memory) (int, error) {
	config, err := m.Config(ctx)
	if err != nil {
		return 0, err
	}
	text, ok := config.Get("ltm.budget")
	if !ok {
		return defaultBudget, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, errors.New("ltm.budget is not a number of characters")
	}
	return n, nil
}

// Nearest returns the names that a word may be a slip of, at most two letters away, the likeliest
// alone first.
func Nearest(word string, names []string) []string {
	word = strings.ToLower(word)
	best := min(2, len(word)/2)
	var found []string
	for _, name := range names {
		d := words.CountEdits(word, name)
		if len(word) >= 3 && strings.HasPrefix(name, word) {
			d = 1
		}
		if d < best || d == best && len(found) == 0 {
			best, found = d, nil
		}
		if d == best && len(found) < 3 {
			found = append(found, name)
		}
	}
	return found
}

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
