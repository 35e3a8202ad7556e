package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/signing"
)

// maxInput is the number of bytes read of a packet; the parser says what is too
// much.
const maxInput = 4*packet.MaxPacket + 1

// saveOptions are the flags of save.
type saveOptions struct {
	compose
	answerFlags
	continues                 string
	root, asIs, newID, dryRun bool
	allowUnredacted           bool
	private                   bool
	sign, noSign              bool
	json                      bool
	draft                     bool
}

func newSave(e *env) *cobra.Command {
	var o saveOptions
	cmd := &cobra.Command{
		Use:   "save [FILE]",
		Short: "Save the goal, what was tried and the next step",
		Long: "Save reads a packet as JSON from FILE, from standard input, from the flags, or on a terminal from your editor. It\n" +
			"checks the packet, scans it for secrets, stores it and prints its id alone on standard output.\n\n" +
			"Flags take the place of a file: standard input is not read then. It fills in the id, the time, the author, the place\n" +
			"in the history and the packet that it continues, where the packet lacks them.\n\n" +
			"It continues the last packet of the same session of an agent, else your own newest of this branch that is open, at most\n" +
			"14 days old and has a goal of the same words. Otherwise it begins a new thread, and a hint says how to continue another\n" +
			"one. Yours is what this clone made, or what your own key signed.\n\n" +
			"With --draft it finishes a draft that a session left: FILE is its id then, or nothing for the last one of this branch.\n" +
			"Flags take the place of its goal and its next step, and add to the rest; on a terminal without flags the editor opens.\n" +
			"The draft is dropped when the packet is stored.\n\n" +
			"With --private it is stored where no push and no fetch of memory looks. With --user it goes to your user-wide memory,\n" +
			"without what speaks of places in this project.\n\n" + exitCodes,
		Example: "  git ltm save packet.json\n" +
			"  git ltm save --goal 'Build on arm64' --next 'Try the cross compiler' \\\n" +
			"    --attempt 'qemu :: times out after 40 minutes :: emulation is too slow here'\n" +
			"  git ltm save --draft --next 'Try the cross compiler'",
		Args: arguments(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return e.save(cmd.Context(), o, args) },
	}
	f := cmd.Flags()
	o.compose.flags(f)
	o.answerFlags.flags(f, "why")
	f.StringVar(&o.continues, "continue", "",
		"continue the packet `ID`, such as @ for the newest of this branch")
	f.BoolVar(&o.root, "root", false, "begin a new thread")
	f.BoolVar(&o.allowUnredacted, "allow-unredacted", false,
		"store secrets as they are, and say so in the packet")
	f.BoolVar(&o.newID, "new-id", false, "give the packet a new id")
	f.BoolVar(&o.private, "private", false, "keep it in this clone: it is never sent")
	f.BoolVar(&o.draft, "draft", false, "finish the draft that a session left")
	f.BoolVar(&o.asIs, "as-is", false, "add nothing to the packet")
	f.BoolVarP(&o.sign, "sign", "S", false,
		"sign it with your key, or store nothing (default: ltm.sign, else commit.gpgSign)")
	f.BoolVar(&o.noSign, "no-sign", false, "do not sign it")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "do everything but store it")
	f.BoolVar(&o.json, "json", false, "print a JSON object")
	return cmd
}

func (e *env) save(ctx context.Context, o saveOptions, args []string) error {
	if err := o.check(args); err != nil {
		return err
	}
	if o.draft && e.userStore != "" {
		return usagef("drafts are kept in repositories: save --draft without --user, or finish one with " +
			"'git ltm distill --list --json' and 'git ltm save --user FILE'")
	}
	if o.private && e.userStore != "" {
		return usagef("--user and --private exclude each other; a user-wide memory without a remote never " +
			"leaves the machine")
	}
	switch {
	case o.draft:
		return e.use(ctx, func(m *memory.Memory) error { return e.saveDraft(ctx, m, o, args) })
	case o.used():
		return e.use(ctx, func(m *memory.Memory) error {
			data, err := o.packet(m.Repo().Prefix)
			if err != nil {
				return err
			}
			return e.saveData(ctx, m, o, nil, data)
		})
	case len(args) == 0 && e.terminal(e.stdin):
		return e.use(ctx, func(m *memory.Memory) error { return e.saveEdited(ctx, m, o) })
	}
	data, err := e.input(ctx, args)
	if err != nil {
		return err
	}
	return e.use(ctx, func(m *memory.Memory) error { return e.saveData(ctx, m, o, nil, data) })
}

// check refuses flags that contradict each other, all at once.
func (o saveOptions) check(args []string) error {
	problems := o.answerFlags.problems()
	if o.redact && o.allowUnredacted {
		problems = append(problems, errors.New("--redact and --allow-unredacted exclude each other"))
	}
	if o.sign && o.noSign {
		problems = append(problems, errors.New("--sign and --no-sign exclude each other"))
	}
	if o.continues != "" && o.root {
		problems = append(problems, errors.New("--continue and --root exclude each other"))
	}
	if o.asIs && (o.newID || o.continues != "" || o.root) {
		problems = append(problems,
			errors.New("--as-is adds nothing, so it excludes --new-id, --continue and --root"))
	}
	if o.asIs && o.draft {
		problems = append(problems, errors.New("--as-is adds nothing, and a draft has to be finished"))
	}
	if len(args) > 0 && o.used() && !o.draft {
		problems = append(problems, errors.New("a packet comes from a file or from flags, not from both"))
	}
	return usage(problems)
}

