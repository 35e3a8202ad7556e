package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/reply"
)

type skipCheckOptions struct {
	Command                  string
	Paths                    []string
	ExitCode, Quiet, Trusted bool
}

func runSkipCheck(ctx context.Context, e *env, m *memory.Memory, r *recall.Recall,
	o skipCheckOptions, args []string,
) error {
	does := agent.Call{Command: o.Command, Paths: o.Paths}
	plan := strings.Join(args, " ")
	if does.Command+plan == "" && len(does.Paths) == 0 {
		return usagef("name what is about to be done: TEXT, --command or --path")
	}
	ends, err := command.DeadEnds(ctx, m, r, does, plan, command.Question{Trusted: o.Trusted}.Reading())
	if err != nil {
		return err
	}
	if o.Quiet {
		e.stdout, e.stderr, o.ExitCode = io.Discard, io.Discard, true
	}
	if err := printDeadEnds(e, o, ends); err != nil {
		return err
	}
	if len(ends) == 0 && !e.asJSON {
		return tellPerhaps(ctx, e, r, o, strings.TrimSpace(does.Command+" "+plan))
	}
	if len(ends) > 0 && o.ExitCode {
		return fmt.Errorf("%s: %w", command.Counted(len(ends), "known dead end"), errMet)
	}
	return nil
}

// tellPerhaps says that nothing forbids what somebody is about to do, and to a person which skips share words with
// it: agents and pipes are given nothing that is not met.
func tellPerhaps(ctx context.Context, e *env, r *recall.Recall, o skipCheckOptions, words string) error {
	var ends []recall.DeadEnd
	if words != "" && e.forPerson() {
		var err error
		if ends, err = r.Perhaps(ctx, words, command.Question{Trusted: o.Trusted}.Reading()); err != nil {
			return err
		}
	}
	if len(ends) == 0 {
		e.hint("nothing found that forbids it")
		return nil
	}
	return printDeadEnds(e, o, ends)
}

// errMet says that an action meets a known dead end.
var errMet = errors.New("this did not work before")

func printDeadEnds(e *env, o skipCheckOptions, ends []recall.DeadEnd) error {
	var list []reply.DeadEnd
	for _, end := range ends {
		list = append(list, reply.DeadEndOf(end, command.Question{Trusted: o.Trusted}.Reading()))
	}
	for i, d := range list {
		kind, met := d.Kind, fmt.Sprintf("  met by %s: %s (%s)\n", d.By, strings.Join(d.On, " "), d.Sure)
		switch {
		case d.Certain:
			met = strings.Replace(met, ")\n", ", certain)\n", 1)
		case d.Sure == "perhaps":
			if kind, met = "perhaps: "+kind, ""; len(d.On) > 0 {
				met = "  met by the words " + strings.Join(d.On, " ") + "\n"
			}
		}
		about := []string{
			d.ID, strings.ReplaceAll(d.Author, ",", ";"),
			briefing.Age(ends[i].Known.Created, e.now()), d.Standing,
		}
		if d.Draft {
			about[3] = "draft, not reviewed"
		}
		if d.Store != "" {
			about = append(about, d.Store)
		}
		e.printf("%s: %s%s\n  reason: %s\n%s  (%s)\n", kind,
			ends[i].Known.Text.Origin().Doubt(), d.Text, d.Reason, met, strings.Join(about, ", "))
	}
	return e.printResult(list, nil)
}
