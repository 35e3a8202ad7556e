package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/audit"
	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/sign"
)

type verifyOptions struct {
	remote, require string
	json, quiet     bool
}

func newVerify(e *env) *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use:   "verify [ID...]",
		Short: "Say whether each record is trusted, why, and what changes that",
		Long: "Verify looks at the signatures of the packets and events that are named, or of all that are known here, and says of\n" +
			"each in words whether it is trusted, why, and which command changes that. The words are:\n\n" +
			"  good      signed by a key that a list of keys here names, for this store\n" +
			"  local     made in this clone; to others it is what its signature says\n" +
			"  expired   good when it was signed; the key has ended since\n" +
			"  unknown   signed, and no list here names the key\n" +
			"  unsigned  nobody signed it\n" +
			"  foreign   signed by a trusted key for another store\n" +
			"  revoked   signed by a key that was taken back; it never reaches a session\n" +
			"  bad       the signature does not fit, or the record is not what this clone saw before; the same\n\n" +
			"It fails where a record is bad or revoked, where ltm.requireSigned or ltm.requireEndorsed withholds one, and where one\n" +
			"lacks what --require asks for. Records that were here once and are gone are listed as warnings.\n\n" + verifyCodes,
		Example: "  git ltm verify\n  git ltm verify @ --json\n  git ltm verify --remote origin --require good",
		Args:    arguments(cobra.ArbitraryArgs),
		RunE:    func(cmd *cobra.Command, args []string) error { return e.verify(cmd.Context(), o, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.remote, "remote", "", "only what the remote `NAME` is known to hold since the last fetch")
	f.StringVar(&o.require, "require", "", "fail where a record is not `WHAT`: signed or good")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only what fails")
	f.BoolVar(&o.json, "json", false, "print a JSON array")
	return cmd
}

// verifyCodes is the part of a help text that lists the exit codes.
const verifyCodes = "Exit codes: 0 all as --require asks, 1 failed, 2 wrong usage, 4 a signature is " +
	"missing or not trusted, 7 not found,\n130 interrupted."

// errNotGoodEnough ends a verification that found what must not be.
var errNotGoodEnough = errors.New("not all records are trusted")

func (e *env) verify(ctx context.Context, o verifyOptions, specs []string) error {
	require, err := check.ParseRequirement(o.require)
	if err != nil {
		return usagef("--require: %w", err)
	}
	if o.remote != "" && len(specs) > 0 {
		return usagef("--remote looks at all that a remote holds, so it excludes ids")
	}
	return e.use(ctx, func(m *memory.Memory) error {
		// Where they cannot be read, what is printed is judged by the built-in ones.
		e.rules, _ = m.Rules(ctx)
		if err := e.warnTrust(ctx, m); err != nil {
			return err
		}
		team := e.pending(ctx, m)
		failed, err := e.testify(ctx, m, o,
			audit.TestifyQuery{Specs: specs, Remote: o.remote, Require: require}, team)
		if err != nil {
			return err
		}
		if !o.quiet {
			team.tell(e)
		}
		if len(specs) == 0 && o.remote == "" {
			if err := e.tellGone(ctx, m); err != nil {
				return err
			}
		}
		if failed > 0 {
			return fmt.Errorf("%w: %d failed", errNotGoodEnough, failed)
		}
		return nil
	})
}

// testify prints what is known of each record, and counts those that fail.
func (e *env) testify(ctx context.Context, m *memory.Memory, o verifyOptions, q audit.TestifyQuery,
	team pending,
) (failed int, err error) {
	all := []testimony{}
	seen := 0
	for said, err := range m.Audit().Testify(ctx, q) {
		if err != nil {
			return 0, err
		}
		seen++
		if said.Fails != "" {
			failed++
		} else if o.quiet {
			continue
		}
		t := e.testimonyJSON(said, team)
		if o.json {
			all = append(all, t)
			continue
		}
		if _, err := fmt.Fprint(e.stdout, t.String()); err != nil {
			return 0, err
		}
	}
	if seen == 0 {
		e.say("hint", "there is no record here; 'git ltm pull' brings those of a remote")
	}
	if o.json {
		err = e.printJSON(all)
	}
	return failed, err
}

// tellGone warns of records that were here once.
func (e *env) tellGone(ctx context.Context, m *memory.Memory) error {
	gone, err := m.Audit().Gone(ctx)
	for _, ref := range gone {
		e.warnf("%s was here once and is gone; if it was meant to go: git ltm trust accept %s", ref,
			ref[strings.LastIndexByte(ref, '/')+1:])
	}
	return err
}

