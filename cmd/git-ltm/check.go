package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/audit"
	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/report"
	"github.com/git-ltm/git-ltm/internal/scan"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
	"github.com/git-ltm/git-ltm/internal/version"
)

type checkOptions struct {
	reportOptions
	Remote, Config, Require string
	Files                   []string
	Private                 bool
}

func runCheck(ctx context.Context, e *env, o checkOptions, ids []string) error {
	files := o.Files
	if len(files) > 0 && (len(ids) > 0 || o.Remote != "") {
		return usage([]error{errors.New("--file excludes ids and --remote")})
	}
	require, err := check.ParseRequirement(o.Require)
	if err != nil || require != check.RequireNothing && len(files) > 0 {
		return usage([]error{errors.Join(
			errors.New("--require takes signed or good, and records of a repository"), err)})
	}
	q := audit.CheckQuery{
		IDs: ids, Remote: o.Remote, Private: o.Private,
		Require: require,
	}
	return judgeAll(e, o.reportOptions, func(v *verdict) error {
		if len(files) > 0 {
			return checkFiles(ctx, e, o, files, v, check.Rules, check.Inspect)
		}
		return e.useMemory(ctx, func(m *memory.Memory) error {
			m.RuleSource().Use(e.resolvePath(o.Config))
			err := checkStore(ctx, e, m, q, v)
			isPath := func(id string) bool { return strings.ContainsAny(id, "./") }
			if errors.Is(err, replay.ErrNotFound) && slices.ContainsFunc(ids, isPath) {
				e.hint("check takes ids; --file FILE checks a record in a file, and 'git ltm scan FILE' looks for " +
					"secrets in any")
			}
			return err
		})
	})
}

// checkFiles looks at files, as records or as any text.
func checkFiles(ctx context.Context, e *env, o checkOptions, files []string, v *verdict,
	asked func(*scan.Rules) []report.Rule, look func(check.Document) check.Checked,
) error {
	rules, err := scan.Find(ctx, scan.Query{Dir: e.dir, Env: e.vars, Config: e.resolvePath(o.Config)})
	if err != nil {
		return err
	}
	v.scannedBy(e, rules, asked(rules))
	return checkEachFile(ctx, e, v, files, func(name string, data []byte) check.Checked {
		return look(check.Document{Subject: name, Data: data, Rules: rules})
	})
}

// checkStore looks at the records of the repository or of a remote.
func checkStore(ctx context.Context, e *env, m *memory.Memory, q audit.CheckQuery, v *verdict) error {
	if q.Remote != "" {
		if _, _, err := remote.Untracked(ctx, m.Repo(), q.Remote); err != nil {
			return err
		}
	}
	rules, err := m.RuleSource().Whole(ctx)
	if err != nil {
		return err
	}
	v.scannedBy(e, rules, check.Rules(rules))
	for c, err := range m.Audit().Check(ctx, q) {
		if err != nil {
			return err
		}
		v.addChecked(c)
	}
	if len(v.Subjects) == 0 && len(q.IDs) == 0 && q.Remote == "" {
		if err := checkFetched(ctx, e, m); err != nil {
			return err
		}
		e.hint("there is no record here; a new clone holds none: 'git ltm pull' brings them, and " +
			"'git ltm check --remote NAME' fetches them to look at")
	}
	return nil
}

// errUnfetched says that there was nothing to look at, while a remote holds records.
var errUnfetched = errors.New("nothing was checked")

// checkFetched refuses to say that nothing was found where nobody fetched what the remote holds.
func checkFetched(ctx context.Context, e *env, m *memory.Memory) error {
	config, err := m.Config(ctx)
	if err != nil {
		return err
	}
	name, err := remote.Default(m.Repo(), config)
	if err != nil {
		return nil //nolint:nilerr // There is no remote to hold any.
	}
	there, err := m.Repo().LsRemote(ctx, name, "refs/ltm/*")
	if err != nil {
		e.warnf("%s was not reached, so nobody knows whether it has records: %v", name, err)
		return nil
	}
	if len(there) > 0 {
		return fmt.Errorf("%w: no record is here, and %s has %s of memory", errUnfetched, name,
			command.Counted(len(there), "ref"))
	}
	return nil
}

func runScan(ctx context.Context, e *env, o checkOptions, args []string) error {
	files, dash := slices.Clone(args), e.line.ArgsLenAtDash()
	for i := range files { // Behind "--" it is a file as any other: a list must not hide one by its name.
		if dash >= 0 && i >= dash && files[i] == standardInput {
			files[i] = dashFile
		}
	}
	if len(files) == 0 {
		if e.isTerminal(e.stdin) {
			return usagef("there is nothing to scan; name a FILE, - for the terminal, or pipe a text in")
		}
		files = []string{standardInput}
	}
	return judgeAll(e, o.reportOptions, func(v *verdict) error {
		return checkFiles(ctx, e, o, files, v, check.SecretRules, check.ScanFile)
	})
}

