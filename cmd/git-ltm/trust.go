package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/audit"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
)

func newTrust(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "trust",
		Short: "Choose whose records agents are shown",
		Long: "Your own key counts, which user.signingKey names. Three lists say whose else do, and one of them is enough:\n\n" +
			"  your git configuration  gpg.ssh.allowedSignersFile, gpg.ssh.revocationFile, and the keys that gpg is sure of\n" +
			"  your own list           allowed_signers, keyring and revoked in ltm of your configuration folder\n" +
			"  the team's list         the same files in .ltm of a protected branch, and the id of the store\n\n" +
			"A key that one of them takes back counts nowhere. The team's list is read from one commit that you have accepted with\n" +
			"'git ltm trust init', never from the work tree, so that nobody lets a key in by pushing a branch.\n\n" + exitCodes,
		Args: noCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTrustInit(e), newTrustUpdate(e), newTrustAdd(e), newTrustRevoke(e), newTrustList(e),
		newTrustWhy(e), newTrustAccept(e),
		newTrustRefuse(e), newTrustMute(e), newTrustUnmute(e))
	return cmd
}

type trustListOptions struct{ json bool }

func newTrustList(e *env) *cobra.Command {
	var o trustListOptions
	cmd := &cobra.Command{
		Use:   "ls",
		Short: "List the trusted keys, and the lists that name them",
		Long: "Ls lists the keys of every list but those that only gpg holds, which 'gpg --list-keys' shows; gpg trusts a key of\n" +
			"the level of ltm.minTrustLevel, else gpg.minTrustLevel, else marginal.\n\n" + exitCodes,
		Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return e.trustList(cmd.Context(), o) },
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "print a JSON object")
	return cmd
}

// trustState is the JSON shape of what counts.
type trustState struct {
	Stores []string `json:"stores"`
	// the stores that records here are signed for, where this clone knows none
	Signed []string    `json:"signed_for"`
	Lists  []trustList `json:"lists"`
	// the remote whose unsigned records agents are shown, under ltm.trust = remote; else empty
	Remote string   `json:"believed"`
	Names  []string `json:"names"` // the authors for whom that holds
	Muted  []string `json:"muted"`
	Other  []string `json:"warnings"`
}

type trustList struct {
	Name  string     `json:"name"`
	Place string     `json:"place"`
	Keys  []trustKey `json:"keys"`
}

type trustKey struct {
	For         string `json:"for"`
	Fingerprint string `json:"fingerprint"`
	Detail      string `json:"detail"`
	Revoked     string `json:"revoked_by,omitempty"`
}

func (e *env) trustList(ctx context.Context, o trustListOptions) error {
	return e.use(ctx, func(m *memory.Memory) error {
		t, err := m.Judge().Trust(ctx)
		if err != nil {
			return err
		}
		s := e.trustState(t)
		if s.Muted, err = e.mutedNames(m); err != nil {
			return err
		}
		if s.Remote, s.Names, err = m.Believed(ctx); err != nil {
			return err
		}
		s.Remote, s.Names = e.printable(s.Remote), e.listed(s.Names)
		if len(s.Stores) == 0 {
			stores, err := m.Signer().SignedStores(ctx)
			if err != nil {
				return err
			}
			s.Signed = e.listed(stores)
		}
		if o.json {
			return e.printJSON(s)
		}
		_, err = fmt.Fprint(e.stdout, s.String())
		for _, w := range s.Other {
			e.warnf("%s", w)
		}
		return err
	})
}

func (e *env) trustState(t *trust.Trust) trustState {
	s := trustState{Stores: []string{}, Signed: []string{}, Lists: []trustList{}, Other: []string{}}
	s.Stores = append(s.Stores, t.Stores()...)
	for _, w := range t.Warnings() {
		s.Other = append(s.Other, e.printable(w))
	}
	for _, l := range t.Lists() {
		list := trustList{Name: l.Name, Place: e.printable(l.Place), Keys: []trustKey{}}
		for _, k := range l.Keys() {
			list.Keys = append(list.Keys, trustKey{
				For: e.printable(k.Principals), Fingerprint: k.Fingerprint, Detail: e.printable(k.Detail),
				Revoked: t.RevokedBy(k.Fingerprint),
			})
		}
		s.Lists = append(s.Lists, list)
	}
	return s
}

