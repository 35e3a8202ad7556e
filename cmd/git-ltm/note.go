package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/signing"
)

// makesStore marks a command that makes the user-wide memory where there is none.
const makesStore = "makes-store"

// noteFlags are what a command says of a note, a task or a skip, and how that is stored.
type noteFlags struct {
	smallFlags
	command.Note

	match reply.Match
	cites []string

	batch, shared bool
}

// about adds the flags that all of them have.
func (o *noteFlags) about(f *pflag.FlagSet) {
	f.StringVar(&o.Why, "why", "", "the reason: `TEXT`")
	f.StringVar(&o.Until, "until", "", "when it ends: 3d, 2w, a date, tomorrow, or a time: `WHEN`")
	f.StringArrayVar(&o.Tags, "tag", nil, "a `TAG`, brought into lower case with hyphens; can be given again")
	f.StringArrayVar(&o.cites, "cite", nil, "a place in the code, from here: `PATH[:LINE[-LINE]]`")
	o.smallFlags.flags(f)
}

// belongs adds the flags that say where a note belongs.
func (o *noteFlags) belongs(f *pflag.FlagSet) {
	f.StringVar(&o.Topic, "topic", "", "what it belongs to, such as warehouse/snowflake: `TOPIC`")
	f.StringArrayVar(&o.Links, "link", nil, "a record that it speaks of: `ID`")
}

// warns adds the flags that say what agents are warned at.
func (o *noteFlags) warns(f *pflag.FlagSet) {
	f.StringVar(&o.match.Command, "command", "",
		"warn at commands that have these words and options: `COMMAND`")
	f.StringVar(&o.match.Path, "path", "", "warn at changes of these files, from here: `GLOB`")
	f.StringVar(&o.match.Adds, "adds", "", "warn where this package or text is added: `TEXT`")
	f.StringVar(&o.match.Words, "words", "", "warn at these words, in any order: `WORDS`")
}

// check settles what the flags leave open, and says everything that is wrong with the command line.
func (o *noteFlags) check(e *env, cmd *cobra.Command, args []string) error {
	o.Tags = slugTags(e, o.Tags)
	wrong := wrongInput(cmd.Flags(), o.Prepare(e.now()))
	if o.IsPersonal() && !o.shared {
		o.keepHere(e, cmd)
	}
	wrong = append(o.smallFlags.problems(e), wrong...)
	said := slices.Concat(args, []string{o.Why, o.Topic, o.Next}, o.Tags, o.cites, o.Links)
	if err := readable(append(said, o.match.Words, o.match.Path, o.match.Command, o.match.Adds)...); err !=
		nil {
		wrong = append(wrong, err)
	}
	return usage(wrong)
}

// wrongInput is what is wrong with an input, each beside the flag that says it.
func wrongInput(f *pflag.FlagSet, err error) []error {
	input, ok := errors.AsType[*command.InputError](err)
	if !ok {
		return nil
	}
	var all []error
	for _, p := range input.Problems {
		name := strings.TrimPrefix(p.Path, "/")
		if f.Lookup(name) == nil {
			name = strings.TrimSuffix(name, "s")
		}
		if f.Lookup(name) != nil {
			all = append(all, fmt.Errorf("--%s: %s", name, p.Text))
		} else {
			all = append(all, errors.New(p.Text))
		}
	}
	return all
}