// home is where the program is explained.
const home = "https://github.com/git-ltm/git-ltm"

// garbage is how many percent of what a check holds may pile up before it is
// collected.
const garbage = 400

// A verdict is a report that grows, and what could not be looked at.
type verdict struct {
	report.Report
	unread   int
	progress *progress
}

// newVerdict is a report without results.
func newVerdict(e *env) *verdict {
	// What a check makes of a record is gone with the record: to collect less often takes a few megabytes and
	// saves a tenth of the time.
	debug.SetGCPercent(garbage)
	return &verdict{progress: e.progress("checked"), Report: report.Report{
		Tool: "git-ltm", Version: version.Release(), Home: home, Started: e.now(),
	}}
}

// addChecked takes what was found about one subject.
func (v *verdict) addChecked(c check.Checked) {
	v.Results = append(v.Results, c.Results...)
	if c.Subject == "" {
		return
	}
	v.Subjects = append(v.Subjects, c.Subject)
	v.progress.step()
}

// scannedBy notes the rules that were asked, and tells what of the rule files does not apply.
func (v *verdict) scannedBy(e *env, rules *scan.Rules, asked []report.Rule) {
	v.Ruleset, v.Rules = rules.Version(), asked
	e.warnAll(rules.Warnings())
}

// judgeAll looks at something, writes the report and returns an error where it
// fails the check.
func judgeAll(e *env, o reportOptions, look func(v *verdict) error) error {
	format, err := report.ParseFormat(o.Format)
	if err != nil {
		return usagef("--format: %w", err)
	}
	var baseline report.Baseline
	if o.Baseline != "" {
		f, err := os.Open(e.resolvePath(o.Baseline))
		if err != nil {
			return fmt.Errorf("read baseline: %w", err)
		}
		baseline, err = report.ReadBaseline(f)
		if err = errors.Join(err, f.Close()); err != nil {
			return fmt.Errorf("file %q: %w", o.Baseline, err)
		}
	}
	v := newVerdict(e)
	err = look(v)
	v.progress.end()
	if err != nil {
		return err
	}
	v.Ended = e.now()
	baseline.Apply(&v.Report)
	if n := baseline.Unused(); n > 0 {
		e.hintf("%d of the entries of the baseline fit nothing that was found", n)
	}
	switch {
	case o.Output != "":
		if err := replaceFile(e.resolvePath(o.Output), func(w io.Writer) error {
			return v.Write(w, format)
		}); err != nil {
			return fmt.Errorf("write report: %w", err)
		}
		if !o.Quiet {
			e.hintf("checked %d; the report is in %q", len(v.Subjects), o.Output)
		}
	case !o.Quiet:
		if err := v.Write(e.stdout, format); err != nil {
			return err
		}
	}
	return v.failure()
}

// foundError is a check that ended and did not pass, or records that were kept back for that.
type foundError struct {
	kept     string // what does not happen for that; nothing for a check
	secrets  int    // results about secrets
	stored   bool   // one of them is in a ref
	unsigned int    // results about signatures
	others   int    // results about records and refs
	unread   int    // files that could not be looked at
}

func (e *foundError) Error() string {
	if e.kept == leftOut {
		return leftOut + joinCounts([]countedText{
			{e.secrets, "%d because of what must not travel", "%d because of what must not travel"},
			{e.unsigned, "%d because of their signatures", "%d because of their signatures"},
			{e.others, "%d because of their form", "%d because of their form"},
		})
	}
	return e.kept + joinCounts([]countedText{
		{e.secrets, "a secret was found", "%d secrets were found"},
		{e.unsigned, "1 missing or untrusted signature", "%d missing or untrusted signatures"},
		{e.others, "a record or ref is not as it should be", "%d things are wrong with records or refs"},
		{e.unread, "a file could not be looked at", "%d files could not be looked at"},
	})
}

// countedText is what is said of one thing, and of several.
type countedText struct {
	n         int
	one, many string
}

// joinCounts says what there is.
func joinCounts(all []countedText) string {
	var parts []string
	for _, part := range all {
		switch {
		case part.n == 1:
			parts = append(parts, strings.Replace(part.one, "%d", "1", 1))
		case part.n > 1:
			parts = append(parts, fmt.Sprintf(part.many, part.n))
		}
	}
	return strings.Join(parts, ", ")
}

