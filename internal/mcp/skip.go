package mcp

import (
	"context"
	"errors"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/quiet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/reply"
)

func skipAddTool() tool {
	own := []field{
		need("until", bounded("When it ends: 3d, 2w, a date, tomorrow, or a time; at most 365 days ahead", 40)),
		privateField(), redactField(), dryRunField(), repoField(),
	}
	fields := described(packet.Fields(packet.KindSkip), []said{
		{name: "item", about: "What not to do"},
		{name: "reason", about: "Why"},
		{name: "match", about: "What it is about; default: the words of item", of: []said{
			{name: "words", about: "In any order"}, {name: "path", about: "A glob of files"}, {name: "command", about: "How a command begins"},
		}},
		{name: "tags", about: "Lower-case words with hyphens"},
		{name: "cites", about: "Places in the code", of: citeFields()},
	})
	return tool{
		name: "skip_add", title: "Say what not to do", does: adds, record: packet.KindSkip, own: append(names(own), "expires_at"),
		search: "skip: do not do something for a while",
		about:  "Store what not to do for a while, why, and until when. What holds for good is a note of the kind pitfall.",
		input:  object(append(fields, own...)...),
		output: savedShape(),
		run: func(ctx context.Context, c *call) (answer, error) {
			end, err := reply.ParseSkipEnd(c.args.text("until"), c.Now())
			if err != nil {
				return answer{}, badArgument("/until", err)
			}
			c.notef("it ends at %s", reply.Stamp(end))
			return c.small(ctx, packet.KindSkip, map[string]any{"expires_at": reply.Stamp(end)})
		},
	}
}

func skipCheckTool() tool {
	return tool{
		name: "skip_check", title: "Check for dead ends", does: reads, search: "did this fail before? check a command, path or plan",
		about: "Ask whether something that you are about to do is known not to work: a command, files, or a plan in words. Advice, no permission.",
		input: object(
			may("command", bounded("The command line", 16000)),
			may("paths", list("Files about to change", 64, bounded("", 4096))),
			may("text", bounded("What is about to be done, in words", 16000)),
			trustedField(), repoField(),
		),
		output: schema{is: isObject, open: true, fields: []field{need("note", text("")), need("dead_ends", list("", 0, schema{is: isObject, open: true, fields: []field{
			need("id", text("")), need("kind", text("")), need("text", text("")), need("reason", text("")), need("sure", text("")), need("standing", text("")),
		}}))}},
		run: skipCheck,
	}
}

// errNoAction says that a call names nothing that it is about.
var errNoAction = errors.New("name what is about to be done: command, paths or text")

func skipCheck(ctx context.Context, c *call) (answer, error) {
	action := quiet.Action(c.m.Repo(), agent.Call{Command: c.args.text("command"), Paths: c.args.texts("paths")})
	action.Prompt = c.args.text("text")
	if action.Command+action.Prompt == "" && len(action.Paths) == 0 {
		return answer{}, badArgument("", errNoAction)
	}
	return c.ask(ctx, func(r *recall.Recall) (answer, error) {
		ends, err := r.DeadEnds(ctx, action, c.reading())
		if err != nil {
			return answer{}, err
		}
		all := []reply.DeadEnd{}
		for _, end := range ends {
			all = append(all, reply.DeadEndOf(end, c.reading()))
		}
		if len(ends) == 0 {
			return answer{text: "Nothing is known against that.\n", value: map[string]any{"note": briefing.DataNote, "dead_ends": all}}, nil
		}
		w := r.Warn(ends, c.reading())
		w.Nonce, err = briefing.Nonce(c.Entropy)
		return answer{text: w.Markdown(), value: map[string]any{"note": briefing.DataNote, "dead_ends": all}}, err
	})
}
