package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
)

type recallOptions struct {
	filterFlags

	whyNot  string
	explain bool
}

func newRecall(e *env) *cobra.Command {
	var o recallOptions
	cmd := &cobra.Command{
		Use:   "recall QUERY...",
		Short: "Search the memory by words, path or action",
		Long: "Recall searches every item of every record: each decision, attempt, method, constraint and question of a packet, each\n" +
			"note and each skip. It knows words in any form and order, and the parts of identifiers such as getUserName. Other words\n" +
			"for the same thing, behind --also, find what is written down in other words.\n\n" +
			"What meets the words best comes first, and the rarer a word is, the more it counts. Age, confidence, impact and use\n" +
			"decide among answers that meet them as well. What may have met the words by chance is marked weak; where there is\n" +
			"nothing else, a few of those are shown. Where nothing meets them, it says that nothing is known, and exits with 7.\n\n" +
			"What was retracted, superseded, purged, or has expired is no answer: --why-not ID says why a record is not one.",
		Example: "  git ltm recall connection pool timeout\n  git ltm recall ERR_SOCKET_CLOSED --kind attempt --explain\n" +
			"  git ltm recall retry policy --also backoff --also 'tries again'\n  git ltm recall retry " +
			"policy --why-not 3A2H5P9",
		RunE: func(cmd *cobra.Command, args []string) error { return runRecall(e, cmd, o, args) },
	}
	f := cmd.Flags()
	o.register(f, "of this `KIND`: decision, attempt, method, constraint, question, pitfall, ..., packet, "+
		"note or skip")
	f.StringArrayVar(&o.Also, "also", nil,
		"other `WORDS` for the same thing, which count less; can be given again")
	f.IntVarP(&o.Limit, "limit", "n", 10, "at most `N` answers")
	f.IntVar(&o.Budget, "budget", 0, "at most `N` characters; 0 is no bound")
	f.BoolVar(&o.explain, "explain", false, "say what each score is made of")
	f.StringVar(&o.whyNot, "why-not", "", "say why the record `ID` is not among the answers")
	f.BoolVar(&o.Trusted, "trusted", false, "only what this clone made or a trusted key signed")
	e.agentFlag(f)
	return cmd
}

// outOfBounds says which bounds of an answer are none.
func (o recallOptions) outOfBounds() (problems []error) {
	if o.Limit < 1 {
		problems = append(problems, errors.New("--limit takes a number above 0"))
	}
	if o.Budget < 0 {
		problems = append(problems, errors.New("--budget takes a number of characters, 0 for no bound"))
	}
	return problems
}

// onlyTrusted says that nothing is wanted that nobody here vouches for.
type onlyTrusted bool

// reading is why records are read.
func (o onlyTrusted) reading() replay.Reading {
	if o {
		return replay.Strictly
	}
	return replay.Asked
}

func runRecall(e *env, cmd *cobra.Command, o recallOptions, args []string) error {
	ctx := cmd.Context()
	o.Query = strings.Join(args, " ")
	q, err := o.Words(e.now())
	if err := usage(append(wrongInput(cmd.Flags(), err), o.outOfBounds()...)); err != nil {
		return err
	}
	return e.ask(ctx, func(m *memory.Memory, r *recall.Recall) error {
		if q.Path != "" {
			q.Path = m.Repo().PathIn(q.Path)
		}
		if o.whyNot != "" {
			return explainMisses(ctx, e, m, r, q, o.whyNot)
		}
		answer, err := r.Find(ctx, q)
		if err != nil {
			return err
		}
		if err := printAnswer(ctx, e, m, r, answer, o); err != nil {
			return err
		}
		if len(answer.Found) == 0 {
			if o.Trusted {
				tellUntrusted(ctx, e, r)
			}
			hintLeftOut(e, answer, "meets the words")
			return fmt.Errorf("nothing known about that: %w", replay.ErrNotFound)
		}
		return nil
	})
}

// ask opens the memory and makes it ready for questions.
func (e *env) ask(ctx context.Context, do func(*memory.Memory, *recall.Recall) error) error {
	return e.use(ctx, func(m *memory.Memory) (err error) {
		r, err := recall.Open(ctx, m, recall.Options{Now: e.now})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, r.Close()) }()
		if err = do(m, r); r.Slow() != "" {
			e.warnf("there is no index to keep, so that every record was read: %s", r.Slow())
		}
		return err
	})
}