// count counts the results that fail a check, and reports whether there are any.
func (e *foundError) count(r report.Report) (fails bool) {
	for _, r := range r.Counted() {
		if r.Level != report.Error {
			continue
		}
		fails = true
		switch r.Area {
		case report.Secret:
			e.secrets++
			e.stored = e.stored || strings.HasPrefix(r.Subject, "refs/")
		case report.Signature:
			e.unsigned++
		default:
			e.others++
		}
	}
	return fails
}

// failure returns what fails the check, or nothing.
func (v *verdict) failure() error {
	found := foundError{unread: v.unread}
	if !found.count(v.Report) && v.unread == 0 {
		return nil
	}
	return &found
}

// reportOptions say where a report goes and what counts in it.
type reportOptions struct {
	Format, Output, Baseline string
	Quiet                    bool
}

type allowOptions struct {
	Why, Until string
	Revoke     bool
}

func runAllow(ctx context.Context, e *env, m *memory.Memory, o allowOptions, fingerprints []string) error {
	if len(fingerprints) == 0 && !o.Revoke && o.Why == "" && o.Until == "" {
		all, err := m.Audit().Decisions(ctx)
		for _, d := range all {
			e.printf("%-8s %s  %s  until %s  by %s: %s\n", stateOf(d), d.Fingerprint, whereIs(d),
				d.Until.UTC().Format(time.DateOnly), clean.Line(d.By), clean.Line(d.Why))
		}
		return e.printResult(allowancesOf(e, all, ""), err)
	}
	until, err := o.check(fingerprints, e.now())
	if err != nil {
		return err
	}
	if o.Revoke {
		all, err := m.Audit().Disallow(ctx, fingerprints, o.Why)
		return printDecided(e, o, "revoked", all, err)
	}
	all, err := m.Audit().Allow(ctx, audit.AllowRequest{Fingerprints: fingerprints, Why: o.Why, Until: until})
	return printDecided(e, o, "allowed", all, err)
}

// check says everything that is wrong with the flags, and when an allowance ends.
func (o allowOptions) check(fingerprints []string, now time.Time) (until time.Time, err error) {
	var wrong refusals
	wrong.when(len(fingerprints) == 0, "name the fingerprints of findings, as 'git ltm check' prints them")
	wrong.when(strings.TrimSpace(o.Why) == "", "--why takes the reason")
	switch {
	case o.Revoke:
	case o.Until == "":
		wrong.when(true, "--until takes the last day, such as 2026-12-31 or 90d")
	default: // After now, and at most 365 days and the rest of that day ahead.
		until, err = reply.ParseFuture(o.Until, now.UTC())
		wrong.when(err != nil, "--until: %w", err)
		wrong.when(until.Truncate(24*time.Hour).After(now.Add(365*24*time.Hour)), "--until: it lies more than 365 days ahead")
	}
	return until, usage(wrong)
}

// printDecided tells which findings were decided on.
func printDecided(e *env, o allowOptions, did string, all []audit.Decision, err error) error {
	for _, d := range all {
		line := did + " " + d.Fingerprint + "  " + whereIs(d)
		if !o.Revoke {
			line += "  until " + d.Until.UTC().Format(time.DateOnly)
		}
		e.println(line)
	}
	return e.printResult(allowancesOf(e, all, did), err)
}

// stateOf is one word on whether an allowance counts.
func stateOf(d audit.Decision) string {
	switch {
	case d.Expired:
		return "expired"
	case d.Claim:
		return "claim"
	default:
		return "active"
	}
}

// whereIs says what a decision speaks of, without the secret.
func whereIs(d audit.Decision) string {
	words := []string{"in " + string(d.Record)}
	if d.Remote != "" {
		words = append(words, "says remote "+clean.Line(d.Remote))
	}
	if d.Found != nil {
		found := []string{d.Found.Rule, clean.Line(d.Found.Pointer)}
		if d.Found.InName {
			found = append(found, "(member name)")
		}
		words = append([]string{strings.TrimSpace(strings.Join(append(found, d.Found.Mask), " "))}, words...)
	}
	return strings.Join(words, "  ")
}

// allowancesOf are decisions as JSON. The state of each is the given one, or its own.
func allowancesOf(e *env, all []audit.Decision, state string) (list []command.Allowance) {
	for _, d := range all {
		d.Until = d.Until.UTC()
		j := command.Allowance{Decision: d, State: cmp.Or(state, stateOf(d))}
		if f := d.Found; f != nil {
			j.Rule, j.Pointer, j.InName, j.Mask = f.Rule, f.Pointer, f.InName, f.Mask
		}
		list = append(list, j)
	}
	return printables(e, list)
}