func newNote(e *env) *cobra.Command {
	var o noteFlags
	cmd := &cobra.Command{
		Use:   "note [TEXT]",
		Short: "Save one fact, decision or pitfall",
		Long: "Note stores one thing that later sessions should know, and prints its id alone on standard output. The text is the\n" +
			"argument, or standard input, or on a terminal what you write in your editor. Write an instruction with its reason,\n" +
			"not a log.\n\n" +
			"The kinds are " + strings.Join(packet.NoteKinds(), ", ") + ".\n" +
			"Other words that memory systems use, such as insight, friction or instruction, stand for one of them. Without --kind\n" +
			"it is a fact. An identity is private unless --private=false is given.\n\n" +
			"With --command, --path, --adds or --words, agents are warned of it at each call that meets it, as of a skip without an\n" +
			"end.\n\n" +
			"With --batch it reads JSON Lines from a FILE or standard input: one note or skip a line, with the members\n" +
			"that 'git ltm show --raw' shows. Type, id and time can be left out, and expires_at can be 3d or a date. Lines that\n" +
			"pass are stored together, and their ids printed in the same order; each other line is named with what is wrong with it.\n" +
			"Where both are, the exit code is 8.\n\n" +
			"Where another record says the same already, it is stored all the same, and behind the id a warning names the command\n" +
			"that replaces the old one. It is compared with what the index of questions holds. 'git ltm lint' says what could be\n" +
			"better about a note.\n\n" +
			"--json prints an object with id, ref, bytes, known, signed, dry_run and findings, and of a dry run duplicates where\n" +
			"others say the same; of a batch an array of them.",
		Example: "  git ltm note --kind pitfall --tag ci 'Run the linter with -j1' --why 'It needs 4 GB a job'\n" +
			"  git ltm note --batch facts.jsonl",
		Annotations: map[string]string{makesStore: ""},
		RunE:        func(cmd *cobra.Command, args []string) error { return runNote(e, cmd, o, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.Kind, "kind", "fact", "what it is: `KIND`")
	f.StringVar(&o.Impact, "impact", "", "how much depends on it: low, medium or high: `LEVEL`")
	f.StringVar(&o.Confidence, "confidence", "", "how sure it is: low, medium or high: `LEVEL`")
	f.BoolVar(&o.batch, "batch", false, "read many records as JSON Lines")
	o.belongs(f)
	o.warns(f)
	o.about(f)
	return cmd
}

func runNote(e *env, cmd *cobra.Command, o noteFlags, args []string) error {
	if o.batch {
		return runBatch(e, cmd, o, args)
	}
	if err := o.check(e, cmd, args); err != nil {
		return err
	}
	return withText(cmd.Context(), e, args, func(m *memory.Memory, text string) error {
		return saveNote(cmd.Context(), e, m, o, text)
	})
}

// saveNote stores a note, a task or a skip, and prints its id. Places are named as seen from here.
func saveNote(ctx context.Context, e *env, m *memory.Memory, o noteFlags, text string) error {
	o.Text = text
	if o.match != (reply.Match{}) {
		o.match.Path = git.Below(m.Repo().Prefix, o.match.Path)
		o.Match = &o.match
	}
	for _, place := range o.cites {
		cite := command.ParseCite(place)
		cite.Path = git.Below(m.Repo().Prefix, cite.Path)
		o.Cites = append(o.Cites, cite)
	}
	tellEnd(e, o.Until, o.Ends)
	receipts, err := command.SaveNotes(ctx, m, []command.Note{o.Note}, func(command.Note) gate.SmallRequest {
		return o.request(nil)
	})
	if err != nil {
		return &smallError{err}
	}
	e.explain(receipts[0])
	return e.acknowledge(ctx, m, receipts[0], rehearsal(o.dryRun))
}

// tellEnd shows the time that a word or a date stands for.
func tellEnd(e *env, said string, ends time.Time) {
	if said != "" && !ends.IsZero() && said != reply.Stamp(ends) {
		e.hint("it ends at " + ends.In(e.now().Location()).Format(time.RFC3339))
	}
}

// mostBatch is how many records a batch may have: each is a ref that every exchange lists.
const mostBatch = 2000

// runBatch stores many notes and skips.
func runBatch(e *env, cmd *cobra.Command, o noteFlags, args []string) error {
	wrong := o.smallFlags.problems(e)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains([]string{
			"kind", "impact", "confidence", "why", "topic", "tag", "expires", "cite",
			"link",
		}, f.Name) {
			wrong = append(wrong, errors.New("--batch reads it from the lines: --"+f.Name))
		}
	})
	if err := usage(wrong); err != nil {
		return err
	}
	name := standardInput
	if len(args) > 0 {
		name = args[0]
	}
	ctx := cmd.Context()
	data, err := e.document(ctx, name)
	if err != nil {
		return err
	}
	lines := batchLines(data, e.now())
	switch {
	case len(lines) == 0:
		return usagef("there is no record to store: one JSON object a line")
	case len(lines) > mostBatch:
		return usagef("%d records are too many for one batch, at most %d", len(lines), mostBatch)
	}
	identities := o.reach
	if e.userStore == "" && !cmd.Flags().Changed("private") {
		identities = replay.Private
	}
	return e.use(ctx, func(m *memory.Memory) error {
		return saveBatch(ctx, e, m, o.smallFlags, lines, identities)
	})
}

