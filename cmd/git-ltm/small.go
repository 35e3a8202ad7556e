package main

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/signing"
)

// smallFlags say how small records are stored.
type smallFlags struct {
	answerFlags
	private, sign, noSign, dryRun, json bool

	reach replay.Reach // what private says, as problems settles it
}

func (s *smallFlags) flags(f *pflag.FlagSet) {
	f.BoolVar(&s.private, "private", false, "keep it in this clone: it is never sent")
	s.answerFlags.flags(f, "allow-why")
	f.BoolVarP(&s.sign, "sign", "S", false,
		"sign it with your key, or store nothing (default: ltm.sign, else commit.gpgSign)")
	f.BoolVar(&s.noSign, "no-sign", false, "do not sign it")
	f.BoolVarP(&s.dryRun, "dry-run", "n", false, "do everything but store it")
	f.BoolVar(&s.json, "json", false, "print JSON")
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

// stored is what a save stored, and for a person what takes it back.
type stored struct {
	reply.Saved
	Undo string `json:"undo,omitempty"`
}

// acknowledge prints the id of a record that was stored, and then the advice. Of a rehearsal the advice comes
// first.
func (e *env) acknowledge(ctx context.Context, m *memory.Memory, r gate.Receipt, dry rehearsal,
	asJSON bool,
) error {
	saved := reply.SavedOf(r, dry)
	if dry {
		saved = saved.With(e.rules, e.tellDuplicates(ctx, m, dry, r)[0])
		e.adviseDraft(r)
		e.say("hint", "this was a dry run, nothing was stored")
	}
	var err error
	var undoable []packet.ID
	if !bool(dry) && !r.Known {
		undoable = append(undoable, r.ID)
	}
	if asJSON {
		err = e.printJSON(stored{saved, e.undoOf(undoable...)})
	} else {
		_, err = fmt.Fprintln(e.stdout, r.ID)
	}
	if err != nil && !bool(dry) {
		return fmt.Errorf("record %s is stored, and its id cannot be printed: %w", r.ID, err)
	}
	if !dry {
		e.hintUndo(undoable...)
		e.adviseStored(r)
		e.tellDuplicates(ctx, m, dry, r)
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