// String writes what counts for a person.
func (s trustState) String() string {
	var b strings.Builder
	for _, l := range s.Lists {
		fmt.Fprintf(&b, "%s (%s):\n", l.Name, l.Place)
		if len(l.Keys) == 0 {
			b.WriteString("  no key\n")
		}
		for _, k := range l.Keys {
			fmt.Fprintf(&b, "  %s  %s  %s", k.Fingerprint, k.For, k.Detail)
			if k.Revoked != "" {
				fmt.Fprintf(&b, "  TAKEN BACK by %s", k.Revoked)
			}
			b.WriteByte('\n')
		}
	}
	if s.Remote != "" {
		fmt.Fprintf(&b, "%s (ltm.trust is remote): agents are shown what it delivers unsigned, labelled, in the name of\n", s.Remote)
		for _, name := range s.Names {
			fmt.Fprintf(&b, "  %s\n", name)
		}
		if len(s.Names) == 0 {
			b.WriteString("  nobody, since nobody is known to have committed to its default branch: " +
				learning + "\n")
		}
	}
	for _, name := range s.Muted {
		fmt.Fprintf(&b, "muted: %s\n", name)
	}
	switch {
	case len(s.Stores)+len(s.Signed) == 0:
		b.WriteString("store: no id yet; the first signature makes one\n")
	case len(s.Stores) == 0:
		fmt.Fprintf(&b, "store: none is accepted here; records here are signed for %s: git ltm verify\n",
			strings.Join(s.Signed, ", "))
	default:
		fmt.Fprintf(&b, "store: %s\n", strings.Join(s.Stores, " "))
	}
	return b.String()
}

func newTrustWhy(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "why ID",
		Short: "Say why a record is or is not trusted",
		Long:  "Why prints what 'git ltm verify ID' prints, and each list that was asked. It ends with 0 whatever the answer is.\n\n" + exitCodes,
		Args:  arguments(cobra.ExactArgs(1)),
		RunE:  func(cmd *cobra.Command, args []string) error { return e.trustWhy(cmd.Context(), args[0]) },
	}
}

func (e *env) trustWhy(ctx context.Context, spec string) error {
	return e.use(ctx, func(m *memory.Memory) error {
		t, err := m.Judge().Trust(ctx)
		if err != nil {
			return err
		}
		team := e.pending(ctx, m)
		for said, err := range m.Audit().Testify(ctx, audit.TestifyQuery{Specs: []string{spec}}) {
			if err != nil {
				return err
			}
			if _, err := fmt.Fprint(e.stdout, e.testimonyJSON(said, team).String()); err != nil {
				return err
			}
			for _, line := range e.asked(t, said) {
				if _, err := fmt.Fprintln(e.stdout, line); err != nil {
					return err
				}
			}
		}
		team.tell(e)
		return nil
	})
}

// asked says what each list has to say of the key of a record.
func (e *env) asked(t *trust.Trust, said audit.Testimony) []string {
	if said.Verdict.Key == "" {
		return nil
	}
	lines := []string{}
	if said.Tagger != "" {
		name, _, _ := strings.Cut(said.Tagger, ">")
		lines = append(lines,
			"    signed as: "+e.printable(name+">")+" (the signature says so; nobody checks the name)")
	}
	for _, l := range t.Lists() {
		lines = append(lines, "    "+l.Name+" "+e.printable(answer(l, said.Verdict)))
	}
	return lines
}

// answer says what a list has to say of a key.
func answer(l *trust.List, v sign.Verdict) string {
	if l.Revoked.Holds(v.Key) {
		return "takes the key back"
	}
	for _, k := range l.Keys() {
		if k.Fingerprint == v.Key {
			return "names the key for " + k.Principals + " (" + k.Detail + ")"
		}
	}
	if l.Name == trust.GitList && !strings.HasPrefix(v.Key, "SHA256:") {
		return "does not name the key itself; of OpenPGP and x509 keys gpg and gpgsm answer"
	}
	return "does not name the key"
}