type verifyOptions struct {
	Remote, Require string
	Quiet           bool

	why bool // it also asks each list, and fails for nothing
}

// errNotGoodEnough ends a verification that found what must not be.
var errNotGoodEnough = errors.New("not all records are trusted")

func runVerify(ctx context.Context, e *env, m *memory.Memory, o verifyOptions, specs []string) error {
	require, err := check.ParseRequirement(o.Require)
	if err != nil {
		return usagef("--require: %w", err)
	}
	if o.Remote != "" && len(specs) > 0 {
		return usagef("--remote looks at all that a remote holds, so it excludes ids")
	}
	// Where they cannot be read, what is printed is judged by the built-in ones.
	e.rules, _ = m.Rules(ctx)
	t, err := m.Judge().Trust(ctx)
	if err != nil {
		return err
	}
	e.warnAll(t.Warnings())
	team := pendingList(ctx, m)
	var all []command.Testimony
	seen, failed := 0, 0
	query := audit.TestifyQuery{Specs: specs, Remote: o.Remote, Require: require}
	for said, err := range m.Audit().Testify(ctx, query) {
		if err != nil {
			return err
		}
		seen++
		if said.Fails != "" {
			failed++
		} else if o.Quiet {
			continue
		}
		one := command.Testimony{Testimony: said, Change: team.changeOf(said)}
		if o.why {
			one.Lists = command.KeyAnswers(t.Lists(), said)
		}
		all = append(all, printables(e, one))
	}
	e.print(command.TestimoniesText(all))
	if seen == 0 {
		e.hint("there is no record here; 'git ltm sync' brings those of a remote")
	}
	if err := e.printResult(all, nil); err != nil {
		return err
	}
	if !o.Quiet {
		team.tellPending(e)
	}
	if len(specs) == 0 && o.Remote == "" {
		gone, err := m.Audit().Gone(ctx)
		if err != nil {
			return err
		}
		for _, ref := range gone {
			e.warnf("%s was here once and is gone; if it was meant to go: git ltm trust accept %s", ref,
				path.Base(ref))
		}
	}
	if failed > 0 && !o.why {
		return fmt.Errorf("%w: %d failed", errNotGoodEnough, failed)
	}
	return nil
}

// A pending is a list of the team that does not count here yet. The zero value is none.
type pending struct {
	proposal *trust.Proposal
}

// pendingList looks for a list of the team that nobody has accepted here, or that has changed
// since. Where there
// is none, or it cannot be read, there is nothing to tell: 'git ltm trust init' says why.
func pendingList(ctx context.Context, m *memory.Memory) pending {
	if !m.Judge().MayPropose(ctx) {
		return pending{}
	}
	t, err := m.Judge().Trust(ctx)
	if err != nil {
		return pending{}
	}
	p, err := t.Propose(ctx, "")
	if err != nil || p.Pinned != "" && p.Same() {
		return pending{}
	}
	return pending{p}
}

// acceptCommand is what accepts the list.
func (p pending) acceptCommand() string {
	if p.proposal.Pinned == "" {
		return "git ltm trust init"
	}
	return "git ltm trust update"
}

// tellPending tells of the list.
func (p pending) tellPending(e *env) {
	switch {
	case p.proposal == nil:
	case p.proposal.Pinned == "":
		e.hint("the team keeps a list of keys in " + trust.TeamFolder + " of " + p.proposal.Ref +
			", which nobody has accepted here: " + p.acceptCommand())
	default:
		e.hint("the team's list has changed on " + p.proposal.Ref + ": " + p.acceptCommand())
	}
}

