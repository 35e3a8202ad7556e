package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/signing"
)

// saveOptions are the flags of save.
type saveOptions struct {
	command.Composed
	answerFlags
	storeFlags
	Why, Continue                             string
	Root, AsIs, NewID, AllowUnredacted, Draft bool
	Yes                                       bool
}

func runSave(ctx context.Context, e *env, o saveOptions, args []string) error {
	o.AllowWhy = o.Why
	if err := o.check(e, args); err != nil {
		return err
	}
	if o.Draft && e.userStore != "" {
		return usagef("drafts are kept in repositories: save --draft without --user, or finish one with " +
			"'git ltm distill --list --json' and 'git ltm save --user FILE'")
	}
	switch {
	case o.Draft:
		return e.useMemory(ctx, func(m *memory.Memory) error { return saveDraft(ctx, e, m, o, args) })
	case o.IsUsed():
		return e.useMemory(ctx, func(m *memory.Memory) error {
			data, err := o.Packet(m.Repo().Prefix)
			if err != nil {
				return &usageError{err: err}
			}
			return saveData(ctx, e, m, o, nil, data)
		})
	case len(args) == 0 && e.isTerminal(e.stdin):
		return e.useMemory(ctx, func(m *memory.Memory) error { return saveEdited(ctx, e, m, o) })
	}
	data, err := readPacket(ctx, e, args)
	if err != nil {
		return err
	}
	return e.useMemory(ctx, func(m *memory.Memory) error { return saveData(ctx, e, m, o, nil, data) })
}

// check refuses flags that contradict each other, all at once.
func (o saveOptions) check(e *env, args []string) error {
	problems := append(o.answerFlags.answerProblems("why"), o.flagClashes(e)...)
	if o.AsIs && (o.NewID || o.Continue != "" || o.Root) {
		problems = append(problems,
			errors.New("--as-is adds nothing, so it excludes --new-id, --continue and --root"))
	}
	if o.Yes && !o.Draft {
		problems = append(problems, errors.New("--yes saves a draft as it is, so it takes --draft"))
	}
	if o.AsIs && o.Draft {
		problems = append(problems, errors.New("--as-is adds nothing, and a draft has to be finished"))
	}
	if len(args) > 0 && o.IsUsed() && !o.Draft {
		problem := errors.New("a packet comes from a file or from flags, not from both")
		_, err := os.Stat(e.resolvePath(args[0]))
		named := args[0] == standardInput || strings.HasSuffix(args[0], ".json")
		if !named && errors.Is(err, fs.ErrNotExist) {
			problem = fmt.Errorf("there is no file %q; a text is the goal of a packet with --goal", reply.Word(args[0]))
		}
		problems = append(problems, problem)
	}
	return usage(problems)
}

// readPacket returns the packet from the file or standard input.
func readPacket(ctx context.Context, e *env, args []string) ([]byte, error) {
	name := slices.Concat(args, []string{standardInput})[0]
	data, err := e.readDocument(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		e.hint("save reads a FILE; a text is stored with 'git ltm note TEXT' or 'git ltm save --goal TEXT --next TEXT'")
	}
	if err == nil && len(data) == 0 && name == standardInput {
		err = usagef("there is no packet on standard input; name a FILE, or give --goal and --next")
	}
	return data, err
}