// input returns the packet from the file or standard input.
func (e *env) input(ctx context.Context, args []string) ([]byte, error) {
	if len(args) == 0 || args[0] == "-" {
		if e.terminal(e.stdin) {
			e.say("hint", "reading a packet from the terminal; ctrl-d ends it")
		}
		data, err := e.readStdin(ctx, maxInput)
		if err != nil {
			return nil, fmt.Errorf("read standard input: %w", err)
		}
		if len(data) == 0 {
			return nil, usagef("there is no packet on standard input; name a FILE, or give --goal and --next")
		}
		return data, nil
	}
	f, err := os.Open(e.path(args[0]))
	if err != nil {
		return nil, fmt.Errorf("read packet: %w", err)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxInput))
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("read packet: %w", err)
	}
	return data, nil
}

func (o saveOptions) request(data []byte) gate.SaveRequest {
	req := gate.SaveRequest{Data: data, Continue: o.continues, Fresh: o.newID, DryRun: o.dryRun}
	if o.root {
		req.Link = gate.Begin
	}
	if o.asIs {
		req.Form = gate.AsIs
	}
	if o.private {
		req.Reach = replay.Private
	}
	switch {
	case o.sign:
		req.Signing = signing.Sign
	case o.noSign:
		req.Signing = signing.NoSign
	}
	if req.Answer = o.answer(); o.allowUnredacted {
		req.Answer.Secrets = gate.Allow
	}
	return req
}

// saveData stores a packet, and drops the draft that it finishes; nil is none. One without a draft is of the
// session of the agent in whose shell this runs, if any.
func (e *env) saveData(ctx context.Context, m *memory.Memory, o saveOptions, from *draft.Draft,
	data []byte,
) error {
	var in agent.Moment
	in.Host, in.Session, _ = agent.SessionIn(e.getenv)
	saved, err := command.Save(ctx, m, in, from, o.request(data))
	r := saved.Receipt
	if secret, ok := errors.AsType[*replay.SecretError](err); ok && !secret.Stored && !o.used() && !o.draft {
		rules, _ := m.Rules(ctx) // Where they cannot be read, nothing was scanned.
		rules.Locate(secret.Findings, data)
	}
	if err != nil {
		return err
	}
	e.explain(r)
	if len(r.Left) > 0 {
		e.say("hint", "left out, because it speaks of places in a project: "+strings.Join(r.Left, ", ")+
			"; --as-is keeps all")
	}
	if o.sign && r.Known && !r.Signed {
		e.say("hint", "it was stored before; 'git ltm sign "+string(r.ID)+"' adds your signature")
	}
	if !o.dryRun {
		e.hintAllow(r)
	}
	if ask := reply.Unmatched(r); ask != "" && (in.Session != "" || from != nil) { // A person is not asked.
		e.say("hint", ask+": --attempt 'TRIED :: OUTCOME :: LEARNED :: command: make bench'")
	}
	if saved.WentOn {
		e.say("hint", "the session went on meanwhile, and its new draft stays: git ltm distill --list")
	}
	if !o.dryRun && !r.Known && r.ID < r.Newest {
		e.say("hint", "the packet brought an id that is older than the newest here; without its id and "+
			"created_at, or with --new-id, it becomes the newest")
	}
	if who := reply.Whose(ctx, m, r.Beside, e.now()); who != "" {
		e.say("hint", fmt.Sprintf(
			"this begins a new thread of its own; 'git ltm save --continue %s' goes on with another one %s",
			r.Beside.ID, who))
	}
	return e.acknowledge(ctx, m, r, rehearsal(o.dryRun), o.json)
}

// explain says what the scan found and what became of it.
func (e *env) explain(r gate.Receipt) {
	for _, line := range command.Notices(r) {
		e.warnf("%s", line)
	}
	if r.Known && len(r.Copied) == 0 {
		e.warnf("%s %s was stored before, nothing changed", command.KindOf(r), r.ID)
	}
}

// hintAllow names the command that allows what was stored against the scan.
func (e *env) hintAllow(r gate.Receipt) {
	var fingerprints []string
	for _, f := range redact.Blocking(r.Findings) {
		fingerprints = append(fingerprints, f.Fingerprint(string(r.ID)))
	}
	if len(fingerprints) == 0 || r.Secrets != gate.Allow {
		return
	}
	slices.Sort(fingerprints)
	e.say("hint", "a check finds it again; what is no secret can be allowed: git ltm allow "+
		strings.Join(slices.Compact(fingerprints), " ")+" --why TEXT --until 90d")
}

// printJSON writes one JSON value and a line break.
func (e *env) printJSON(v any) error {
	enc := json.NewEncoder(e.stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
