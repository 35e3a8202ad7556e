package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
)

type trustAddOptions struct {
	as                string
	team, yes, dryRun bool
}

func (o *trustAddOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&o.team, "team", false, "write the team's list in .ltm of the work tree, to be committed")
	f.BoolVarP(&o.yes, "yes", "y", false, "write what is shown without asking")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "only show it")
}

func (o *trustAddOptions) which() trust.Which {
	if o.team {
		return trust.Team
	}
	return trust.Own
}

func newTrustAdd(e *env) *cobra.Command {
	var o trustAddOptions
	cmd := &cobra.Command{
		Use:   "add ID|FILE",
		Short: "Let a key count",
		Long: "Add lets the key count that signed the record ID, or the keys in FILE: a public key of SSH, a file of allowed signers,\n" +
			"or OpenPGP keys in armor. It shows the line, asks, and writes your own list; with --team that of the work tree, which\n" +
			"counts for others once it is on the protected branch and they have accepted it.\n\n" +
			"A signature is good for one store. Where this clone knows none yet and all signatures here name the same one, that of the\n" +
			"record ID is shown and taken with the same answer, into ltm.store of this clone; else the command that takes it is printed.\n\n" +
			"A record does not say who holds a key: ask them for the fingerprint.\n\n" + exitCodes,
		Example: "  git ltm trust add 01JDMB4W --as alice@example.com\n  git ltm trust add " +
			"~/.ssh/id_ed25519.pub --as ada@example.com --team",
		Args: arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			before := e.shownToAgents(cmd.Context(), o)
			err := e.use(cmd.Context(), func(m *memory.Memory) error {
				return e.trustAdd(cmd.Context(), m, &o, args[0])
			})
			if n := before - e.shownToAgents(cmd.Context(), o); err == nil && n > 0 {
				e.say("hint", fmt.Sprintf("agents are not shown %s any more that stood unsigned in the "+
					"name of a key's holder: "+
					"'git ltm verify' lists them, and their author signs them with 'git ltm sign ID'",
					counted(n, "record")))
			}
			return err
		},
	}
	cmd.Flags().StringVar(&o.as, "as", "",
		"name the holder of an SSH key `PRINCIPAL` (default: the address in the signature, or the comment "+
			"of the file)")
	o.flags(cmd)
	return cmd
}

// shownToAgents counts the records that agents are shown automatically, and says nothing else; 0 where it is
// not known.
func (e *env) shownToAgents(ctx context.Context, o trustAddOptions) int {
	if o.dryRun || o.team {
		return 0
	}
	quiet, shown := *e, 0
	quiet.stderr = io.Discard
	err := quiet.ask(ctx, func(_ *memory.Memory, r *recall.Recall) error {
		heard, err := r.Heard(ctx, replay.Unasked)
		shown = heard.Told
		return err
	})
	if err != nil {
		return 0
	}
	return shown
}

func newTrustRevoke(e *env) *cobra.Command {
	var o trustAddOptions
	cmd := &cobra.Command{
		Use:   "revoke FINGERPRINT|ID",
		Short: "Let a key count no longer, whatever it signed and when",
		Long: "Revoke takes a key back: by its fingerprint, or the one that signed the record ID. Records that it signed never reach a\n" +
			"session again. It writes your own list, or with --team that of the work tree.\n\n" + exitCodes,
		Args: arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.use(cmd.Context(), func(m *memory.Memory) error {
				return e.trustRevoke(cmd.Context(), m, &o, args[0])
			})
		},
	}
	o.flags(cmd)
	return cmd
}

func (e *env) trustAdd(ctx context.Context, m *memory.Memory, o *trustAddOptions, what string) error {
	t, err := m.Judge().Trust(ctx)
	if err != nil {
		return err
	}
	edit, store, err := e.addition(ctx, m, t, o, what)
	if err != nil {
		return err
	}
	if o.team {
		if err := e.write(o, edit); err != nil {
			return err
		}
		return e.addStore(ctx, m, t, o)
	}
	return e.addOwn(ctx, m, t, o, edit, store)
}