// saveBatch stores the records of a batch that pass, and names the others; identities is how far those go
// that say who somebody is.
func saveBatch(ctx context.Context, e *env, m *memory.Memory, s smallFlags, lines []batchLine,
	identities replay.Reach,
) error {
	reqs := make([]gate.SmallRequest, len(lines))
	for i, l := range lines {
		reqs[i] = s.request(l.data)
		reqs[i].DryRun = s.dryRun || l.err != nil // The gate still says what else is wrong.
		if l.identity {
			reqs[i].Reach = identities
		}
	}
	receipts, err := m.SaveBatch(ctx, reqs)
	failed, isBatch := errors.AsType[*gate.BatchError](err)
	if err != nil && !isBatch {
		return &smallError{err}
	}
	if isBatch {
		for _, f := range failed.Failed {
			lines[f.Index].err = errors.Join(lines[f.Index].err, f.Err)
		}
	}
	wrong := &batchError{lines: len(lines)}
	var passed []gate.Receipt
	for i, l := range lines {
		if l.err != nil {
			wrong.wrong = append(wrong.wrong, lineError{l.number, l.err})
		} else {
			passed = append(passed, receipts[i])
		}
	}
	if len(passed) > 0 {
		if err := printBatch(ctx, e, m, passed, s); err != nil {
			return err
		}
	}
	if len(wrong.wrong) == 0 {
		return nil
	}
	if !s.dryRun {
		wrong.stored = len(passed)
	}
	return wrong
}

func printBatch(ctx context.Context, e *env, m *memory.Memory, receipts []gate.Receipt, s smallFlags) error {
	dry := rehearsal(s.dryRun)
	all := []reply.Saved{}
	for _, r := range receipts {
		if len(redact.Blocking(r.Findings)) > 0 {
			e.warnf("of record %s:", r.ID)
		}
		e.explain(r)
		all = append(all, reply.SavedOf(r, dry))
	}
	if dry {
		for i, repeats := range tellDuplicates(ctx, e, m, dry, receipts...) {
			all[i] = all[i].With(e.rules, repeats)
		}
		e.hint("this was a dry run, nothing was stored")
	}
	var err error
	for i, r := range receipts {
		failed := error(nil)
		if e.asJSON {
			failed = e.printLine(all[i])
		} else {
			_, failed = fmt.Fprintln(e.stdout, r.ID)
		}
		err = errors.Join(err, failed)
	}
	switch {
	case bool(dry):
		return err
	case err != nil:
		return fmt.Errorf("the records are stored, and their ids cannot be printed: %w", err)
	}
	for _, r := range receipts {
		e.adviseStored(r)
	}
	tellDuplicates(ctx, e, m, dry, receipts...)
	return nil
}

// batchLine is a record of a batch.
type batchLine struct {
	number   int
	data     []byte // as the gate takes it
	identity bool
	err      error // what is wrong with it before the gate sees it
}

// batchLines reads JSON Lines. Empty lines count and say nothing.
func batchLines(data []byte, now time.Time) []batchLine {
	var all []batchLine
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if line = bytes.TrimSpace(line); len(line) > 0 {
			all = append(all, mendLine(number, line, now))
		}
	}
	return all
}

// splice is a part of a line that is written anew.
type splice struct {
	from, to int
	text     string
}

// mendLine puts into the form of a record what a person or an agent may say more freely: the kind, the tags,
// the end. The rest is left byte by byte to the gate, which also says what is wrong.
func mendLine(number int, line []byte, now time.Time) batchLine {
	l := batchLine{number: number, data: line}
	members, ok := membersOf(line)
	if !ok {
		return l
	}
	var changes []splice
	typed := false
	var wrong []error
	for _, m := range members {
		typed = typed || m.name == "type"
		text, err := l.mend(m, now)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("/%s: %w", m.name, err))
		}
		if text != "" {
			changes = append(changes, splice{m.from, m.to, text})
		}
	}
	if !typed {
		brace := bytes.IndexByte(line, '{') + 1
		text := `"type":"note"`
		if len(members) > 0 {
			text += ","
		}
		changes = slices.Insert(changes, 0, splice{brace, brace, text})
	}
	l.data, l.err = spliced(line, changes), errors.Join(wrong...)
	return l
}