func newTrustAccept(e *env) *cobra.Command {
	var waiting bool
	cmd := &cobra.Command{
		Use:   "accept {ID... | --waiting [NAME]}",
		Short: "Take records as they are now for what was seen here",
		Long: "This clone remembers each record that it saw. One that is another now, or lost its signature, is bad, and one that is\n" +
			"gone is reported by 'git ltm verify'. Accept ends that for records of which you know what happened.\n\n" +
			"--waiting lets the events take effect, of all or of the author NAME, that wait because they came unsigned and would hide, end or\n" +
			"bring back more than ten records that are not their author's in a day.\n\n" + exitCodes,
		Example: "  git ltm trust accept 01JDMB4W1YNJZQR7K8F3A2H5P9\n  git ltm trust accept --waiting\n  " +
			"git ltm trust accept --waiting 'Bob Builder'",
		Args: arguments(cobra.ArbitraryArgs),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case !waiting && len(args) == 0:
				return usagef("name records, or give --waiting")
			case waiting && len(args) > 1:
				return usagef("--waiting takes one name")
			case waiting:
				return e.answerWaiting(cmd.Context(), replay.Let, strings.Join(args, ""))
			}
			return e.trustAccept(cmd.Context(), args)
		},
	}
	cmd.Flags().BoolVar(&waiting, "waiting", false, "the events that wait")
	return cmd
}

func newTrustRefuse(e *env) *cobra.Command {
	var waiting bool
	cmd := &cobra.Command{
		Use:   "refuse {NAME | --waiting [NAME]}",
		Short: "Take back what came unsigned in a name",
		Long: "Refuse takes back what unsigned events that state the author NAME hid, ended or brought back here and that still holds, also what\n" +
			"you were shown or let through, however many they are, and drops those that wait. With --waiting it only drops what waits, of that author or of all: it never has an\n" +
			"effect in this clone.\n\n" + exitCodes,
		Example: "  git ltm trust refuse 'Bob Builder'\n  git ltm trust refuse --waiting",
		Args:    arguments(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := strings.TrimSpace(strings.Join(args, ""))
			switch {
			case waiting:
				return e.answerWaiting(cmd.Context(), replay.Refuse, name)
			case name == "":
				return usagef("name the author, or give --waiting")
			}
			return errors.Join(e.takeBack(cmd.Context(), name),
				e.answerWaiting(cmd.Context(), replay.Refuse, name))
		},
	}
	cmd.Flags().BoolVar(&waiting, "waiting", false, "only the events that wait")
	return cmd
}

// answerWaiting lets the events take effect that wait, or drops them; of one author where one is named.
func (e *env) answerWaiting(ctx context.Context, answer replay.Answer, name string) error {
	return e.use(ctx, func(m *memory.Memory) error {
		n, err := m.AnswerWaiting(ctx, answer, name)
		if err != nil {
			return err
		}
		what := "%s let through\n"
		if answer == replay.Refuse {
			what = "%s dropped\n"
		}
		_, err = fmt.Fprintf(e.stdout, what, counted(n, "event"))
		return err
	})
}

// mostTakenBack is how many events one event takes back.
const mostTakenBack = 50

// takeBack takes back what unsigned events of an author did here.
func (e *env) takeBack(ctx context.Context, name string) error {
	return e.use(ctx, func(m *memory.Memory) error {
		all, err := m.InEffect(ctx, name)
		if err != nil {
			return err
		}
		events := make([]string, len(all))
		for i, id := range all {
			events[i] = string(id)
		}
		for some := range slices.Chunk(events, mostTakenBack) {
			if _, err := e.happen(ctx, m, gate.Happen{Event: replay.UndoEvent, Targets: some}); err != nil {
				return err
			}
		}
		m.Forget()
		// Of the last moment there is, so that no event stands behind them.
		left, err := m.InEffect(ctx, name)
		if err == nil {
			err = m.Refuse(left)
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(e.stdout, "%s taken back\n", counted(len(events), "event"))
		return err
	})
}

// trustAccept takes records for what was seen.
func (e *env) trustAccept(ctx context.Context, specs []string) error {
	return e.use(ctx, func(m *memory.Memory) error {
		names, err := m.Audit().Accept(ctx, specs)
		for _, name := range names {
			if _, err := fmt.Fprintln(e.stdout, name); err != nil {
				return err
			}
		}
		return err
	})
}