// changeOf is the command that changes the standing of a record, in words.
func (p pending) changeOf(said audit.Testimony) string {
	id, listed := string(said.ID), false // the list names the key or the store of the record
	if v := said.Verdict; p.proposal != nil && v.Key != "" {
		listed = slices.ContainsFunc(p.proposal.List.Keys(), func(k trust.Key) bool { return k.Fingerprint == v.Key }) &&
			(v.By == "" || slices.Contains(p.proposal.List.Stores(), said.Store))
	}
	switch v := said.Verdict; {
	case v.Standing == sign.Good, v.Standing == sign.Expired:
		if said.Policy+said.Unasked != "" {
			return "others sign it with: git ltm sign " + id
		}
		return ""
	case v.Standing == sign.Revoked:
		return "its author saves it anew, signed with another key: git cat-file blob " +
			clean.Line(said.Ref) + "^{blob} | git ltm save --new-id --sign -; then git ltm rm " + id
	case said.Tampered:
		return "look at it with git cat-file; if you know what happened: git ltm trust accept " + id
	case v.Standing == sign.Bad:
		return "its author saves it anew; look at it with git cat-file, and take it out of the lists " +
			"with: git ltm rm " + id
	case listed:
		return "the team's list, which does not count here as it is now, names it: " + p.acceptCommand()
	case command.StoreLater(said) != "":
		return command.OfStore(command.StoreLater(said))
	case v.Key == "" && trust.Learning(said.Unasked) != "":
		return trust.Learning(said.Unasked)
	case v.Key == "":
		return command.ChangeUnsigned(said)
	case v.By == "":
		return reply.TrustKey(said.ID, v.Key)
	case said.Store == "":
		return "sign it here with: git ltm sign " + id
	default:
		return command.OfStore(said.Store)
	}
}

type signOptions struct {
	Key string
}

func runSign(ctx context.Context, e *env, m *memory.Memory, o signOptions, specs []string) error {
	var left []error
	found := slices.DeleteFunc(slices.Clone(specs), func(spec string) bool {
		_, err := m.TargetOf(ctx, spec)
		if !errors.Is(err, replay.ErrNotFound) {
			return false
		}
		if _, of, wide := m.FindAnyWide(ctx, spec); wide == nil && of != m {
			err = fmt.Errorf("record %[1]q is %[2]w here: 'git ltm --user sign %[1]s' signs it in your user-wide memory",
				reply.Word(spec), replay.ErrNotFound)
		}
		left = append(left, err)
		return true
	})
	if len(found) == 0 {
		return errors.Join(left...)
	}
	done, err := m.Endorse(ctx, found, o.Key)
	for _, d := range done {
		if d.Known {
			e.hintf("%s was signed with this key before, nothing changed", d.ID)
		}
		switch standing := d.Verdict.Standing; {
		case d.Own:
			e.hintf("%s is stored behind a signature of the same key, so it has no second signer; --key names "+
				"another", d.ID)
		case standing == sign.Foreign && m.Signer().NewStore() != "":
			// The first signature made the id of the store, by which it is judged only from then on.
		case standing != sign.Good:
			e.hintf("the signature of %s is %s here: %s", d.ID, standing, e.printable(d.Verdict.Why))
		}
		if err := hintUnsignedChanges(ctx, e, m, d.ID); err != nil {
			return err
		}
		e.println(d.Ref)
	}
	if err == nil && len(left) > 0 {
		return errors.Join(e.printResult(printables(e, done), nil), &partialError{"signed", len(specs), left})
	}
	return e.printResult(printables(e, done), err)
}

// partialError is a command that did for some records what it could not do for the others.
type partialError struct {
	did  string
	of   int
	left []error
}

func (e *partialError) Error() string {
	return fmt.Sprintf("%d of %d records were not %s, the others were", len(e.left), e.of, e.did)
}

// hintUnsignedChanges says which changes of a record that was signed now have no effect for others any more,
// because this clone made them without a signature.
func hintUnsignedChanges(ctx context.Context, e *env, m *memory.Memory, id packet.ID) error {
	about, err := m.History(ctx, id)
	all := "git ltm sign"
	for _, event := range about {
		undone, failed := m.Undone(ctx, event.ID)
		if err = errors.Join(err, failed); event.Made && !event.Signed && len(event.Endorsers) == 0 && !undone {
			all += " " + string(event.ID)
		}
	}
	if all != "git ltm sign" {
		e.hintf("what you changed of %s is not signed, so that clones which trust your key leave it out: %s", id,
			all)
	}
	return err
}

type keyInitOptions struct {
	As             string
	Global, DryRun bool
}

func runKeyInit(ctx context.Context, e *env, m *memory.Memory, o keyInitOptions, _ []string) error {
	made, err := m.Signer().InitKey(ctx,
		gate.KeyRequest{Principal: o.As, Global: o.Global, DryRun: o.DryRun})
	if err != nil {
		return err
	}
	if made.Known {
		e.hint("the key " + made.File + " is there already")
	}
	for _, s := range made.Settings {
		e.hint("set " + s)
	}
	if made.Line = strings.TrimSpace(made.Line); made.Line != "" {
		e.hint("this line lets others trust it; to trust it here: git ltm trust add " + made.File +
			".pub --as " + made.Principal)
		e.println(made.Line)
	}
	return e.printResult(command.KeyMade{AgentKey: made, DryRun: o.DryRun}, nil)
}