// mend returns what takes the place of a member's value; nothing for one that stays.
func (l *batchLine) mend(m jsonMember, now time.Time) (string, error) {
	text, isText := jsonText(m.raw)
	switch {
	case m.name == "kind" && isText:
		kind, known := packet.NoteKind(text)
		l.identity = l.identity || kind == packet.NoteIdentity
		if known && kind != text {
			return quoted(kind), nil
		}
	case m.name == "impact" && text == "critical":
		return "", command.ErrCritical
	case m.name == "tags":
		return mendTags(m.raw), nil
	case m.name == "expires_at" && isText:
		end, err := reply.ParseFuture(text, now)
		if err == nil && !isTime(text) {
			return quoted(reply.Stamp(end)), nil
		}
		return "", err
	}
	return "", nil
}

// mendTags returns tags in the form of records, each once; nothing where they have it, or are no list of
// texts.
func mendTags(raw []byte) string {
	var tags, mended []string
	if json.Unmarshal(raw, &tags) != nil {
		return ""
	}
	for _, tag := range tags {
		if tag = reply.Slug(tag); !slices.Contains(mended, tag) {
			mended = append(mended, tag)
		}
	}
	if len(mended) == 0 || slices.Equal(tags, mended) {
		return ""
	}
	texts := make([]string, len(mended))
	for i, tag := range mended {
		texts[i] = quoted(tag)
	}
	return "[" + strings.Join(texts, ",") + "]"
}

// jsonText returns a JSON value that is a text.
func jsonText(raw []byte) (text string, ok bool) {
	ok = bytes.HasPrefix(raw, []byte(`"`)) && json.Unmarshal(raw, &text) == nil
	return text, ok
}

func isTime(text string) bool {
	_, err := time.Parse(time.RFC3339, text)
	return err == nil
}

func quoted(text string) string {
	data, _ := json.Marshal(text) //nolint:errchkjson // A string.
	return string(data)
}

// jsonMember is a member of an object, and where its value stands.
type jsonMember struct {
	name     string
	raw      []byte
	from, to int
}

// membersOf returns the members of one object, also those that stand twice. It is not ok where the text is
// anything else.
func membersOf(text []byte) (all []jsonMember, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(text))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, false
		}
		var raw json.RawMessage
		if dec.Decode(&raw) != nil {
			return nil, false
		}
		to := int(dec.InputOffset())
		from := to - len(raw)
		word, isName := name.(string)
		if !isName || from < 0 || !bytes.Equal(text[from:to], raw) {
			return nil, false
		}
		all = append(all, jsonMember{word, raw, from, to})
	}
	closing, err := dec.Token()
	return all, err == nil && closing == json.Delim('}')
}

func spliced(text []byte, changes []splice) []byte {
	var out bytes.Buffer
	at := 0
	for _, c := range changes {
		out.Write(text[at:c.from])
		out.WriteString(c.text)
		at = c.to
	}
	out.Write(text[at:])
	return out.Bytes()
}

// smallFlags say how small records are stored.
type smallFlags struct {
	answerFlags
	private, sign, noSign, dryRun bool

	reach replay.Reach // what private says, as problems settles it
}

func (s *smallFlags) flags(f *pflag.FlagSet) {
	f.BoolVar(&s.private, "private", false, "keep it in this clone: it is never sent")
	s.answerFlags.flags(f, "allow-why")
	f.BoolVarP(&s.sign, "sign", "S", false,
		"sign it with your key, or store nothing (default: ltm.sign, else commit.gpgSign)")
	f.BoolVar(&s.noSign, "no-sign", false, "do not sign it")
	f.BoolVarP(&s.dryRun, "dry-run", "n", false, "do everything but store it")
}

// problems says what is wrong with the flags, and settles how far the record goes.
func (s *smallFlags) problems(e *env) []error {
	wrong := s.answerFlags.problems()
	if s.sign && s.noSign {
		wrong = append(wrong, errors.New("--sign and --no-sign exclude each other"))
	}
	if s.private && e.userStore != "" {
		wrong = append(wrong,
			errors.New("--user and --private exclude each other; a user-wide memory without a remote "+
				"never leaves the machine"))
	}
	if s.private {
		s.reach = replay.Private
	}
	return wrong
}

// keepHere makes a record private unless the person said otherwise. In the user-wide memory nothing is.
func (s *smallFlags) keepHere(e *env, cmd *cobra.Command) {
	if e.userStore == "" && !cmd.Flags().Changed("private") {
		s.private = true
	}
}