func printAnswer(ctx context.Context, e *env, m *memory.Memory, r *recall.Recall, answer recall.Answer,
	o recallOptions,
) error {
	told := r.Tell(answer, replay.Asked)
	var err error
	if told.Nonce, err = briefing.Nonce(e.entropy); err != nil {
		return err
	}
	told.Budget, told.Explain = o.Budget, o.explain
	if e.asJSON {
		data, err := told.JSON()
		if err == nil {
			_, err = e.stdout.Write(data)
		}
		return err
	}
	if len(told.Known) == 0 {
		return nil
	}
	if e.forPerson() {
		p := e.sheet(ctx, m)
		told.Person(p)
		return e.showPage(ctx, p)
	}
	text := told.Markdown()
	if text == "" {
		e.hintf("nothing of the %d answers fits into %d characters; --budget allows more",
			len(told.Known), o.Budget)
	}
	_, err = io.WriteString(e.stdout, text)
	return err
}

// hintLeftOut says of the first records that a gate kept out what they nearly did, and why they are no answer.
func hintLeftOut(e *env, answer recall.Answer, nearly string) {
	const most = 3
	for _, out := range answer.Out[:min(len(answer.Out), most)] {
		e.hintf("%s %s and is no answer: %s", out.Hit.ID, nearly, out.Why)
	}
}

// explainMisses says of each item of a record what keeps it from the answers.
func explainMisses(ctx context.Context, e *env, m *memory.Memory, r *recall.Recall, q recall.Query,
	spec string,
) error {
	entry, of, err := m.FindAnyWide(ctx, spec)
	if err != nil {
		return err
	}
	e.fromUser(m, of, entry)
	reasons, err := r.WhyNot(ctx, q, entry.ID)
	if err != nil {
		return err
	}
	for _, reason := range reasons {
		place := string(entry.ID)
		if reason.Place != "" {
			place += " " + reason.Place
		}
		e.printf("%s: %s\n", place, e.printable(reason.Why))
	}
	return nil
}

func newWhy(e *env) *cobra.Command {
	var o recallOptions
	cmd := &cobra.Command{
		Use:   "why PATH[:LINE[-LINE]]",
		Short: "Tell the reasons behind a file or some of its lines",
		Long: "Why finds what was written down about a file, and says of each answer how it was found. First comes what cites the very\n" +
			"lines, wherever they stand now; then what cites the file, names it, or names a folder above it; then what was written\n" +
			"down at the commits that last changed the lines, as git blame tells, or the file, and just before them. Older names of a\n" +
			"file count as well.\n\n" +
			"The path counts from the current directory, and its lines are those of the work tree, or of HEAD in a bare repository.\n" +
			"Where nothing is known, it says so and exits with 7. What was retracted, superseded, purged, or has expired is no answer.",
		Example: "  git ltm why src/pool.go:42\n  git ltm why src/pool.go:40-60 --json\n  git ltm why -- -odd-name",
		RunE:    func(cmd *cobra.Command, args []string) error { return runWhy(cmd.Context(), e, o, args[0]) },
	}
	f := cmd.Flags()
	f.IntVarP(&o.Limit, "limit", "n", 10, "at most `N` answers")
	f.IntVar(&o.Budget, "budget", 0, "at most `N` characters; 0 is no bound")
	f.BoolVar(&o.explain, "explain", false, "say what each score is made of")
	f.BoolVar(&o.Trusted, "trusted", false, "only what this clone made or a trusted key signed")
	e.agentFlag(f)
	return cmd
}

func runWhy(ctx context.Context, e *env, o recallOptions, spec string) error {
	if err := usage(o.outOfBounds()); err != nil {
		return err
	}
	return e.ask(ctx, func(m *memory.Memory, r *recall.Recall) error {
		o.Path = filepath.ToSlash(spec)
		answer, err := o.Find(ctx, m, r, e.now())
		if wrong := wrongInput(pflag.NewFlagSet("", pflag.ContinueOnError), err); wrong != nil {
			return usage(wrong)
		}
		if err != nil {
			return err
		}
		if err := printAnswer(ctx, e, m, r, answer, o); err != nil {
			return err
		}
		if len(answer.Found) == 0 {
			hintLeftOut(e, answer, "is about it")
			return fmt.Errorf("nothing known about %q: %w", e.printable(spec), replay.ErrNotFound)
		}
		return nil
	})
}