// saveData stores a packet, and drops the draft that it finishes; nil is none. One without a draft is of the
// session of the agent in whose shell this runs, if any.
func saveData(ctx context.Context, e *env, m *memory.Memory, o saveOptions, from *draft.Draft,
	data []byte,
) error {
	var in agent.Moment
	in.Host, in.Session, _ = agent.SessionIn(e.getenv)
	req := gate.SaveRequest{
		Data: data, Continue: o.Continue, Fresh: o.NewID, DryRun: o.DryRun,
		Signing: o.signing(), Reach: o.reach(),
	}
	if o.Root {
		req.Link = gate.Begin
	}
	if o.AsIs {
		req.Form = gate.AsIs
	}
	if req.Answer = o.answer(); o.AllowUnredacted {
		req.Answer.Secrets = gate.Allow
	}
	saved, err := command.Save(ctx, m, in, from, req)
	r := saved.Receipt
	if secret, ok := errors.AsType[*replay.SecretError](err); ok && !secret.Stored && !o.IsUsed() &&
		!o.Draft {
		rules, _ := m.Rules(ctx) // Where they cannot be read, nothing was scanned.
		rules.Locate(secret.Findings, data)
	}
	if err != nil {
		return err
	}
	e.explainReceipt(r)
	if len(r.Left) > 0 {
		e.hint("left out, because it speaks of places in a project: " + strings.Join(r.Left, ", ") +
			"; --as-is keeps all")
	}
	if o.Sign && r.Known && !r.Signed {
		e.hint("it was stored before; 'git ltm sign " + string(r.ID) + "' adds your signature")
	}
	if o.AllowUnredacted && !o.DryRun {
		var found []string
		for _, f := range redact.Blocking(r.Findings) {
			found = append(found, f.Fingerprint(string(r.ID)))
		}
		if slices.Sort(found); len(found) > 0 {
			e.hint("a check finds it again; what is no secret can be allowed: git ltm allow " +
				strings.Join(slices.Compact(found), " ") + " --why TEXT --until 90d")
		}
	}
	if ask := reply.Unmatched(r); ask != "" && (in.Session != "" || from != nil) { // A person is not asked.
		e.hint(ask + ": --attempt 'TRIED :: OUTCOME :: LEARNED :: command: make bench'")
	}
	if saved.WentOn {
		e.hint("the session went on meanwhile, and its new draft stays: git ltm distill --list")
	}
	if !o.DryRun && !r.Known && r.ID < r.Newest {
		e.hint("the packet brought an id that is older than the newest here; without its id and " +
			"created_at, or with --new-id, it becomes the newest")
	}
	if who := reply.Whose(ctx, m, r.Beside, e.now()); who != "" {
		e.hintf("this begins a new thread of its own; 'git ltm save --continue %s' goes on with another one %s",
			r.Beside.ID, who)
	}
	return e.printStored(ctx, m, rehearsal(o.DryRun), e.printJSON, r)
}

// explainReceipt says what the scan found and what became of it.
func (e *env) explainReceipt(r gate.Receipt) {
	e.warnAll(command.Notices(r))
	if r.Known && len(r.Copied) == 0 {
		e.warnf("%s %s was stored before, nothing changed", command.KindOf(r), r.ID)
	}
}

// printResult prints what a command did as JSON, where that is asked for; else it was printed for people.
func (e *env) printResult(v any, err error) error {
	if err == nil && e.asJSON {
		err = e.printJSON(v)
	}
	return err
}

// printLine prints a value as JSON on one line.
func (e *env) printLine(v any) error {
	data, err := reply.EncodeLine(v)
	if err == nil {
		_, err = e.stdout.Write(data)
	}
	return err
}

// printJSON prints a value as JSON.
func (e *env) printJSON(v any) error {
	data, err := reply.Encode(v)
	if err == nil {
		_, err = e.stdout.Write(data)
	}
	return err
}

// unfinishedError is a draft that lacks what a packet needs.
type unfinishedError struct {
	id  packet.ID
	err error
}

func (e *unfinishedError) Error() string { return e.err.Error() }

func (e *unfinishedError) Unwrap() error { return e.err }

// saveDraft makes a packet of a draft, and drops the draft when it is stored.
func saveDraft(ctx context.Context, e *env, m *memory.Memory, o saveOptions, args []string) error {
	spec := ""
	if len(args) > 0 {
		spec = args[0]
	}
	d, err := command.FindDraft(ctx, m, spec)
	if err != nil {
		return err
	}
	switch {
	case o.IsUsed() || o.Yes:
	case e.isTerminal(e.stdin):
		return editDraft(ctx, e, m, o, *d)
	case !o.DryRun:
		return usagef("rules made draft %s, and nobody looked at it: say what is next with --next, or --yes to "+
			"save it as it is; 'git ltm distill --list --json' shows it", d.ID)
	}
	said, err := o.Packet(m.Repo().Prefix)
	if err != nil {
		return &usageError{err: err}
	}
	data, err := reply.Over(*d, said)
	if err != nil {
		return err
	}
	return asUnfinished(*d, saveData(ctx, e, m, o, d, data))
}