func (s *smallFlags) request(data []byte) gate.SmallRequest {
	req := gate.SmallRequest{Data: data, Answer: s.answer(), Reach: s.reach, DryRun: s.dryRun}
	switch {
	case s.sign:
		req.Signing = signing.Sign
	case s.noSign:
		req.Signing = signing.NoSign
	}
	return req
}

// acknowledge prints the id of a record that was stored, and then the advice. Of a rehearsal the advice comes
// first.
func (e *env) acknowledge(ctx context.Context, m *memory.Memory, r gate.Receipt, dry rehearsal,
) error {
	saved := reply.SavedOf(r, dry)
	if dry {
		saved = saved.With(e.rules, tellDuplicates(ctx, e, m, dry, r)[0])
		e.adviseDraft(r)
		e.hint("this was a dry run, nothing was stored")
	}
	var err error
	var undoable []packet.ID
	if !bool(dry) && !r.Known {
		undoable = append(undoable, r.ID)
	}
	if e.asJSON {
		saved.Undo = e.undoOf(undoable...)
		err = e.printJSON(saved)
	} else {
		_, err = fmt.Fprintln(e.stdout, r.ID)
	}
	if err != nil && !bool(dry) {
		return fmt.Errorf("record %s is stored, and its id cannot be printed: %w", r.ID, err)
	}
	if !dry {
		e.hintUndo(undoable...)
		e.adviseStored(r)
		tellDuplicates(ctx, e, m, dry, r)
	}
	return err
}

// readable refuses bytes that are not UTF-8, which JSON would change.
func readable(texts ...string) error {
	for _, t := range texts {
		if !utf8.ValidString(t) {
			return errors.New("what you say holds bytes that are not UTF-8")
		}
	}
	return nil
}

// maxSmallInput is the number of bytes read of a text; the parser says what is too much.
const maxSmallInput = 4*packet.MaxSmall + 1

// textHelp stands in the editor. Lines that begin with a number sign are left out of the text.
const textHelp = `
# One fact that the next session needs, as an instruction and not as a log: "Use X because Y", not "discussed X".
# No secrets, no paths of this machine. Lines that begin with # are left out. Leave it empty to store nothing.
`

// withText opens the memory and calls do with the text of a record: the argument, standard input, or on a
// terminal without an argument what the person writes in the editor.
func withText(ctx context.Context, e *env, args []string,
	do func(m *memory.Memory, text string) error,
) error {
	switch {
	case len(args) > 0 && args[0] != standardInput:
		return e.use(ctx, func(m *memory.Memory) error { return do(m, args[0]) })
	case len(args) == 0 && e.terminal(e.stdin):
		return e.use(ctx, func(m *memory.Memory) error { return withEdited(ctx, e, m, do) })
	}
	if e.terminal(e.stdin) {
		e.hint("reading the text from the terminal; ctrl-d ends it")
	}
	data, err := e.readStdin(ctx, maxSmallInput)
	if err != nil {
		return fmt.Errorf("read standard input: %w", err)
	}
	text := trimmed(data)
	if text == "" {
		return usagef("there is no text: give it as an argument, or on standard input")
	}
	return e.use(ctx, func(m *memory.Memory) error { return do(m, text) })
}

// withEdited lets the person write the text. What they wrote is kept until it is stored.
func withEdited(ctx context.Context, e *env, m *memory.Memory,
	do func(m *memory.Memory, text string) error,
) error {
	file := filepath.Join(m.Repo().GitDir, "ltm", "EDIT_NOTE")
	data, err := openEditor(ctx, e, file, "text", func() ([]byte, error) { return []byte(textHelp), nil })
	if err != nil {
		return err
	}
	text := trimmed(data)
	if text == "" {
		e.hint("nothing was written, so nothing was stored")
		return os.Remove(file)
	}
	if err := do(m, text); err != nil {
		e.hint("your text is kept in " + file + "; the same command opens it again")
		return err
	}
	return os.Remove(file)
}

// trimmed is a text with the line ends of git, and without blank lines around it.
func trimmed(data []byte) string {
	return strings.TrimSpace(strings.ReplaceAll(string(data), "\r\n", "\n"))
}