// warnTrust tells which lists of keys do not count.
func (e *env) warnTrust(ctx context.Context, m *memory.Memory) error {
	t, err := m.Judge().Trust(ctx)
	if err != nil {
		return err
	}
	for _, w := range t.Warnings() {
		e.warnf("%s", w)
	}
	return nil
}

// testimony is the JSON shape of what is known of a record.
type testimony struct {
	ID       string `json:"id"`
	Ref      string `json:"ref"`
	Kind     string `json:"kind"`
	Remote   string `json:"remote,omitempty"`
	Standing string `json:"standing"`
	By       string `json:"by,omitempty"`
	Key      string `json:"key,omitempty"`
	Tagger   string `json:"tagger,omitempty"` // what the signature says of itself; nobody checks it
	Store    string `json:"store,omitempty"`
	Why      string `json:"why"`
	Change   string `json:"change,omitempty"` // the command that changes the standing
	Withheld string `json:"withheld,omitempty"`
	Asked    string `json:"not_injected,omitempty"` // why no hook hands it on by itself
	// the author in whose name it is shown unsigned, under ltm.trust = remote
	Claims    string        `json:"shown_as_said_by,omitempty"`
	Endorsed  int           `json:"endorsed"`
	Endorsers []endorsement `json:"endorsements"`
	Fails     string        `json:"fails,omitempty"`
}

// endorsement is the JSON shape of a later signature.
type endorsement struct {
	Ref      string `json:"ref"`
	Standing string `json:"standing"`
	By       string `json:"by,omitempty"`
	Key      string `json:"key,omitempty"`
	Why      string `json:"why"`
}

func (e *env) testimonyJSON(said audit.Testimony, team pending) testimony {
	v := said.Verdict
	t := testimony{
		ID: string(said.ID), Ref: e.printable(said.Ref), Kind: said.Kind, Remote: e.printable(said.Remote),
		Standing: string(v.Standing),
		By:       e.printable(v.By), Key: e.printable(v.Key), Tagger: e.printable(said.Tagger),
		Store: e.printable(said.Store),
		Why:   e.printable(v.Why), Change: e.printable(team.change(said)), Withheld: e.printable(said.Policy),
		Asked:  e.printable(said.Unasked),
		Claims: e.printable(said.Claims), Endorsed: said.Endorsed, Endorsers: []endorsement{},
		Fails: e.printable(said.Fails),
	}
	for _, x := range said.Endorsers {
		t.Endorsers = append(t.Endorsers, endorsement{
			Ref: e.printable(x.Ref), Standing: string(x.Verdict.Standing), By: e.printable(x.Verdict.By),
			Key: e.printable(x.Verdict.Key), Why: e.printable(x.Verdict.Why),
		})
	}
	return t
}

// String writes a testimony for a person.
func (t testimony) String() string {
	var b strings.Builder
	line := func(label, text string) {
		if text != "" {
			fmt.Fprintf(&b, "    %-10s %s\n", label+":", text)
		}
	}
	fmt.Fprintf(&b, "%s  %-8s %s", t.ID, t.Standing, t.Kind)
	if t.Remote != "" {
		fmt.Fprintf(&b, " of remote %s", t.Remote)
	}
	b.WriteByte('\n')
	line("by", t.By)
	line("key", t.Key)
	line("why", t.Why)
	for _, x := range t.Endorsers {
		line("later", strings.TrimSpace(x.Standing+" "+x.By)+": "+x.Why)
	}
	t.sessions(line)
	line("to change", t.Change)
	return b.String()
}

// sessions writes what sessions get to see, and why, where that was not said yet.
func (t testimony) sessions(line func(label, text string)) {
	why := func(text string) string {
		if text == t.Why {
			return ""
		}
		return ": " + strings.TrimSuffix(text, ": "+t.Why)
	}
	switch {
	case t.Withheld != "":
		line("sessions", "never read it"+why(t.Withheld))
	case t.Asked != "":
		text := "read it only when somebody asks, labelled UNVERIFIED"
		if sign.Standing(t.Standing).Vouched() || !strings.HasSuffix(t.Asked, t.Why) {
			text += why(t.Asked)
		}
		line("sessions", text)
	case t.Claims != "":
		line("sessions", "are shown it, labelled: ltm.trust is remote, and somebody of the name "+t.Claims+
			" has committed to the default branch")
	}
	if t.Fails != t.Withheld {
		line("fails", t.Fails)
	}
}
