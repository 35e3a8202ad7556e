package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/audit"
	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/scan"
)

type checkOptions struct {
	reportOptions
	remote, since   string
	config, require string
	files           []string
	stdin, strict   bool
	private         bool
}

func newCheck(e *env) *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check [ID...]",
		Short: "Check records for secrets and errors",
		Long: "Check looks at every record below refs/ltm, or at those that are named, and at the names of the refs there. It tells\n" +
			"everything that is wrong at once: secrets, invalid members, another encoding or id than the record should have, what\n" +
			"is too large, missing or damaged, signatures that are bad or revoked, refs that are no records, and, as warnings,\n" +
			"parents that are not here, names that two records claim, and packets whose author overrode the scan.\n\n" +
			"The rules for secrets are the built-in ones, those of the file that ltm.scanConfig names, which may also take from\n" +
			"them, and those of .gitleaks.toml at the top of the work tree, which may only add to them. What 'git ltm allow' allows\n" +
			"is shown and fails nothing.\n\n" +
			"It is made for CI. It changes no record, and needs no repository for --file and --stdin. With --remote it fetches what\n" +
			"the remote holds now into the tracking refs and checks that.\n\n" + checkCodes,
		Example: "  git ltm check\n  git ltm check --remote origin --format sarif --output " +
			"ltm.sarif\n  git ltm check --file packet.json",
		Args:        arguments(cobra.ArbitraryArgs),
		Annotations: map[string]string{wakeful: ""},
		RunE:        func(cmd *cobra.Command, args []string) error { return e.check(cmd.Context(), o, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.remote, "remote", "", "check what the remote `NAME` holds")
	f.StringVar(&o.since, "since", "",
		"only records whose ids say that they were saved since the commit `REV`; for speed, and no guard: "+
			"authors choose ids")
	f.StringArrayVar(&o.files, "file", nil, "check the record in `FILE`; several, if given again")
	f.BoolVar(&o.stdin, "stdin", false, "check one record from standard input")
	f.StringVar(&o.config, "config", "",
		"trust the rules in `FILE` instead of those that ltm.scanConfig names")
	f.StringVar(&o.require, "require", "",
		"each record has to be `WHAT`: signed, or good, which is signed by a trusted key")
	f.BoolVar(&o.private, "private", false, "also check the records that never leave this clone")
	f.BoolVar(&o.strict, "strict", false, "also tell what the published 0.2 schema would refuse")
	o.flags(f)
	return cmd
}

func (e *env) check(ctx context.Context, o checkOptions, ids []string) error {
	files := o.files
	if o.stdin {
		files = append(files, standardInput)
	}
	if len(files) > 0 && (len(ids) > 0 || o.remote != "" || o.since != "") {
		return usage([]error{errors.New("--file and --stdin exclude ids, --remote and --since")})
	}
	require, err := check.ParseRequirement(o.require)
	if err != nil || require != check.RequireNothing && len(files) > 0 {
		return usage([]error{errors.Join(
			errors.New("--require takes signed or good, and records of a repository"), err)})
	}
	q := audit.CheckQuery{
		IDs: ids, Remote: o.remote, Since: o.since, Private: o.private, Strict: o.strict,
		Require: require,
	}
	return e.judge(o.reportOptions, func(v *verdict) error {
		if len(files) > 0 {
			return e.checkFiles(ctx, o, files, v)
		}
		return e.use(ctx, func(m *memory.Memory) error {
			m.RuleSource().Use(e.config(o.config))
			return e.checkStore(ctx, m, q, v)
		})
	})
}

// checkFiles looks at files as records.
func (e *env) checkFiles(ctx context.Context, o checkOptions, files []string, v *verdict) error {
	rules, err := scan.Find(ctx, scan.Query{Dir: e.dir, Env: e.vars, Config: e.config(o.config)})
	if err != nil {
		return err
	}
	v.scannedBy(rules, check.Rules(rules))
	e.warnRules(rules)
	return e.eachFile(ctx, v, files, func(name string, data []byte) check.Checked {
		return check.Inspect(check.Document{Subject: name, Data: data, Strict: o.strict, Rules: rules})
	})
}

// warnRules tells what of the rule files does not apply.
func (e *env) warnRules(rules *scan.Rules) {
	for _, w := range rules.Warnings() {
		e.warnf("%s", w)
	}
}

// checkStore looks at the records of the repository or of a remote.
func (e *env) checkStore(ctx context.Context, m *memory.Memory, q audit.CheckQuery, v *verdict) error {
	if q.Remote != "" {
		if _, err := remote.PlanFor(ctx, m.Repo(), q.Remote); err != nil {
			return err
		}
	}
	rules, err := m.RuleSource().Whole(ctx)
	if err != nil {
		return err
	}
	v.scannedBy(rules, check.Rules(rules))
	e.warnRules(rules)
	for c, err := range m.Audit().Check(ctx, q) {
		if err != nil {
			return err
		}
		v.add(c)
		e.tellOlder(c.Older)
	}
	if len(v.Subjects) == 0 && len(q.IDs) == 0 && q.Remote == "" && q.Since == "" {
		if err := e.checkFetched(ctx, m); err != nil {
			return err
		}
		e.say("hint", "there is no record here; a new clone holds none: 'git ltm pull' brings them, and "+
			"'git ltm check --remote NAME' fetches them to look at")
	}
	return nil
}

// unfetchedError is a check that had nothing to look at, while a remote holds records.
type unfetchedError struct {
	remote string
	refs   int
}

func (e *unfetchedError) Error() string {
	return fmt.Sprintf("nothing was checked: no record is here, and %s has %s of memory", e.remote,
		counted(e.refs, "ref"))
}

// checkFetched refuses to say that nothing was found where nobody fetched what the remote holds.
func (e *env) checkFetched(ctx context.Context, m *memory.Memory) error {
	config, err := m.Config(ctx)
	if err != nil {
		return err
	}
	name, err := remote.Default(ctx, m.Repo(), config)
	if err != nil {
		return nil //nolint:nilerr // There is no remote to hold any.
	}
	there, err := m.Repo().LsRemote(ctx, name, "refs/ltm/*")
	if err != nil {
		e.warnf("%s was not reached, so nobody knows whether it has records: %v", name, err)
		return nil
	}
	if len(there) > 0 {
		return &unfetchedError{name, len(there)}
	}
	return nil
}

// tellOlder tells how many records a check of what is new did not look at.
func (e *env) tellOlder(n int) {
	switch n {
	case 0:
		return
	case 1:
		e.say("hint", "--since passed over 1 record whose id says that it is older; authors choose ids, "+
			"so look at all of them now and then")
	default:
		e.say("hint", fmt.Sprintf(
			"--since passed over %d records whose ids say that they are older; authors choose ids, so "+
				"look at all of them now and then", n))
	}
}