// slugTags brings tags into the form that records hold, each once, and tells what was changed.
func slugTags(e *env, tags []string) []string {
	var all []string
	for _, tag := range tags {
		s := reply.Slug(tag)
		if s != tag {
			e.hint("the tag \"" + reply.Word(tag) + "\" is stored as \"" + reply.Word(s) + "\"")
		}
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

func newIdentity(e *env) *cobra.Command {
	show := newIdentityShow(e)
	cmd := &cobra.Command{
		Use:   "identity",
		Short: "Keep who you are for those who work with you",
		Long: "An identity is a note that says how you work and what you care about. Nothing is overwritten: the newest one under\n" +
			"your name (user.name of git) counts, the older ones are its history. It is private to this clone unless --shared is\n" +
			"given; with --user it is kept once for all your repositories, and one of a repository goes before that.\n\n" +
			"Only what this clone made, or what a trusted key signed, is yours: anybody can write your name.\n" +
			"Without a subcommand it shows the newest.",
		Example: "  git ltm --user identity set 'I want small functions, and tests that can fail'\n  git " +
			"ltm identity",
		Args: noCommand,
		RunE: show.RunE,
	}
	cmd.Flags().AddFlagSet(show.Flags())
	cmd.AddCommand(show, newIdentitySet(e), newIdentityHistory(e))
	return cmd
}

func newIdentityShow(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "show",
		Short:   "Print the newest identity",
		Long:    "Show prints the text of your newest identity. --json prints the object that 'git ltm ls --kind identity --json' has.",
		Example: "  git ltm identity show",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withIdentities(cmd.Context(), e, false, func(_ *memory.Memory, all []replay.Shown) error {
				if len(all) == 0 {
					return fmt.Errorf("identity under your name: %w", errNoIdentity)
				}
				if e.asJSON {
					return e.printJSON(reply.ListedOf(all[0]))
				}
				e.println(clean.Text(all[0].Note().Text))
				return nil
			})
		},
	}
	return cmd
}

func newIdentityHistory(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "history",
		Short: "List every identity of yours, newest first",
		Long: "History lists the identities under your name, as 'git ltm ls' lists notes, with those that were retracted, superseded\n" +
			"or expired. --json prints an array.",
		Example: "  git ltm identity history",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withIdentities(cmd.Context(), e, true, func(m *memory.Memory, all []replay.Shown) error {
				return printList(cmd.Context(), e, m, all,
					listOptions{filterFlags: filterFlags{command.Question{Kinds: []string{packet.NoteIdentity}}}})
			})
		},
	}
	return cmd
}

// withIdentities calls do with the identities of the person at the terminal, newest first.
func withIdentities(ctx context.Context, e *env, hidden bool,
	do func(*memory.Memory, []replay.Shown) error,
) error {
	return e.use(ctx, func(m *memory.Memory) error {
		me, err := m.Author(ctx)
		if err != nil {
			return err
		}
		q := replay.Query{Kind: packet.KindNote, Notes: []string{packet.NoteIdentity}, Hidden: hidden}
		found, err := reply.List(ctx, m, []replay.Query{q}, replay.Inspected, 0)
		if err != nil {
			return err
		}
		foreign := 0
		found = slices.DeleteFunc(found, func(entry replay.Shown) bool {
			if entry.Note().Provenance.AuthorHuman != me {
				return true
			}
			if !entry.Verdict.Standing.Vouched() {
				foreign++
				return true
			}
			return false
		})
		if foreign > 0 {
			e.warnf("left out %d under your name that are not trusted; 'git ltm ls --kind identity' lists them", foreign)
		}
		return do(m, found)
	})
}

func newIdentitySet(e *env) *cobra.Command {
	o := noteFlags{Note: command.Note{Kind: packet.NoteIdentity}}
	cmd := &cobra.Command{
		Use:   "set [TEXT]",
		Short: "Say anew who you are",
		Long: "Set stores an identity and prints its id alone on standard output. The text is the argument, or standard input, or on\n" +
			"a terminal what you write in your editor.\n\n" +
			"--json prints an object with id, ref, bytes, known, signed, dry_run and findings.",
		Example:     "  git ltm identity set 'I review on Mondays; ask before you touch the build'",
		Annotations: map[string]string{makesStore: ""},
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.shared && o.private {
				return usagef("--shared and --private exclude each other")
			}
			if err := o.check(e, cmd, args); err != nil {
				return err
			}
			return withText(cmd.Context(), e, args, func(m *memory.Memory, text string) error {
				return saveNote(cmd.Context(), e, m, o, text)
			})
		},
	}
	cmd.Flags().BoolVar(&o.shared, "shared", false, "let it travel to remotes as other records do")
	o.smallFlags.flags(cmd.Flags())
	return cmd
}