// asUnfinished tells what a draft lacks from what else may be wrong with it.
func asUnfinished(d draft.Draft, err error) error {
	if invalid, ok := errors.AsType[*packet.InvalidError](err); ok {
		for _, p := range invalid.Problems {
			if p.Path == "/goal" || p.Path == "/next_step" {
				return &unfinishedError{d.ID, err}
			}
		}
	}
	return err
}

// editDraft lets the person finish a draft.
func editDraft(ctx context.Context, e *env, m *memory.Memory, o saveOptions, d draft.Draft) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(d.Record.Encode(), &members); err != nil {
		return err
	}
	return editing{
		file: "EDIT_DRAFT_" + string(d.ID), word: "text", filled: true,
		idle:  "nothing was left, so nothing was stored; the draft stays",
		again: "'git ltm save --draft " + string(d.ID) + "'", keep: o.DryRun,
		start: append([]byte(draftHelp(e, d)), command.FormOf(packet.KindPacket).Write(members)...),
	}.openEditor(ctx, e, m, func(text []byte) error {
		data, err := fillPacket(text, members)
		if err == nil {
			err = saveData(ctx, e, m, o, &d, data)
		}
		return asUnfinished(d, err)
	})
}

// storeFlags say how what is saved is stored.
type storeFlags struct{ Private, Sign, NoSign, DryRun bool }

// flagClashes says what is wrong with them.
func (s *storeFlags) flagClashes(e *env) (wrong []error) {
	if s.Private && e.userStore != "" {
		wrong = append(wrong, errors.New("--user and --private exclude each other; a user-wide memory without a "+
			"remote never leaves the machine"))
	}
	return wrong
}

func (s *storeFlags) signing() signing.Mode {
	switch {
	case s.Sign:
		return signing.Sign
	case s.NoSign:
		return signing.NoSign
	}
	return signing.AsConfigured
}

func (s *storeFlags) reach() replay.Reach {
	if s.Private {
		return replay.Private
	}
	return replay.Shared
}

// answerFlags say what becomes of a secret in what is saved.
type answerFlags struct {
	Redact   bool
	Allow    []string
	AllowWhy string
}

// answerProblems says what is wrong with them.
func (a *answerFlags) answerProblems(reason string) []error {
	var wrong []error
	if len(a.Allow) > 0 != (strings.TrimSpace(a.AllowWhy) != "") {
		wrong = append(wrong,
			errors.New("--allow takes the fingerprints that a refusal named, and --"+reason+
				" the reason why they are no secrets"))
	}
	return wrong
}

func (a *answerFlags) answer() gate.Answer {
	answer := gate.Answer{Allowed: a.Allow, Why: a.AllowWhy}
	if a.Redact {
		answer.Secrets = gate.Hide
	}
	return answer
}

// rehearsal tells that nothing was stored, and that nothing may be.
type rehearsal = reply.Rehearsal

// tellDuplicates warns where records that were stored, or would be, say what others say already, and returns
// those of each. It is advice, for which no id waits: it compares with what the index holds and
// the newest few records, and says nothing where that cannot be told.
func tellDuplicates(ctx context.Context, e *env, m *memory.Memory, dry rehearsal,
	receipts ...gate.Receipt,
) [][]recall.Alike {
	all := reply.Repeats(ctx, m, e.now, receipts...)
	for i, receipt := range receipts {
		for _, d := range all[i] {
			text := command.Repeats(receipt, d)
			switch {
			case bool(dry):
			case d.Place != "/text" && d.Place != "/item":
				text += fmt.Sprintf("; it is about %s, and 'git ltm edit %s --link %s' ties the two together", d.Place,
					d.Card.ID, receipt.ID)
			case d.Kind == packet.KindPacket:
				text += fmt.Sprintf("; 'git ltm rm %s' takes the new one back", receipt.ID)
			case d.Conflict == "" && d.Likeness.Text == 1 && d.Place == "/text":
				text = fmt.Sprintf("same text as %s; keep one: git ltm rm %s", briefing.ShortID(packet.ID(d.Card.ID)),
					briefing.ShortID(receipt.ID))
			default:
				text += fmt.Sprintf(": 'git ltm edit %s --superseded-by %s --why W' replaces it", d.Card.ID, receipt.ID)
			}
			e.warnf("%s", text)
		}
	}
	return all
}