// addStore lets the team's list name the store too: without it a signature of one clone is foreign in
// another.
func (e *env) addStore(ctx context.Context, m *memory.Memory, t *trust.Trust, o *trustAddOptions) error {
	if t.TeamHasStore() || o.dryRun {
		return nil
	}
	id, err := m.Signer().StoreID(ctx)
	if err != nil {
		return err
	}
	edit, err := t.AddStore(id)
	if err != nil {
		return err
	}
	return e.write(o, edit)
}

// addition proposes the keys that a word names, and says for which store a record was signed that it names.
// What is a whole id, or stands for the newest packet, names a record: a file of that name, which a branch
// may have brought, is written with a slash. A shorter word that could be both is refused.
func (e *env) addition(ctx context.Context, m *memory.Memory, t *trust.Trust, o *trustAddOptions,
	what string,
) (edit trust.Edit, store string, err error) {
	if _, err := packet.ParseID(strings.ToUpper(what)); err == nil || strings.HasPrefix(what, "@") {
		return e.signerOf(ctx, m, t, o, what)
	}
	data, err := readKeys(e.path(what))
	if errors.Is(err, fs.ErrNotExist) {
		return e.signerOf(ctx, m, t, o, what)
	}
	if err != nil {
		return trust.Edit{}, "", err
	}
	if !strings.ContainsAny(what, `/\`) {
		if _, err := m.Audit().SignedWith(ctx, what); !errors.Is(err, replay.ErrNotFound) {
			return trust.Edit{}, "",
				usagef("%q is a file and names a record: write ./%s, or the whole id", reply.Word(what),
					reply.Word(what))
		}
	}
	edit, err = keysIn(t, o, data)
	if err == nil && clean.Count(string(edit.Add)) > 0 {
		err = errors.New("the file holds characters that cannot be seen, so nobody can tell what it would add")
	}
	return edit, "", err
}

// maxKeys bounds a file of keys, in bytes.
const maxKeys = 1 << 20

// readKeys reads a file of keys, which may be a pipe.
func readKeys(path string) (data []byte, err error) {
	file, err := os.Open(path)
	if err == nil {
		data, err = local.ReadAll(file, maxKeys)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("read keys: %w", err)
	}
	return data, nil
}

// signerOf proposes the key that signed a record, and says for which store it did.
func (e *env) signerOf(ctx context.Context, m *memory.Memory, t *trust.Trust, o *trustAddOptions,
	spec string,
) (edit trust.Edit, store string, err error) {
	tag, err := m.Audit().SignedWith(ctx, spec)
	if err == nil {
		edit, err = e.signerIn(t, o, spec, tag)
	}
	return edit, tag.Store, err
}

// signerIn proposes the key that made a signature.
func (e *env) signerIn(t *trust.Trust, o *trustAddOptions, spec string, tag sign.Tag) (trust.Edit, error) {
	if v, err := new(sign.Trust).Verify(tag, e.now()); v.Standing == sign.Bad {
		return trust.Edit{},
			errors.Join(fmt.Errorf("record %s: its signature is bad, so it names nobody: %s",
				reply.Word(spec), v.Why), err)
	}
	_, line, ok := tag.PublicKey()
	if !ok {
		return trust.Edit{},
			fmt.Errorf("the signature holds no key, only its name %s: import it with gpg, or give a FILE with it", e.printable(strings.Join(tag.Issuers(), " ")))
	}
	principal := o.as
	if principal == "" {
		_, rest, _ := strings.Cut(tag.Tagger, "<")
		mail, _, _ := strings.Cut(rest, ">")
		principal = mail
		e.say("hint", "the signature calls its maker "+e.printable(tag.Tagger)+
			", which nobody checked; --as names somebody else")
		if strings.ContainsFunc(principal, beyondASCII) {
			return trust.Edit{},
				usagef("the address in the signature has letters that can look like others; name the " +
					"holder with --as")
		}
	}
	if _, authority, certified := tag.Authority(); certified {
		e.say("hint", "it was signed with a certificate, so its authority is let say who "+principal+
			" is; certificates for others do not count")
		return t.AddAuthority(o.which(), principal, authority)
	}
	return t.AddSigner(o.which(), principal, line)
}

// beyondASCII reports a letter that can look like another one.
func beyondASCII(r rune) bool { return r > '~' }

// keysIn proposes the keys of a file.
func keysIn(t *trust.Trust, o *trustAddOptions, data []byte) (trust.Edit, error) {
	text := strings.TrimSpace(string(data))
	if strings.Contains(text, "-----BEGIN PGP PUBLIC KEY BLOCK-----") {
		return t.AddKeyring(o.which(), data)
	}
	if strings.Contains(text, "PRIVATE KEY") {
		return trust.Edit{},
			errors.New("this file holds a private key; give the public one, in .pub beside it")
	}
	if kind, _, _ := strings.Cut(text, " "); strings.Contains(kind, "-cert-") && isKeyType(kind) {
		return trust.Edit{},
			errors.New("this file holds a certificate; give the public key in it, or a line of allowed " +
				"signers with cert-authority for the key of its authority")
	}
	if fields := strings.Fields(text); len(fields) >= 2 && !strings.Contains(text, "\n") &&
		isKeyType(fields[0]) {
		principal := o.as
		if principal == "" && len(fields) > 2 {
			principal = fields[2]
		}
		return t.AddSigner(o.which(), principal, strings.Join(fields[:2], " "))
	}
	return t.AddSigners(o.which(), data)
}

// isKeyType tells the first word of a public key of SSH.
func isKeyType(word string) bool {
	return strings.HasPrefix(word, "ssh-") || strings.HasPrefix(word, "ecdsa-sha2-") ||
		strings.HasPrefix(word, "sk-")
}

func (e *env) trustRevoke(ctx context.Context, m *memory.Memory, o *trustAddOptions, what string) error {
	t, err := m.Judge().Trust(ctx)
	if err != nil {
		return err
	}
	edit, err := t.AddRevocation(o.which(), what)
	if err != nil {
		edit, err = e.revocationOf(ctx, m, t, o, what)
	}
	if err != nil {
		return err
	}
	return e.write(o, edit)
}

// revocationOf proposes to take back the key that signed a record.
func (e *env) revocationOf(ctx context.Context, m *memory.Memory, t *trust.Trust, o *trustAddOptions,
	spec string,
) (trust.Edit, error) {
	tag, err := m.Audit().SignedWith(ctx, spec)
	if err != nil {
		return trust.Edit{}, err
	}
	return t.AddRevocation(o.which(), tag.Key())
}

// shown is an edit for a person: of OpenPGP keys what they are, since their armor says nothing to anybody,
// else its lines.
func shown(edit trust.Edit) []string {
	ring, err := sign.ParseKeyring(edit.Add)
	if keys := ring.Keys(); err == nil && len(keys) > 0 {
		lines := make([]string, 0, len(keys))
		for _, k := range keys {
			lines = append(lines, k.Fingerprint+"  "+k.UserID)
		}
		return lines
	}
	return strings.Split(strings.TrimSuffix(string(edit.Add), "\n"), "\n")
}

// showEdit prints what will be written.
func (e *env) showEdit(edit trust.Edit) error {
	for _, line := range shown(edit) {
		if _, err := fmt.Fprintln(e.stdout, e.printable(line)); err != nil {
			return err
		}
	}
	return nil
}

// write shows what will be written, and writes it when somebody says so.
func (e *env) write(o *trustAddOptions, edit trust.Edit) error {
	if err := e.showEdit(edit); err != nil {
		return err
	}
	if edit.Known() {
		e.say("hint", edit.File+" holds it already")
		return nil
	}
	if o.dryRun {
		e.say("hint", "this was a dry run; it would be added to "+edit.File)
		return nil
	}
	if !o.yes {
		if ok, err := e.agreed("Add it to " + e.printable(edit.File) + "?"); err != nil || !ok {
			return err
		}
	}
	if err := edit.Write(); err != nil {
		return err
	}
	e.say("hint", "added to "+edit.File)
	if o.team {
		e.say("hint", "it counts once it is committed to the protected branch, pushed, fetched, and "+
			"accepted in each clone with 'git ltm trust init', and later with 'git ltm trust update'")
	}
	return nil
}
