package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/git-ltm/git-ltm/internal/accept"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/foreign"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// imported is what an import did. It is the shape of --json.
type imported struct {
	DryRun   bool           `json:"dry_run"`
	Sources  int            `json:"sources"`
	Added    int            `json:"added"`
	Known    int            `json:"known"`
	Beside   int            `json:"conflicts"`
	Purged   int            `json:"purged"`
	Refused  int            `json:"refused"`
	Invalid  int            `json:"invalid"` // parts that could not be read
	Removed  []string       `json:"removed"`
	Records  []importedOne  `json:"records"`
	Problems []importedPart `json:"problems"`
	Remarks  []remark       `json:"notes"`

	secrets int
}

// importedOne is what became of one record.
type importedOne struct {
	Fate    string      `json:"fate"` // added, known, conflict, purged or refused
	Kind    packet.Kind `json:"kind"`
	ID      packet.ID   `json:"id"`
	Source  string      `json:"source"`
	Private bool        `json:"private"`
	Signed  bool        `json:"signed"`
	Why     []string    `json:"why"` // it is refused
	Notes   []string    `json:"notes"`

	text string
}

// importedPart is a part of a source that was not read.
type importedPart struct {
	Place string `json:"source"`
	Text  string `json:"text"`
	Left  bool   `json:"left_out"` // on purpose
}

// fateWords are the words for what becomes of a record.
func fateWord(f accept.Fate) string {
	switch f {
	case accept.Added:
		return "added"
	case accept.Present:
		return "known"
	case accept.Beside:
		return "conflict"
	case accept.Buried:
		return "purged"
	default:
		return "refused"
	}
}

// report puts together what was read and what the gate said.
func (g *gathering) report(taken accept.Takings, rehearsed bool) imported {
	told := imported{
		DryRun: rehearsed, Sources: g.read, Removed: append([]string{}, taken.Removed...),
		Records: []importedOne{}, Problems: []importedPart{}, Remarks: []remark{},
	}
	for i, t := range taken.Records {
		told.Records = append(told.Records, g.one(i, t))
		told.count(t)
	}
	for _, p := range g.problems {
		if isInvalid(p) {
			told.Invalid++
		}
		told.Problems = append(told.Problems,
			importedPart{g.env.printable(p.Place), g.env.printable(p.Text), p.Left})
	}
	for _, r := range g.remarks {
		told.Remarks = append(told.Remarks, remark{g.env.printable(r.Source), g.env.printable(r.Text)})
	}
	return told
}

func (told *imported) count(t accept.Taken) {
	switch t.Fate {
	case accept.Added:
		told.Added++
	case accept.Present:
		told.Known++
	case accept.Beside:
		told.Beside++
	case accept.Buried:
		told.Purged++
	default:
		told.Refused++
	}
	if isA[*replay.SecretError](t.Err) {
		told.secrets++
	}
}

// one says what became of one record.
func (g *gathering) one(i int, t accept.Taken) importedOne {
	d := g.drafts[i]
	one := importedOne{
		Fate: fateWord(t.Fate), Kind: d.Kind, ID: t.ID, Source: g.env.printable(d.Source), Private: t.Private,
		Signed: t.Signed,
		Why:    []string{}, Notes: []string{}, text: g.gist(d),
	}
	if t.Err != nil {
		for _, text := range refusal(t.Err) {
			one.Why = append(one.Why, g.env.printable(text))
		}
	}
	for _, texts := range [][]string{g.notes[i], t.Notes} {
		for _, text := range texts {
			one.Notes = append(one.Notes, g.env.printable(text))
		}
	}
	for _, f := range t.Findings {
		one.Notes = append(one.Notes, g.env.printable(f.String()))
	}
	return one
}

// refusal says why a record is refused, one line each.
func refusal(err error) []string {
	if found := details(err); len(found) > 0 {
		return found
	}
	return []string{err.Error()}
}

// gist is the beginning of what a draft says.
func (g *gathering) gist(d foreign.Draft) string {
	rec, err := packet.Parse(d.Data, packet.Draft)
	if err != nil {
		return ""
	}
	text := ""
	if d.Kind == packet.KindEvent {
		event := rec.Event()
		text = event.Event + " " + strings.Join(event.Targets, " ")
	} else if items := rec.Content().Items; len(items) > 0 {
		text = items[0].Text
	}
	return clean.Truncate(g.env.printable(text), 60)
}

// tellTaken prints what became of records, and says whether all was well.
func (e *env) tellTaken(told imported, o importOptions) error {
	if o.asJSON {
		if err := e.printJSON(told); err != nil {
			return err
		}
		return told.err()
	}
	for _, one := range told.Records {
		if err := e.tellOne(one, o); err != nil {
			return err
		}
	}
	for _, p := range told.Problems {
		if word := "not read"; !p.Left || o.dryRun {
			if p.Left {
				word = "left out"
			}
			// There is nobody left to tell.
			_, _ = fmt.Fprintf(e.stderr, "%s: %s: %s\n", word, p.Place, p.Text)
		}
	}
	for _, r := range told.Remarks {
		if !o.dryRun && told.Added == 0 {
			break
		}
		_, _ = fmt.Fprintf(e.stderr, "%s: %s\n", r.Source, r.Text)
	}
	if err := e.tellSum(told, o); err != nil {
		return err
	}
	return told.err()
}

// tellOne prints what became of one record: in a rehearsal of each, else of those that need a look.
func (e *env) tellOne(one importedOne, o importOptions) error {
	if o.dryRun {
		word := map[string]string{"added": "would add", "conflict": "would keep beside"}[one.Fate]
		if word == "" {
			word = one.Fate
		}
		reach := ""
		if one.Private {
			reach = "(private) "
		}
		if _, err := fmt.Fprintf(e.stdout, "%s\t%s\t%s\t%s\t%s%s\n", word, one.Kind, one.ID, one.Source,
			reach, one.text); err != nil {
			return err
		}
	}
	for _, why := range one.Why {
		_, _ = fmt.Fprintf(e.stderr, "%s: %s: %s\n", one.Fate, one.Source, why)
	}
	if o.dryRun || one.Fate == "conflict" {
		for _, note := range one.Notes {
			_, _ = fmt.Fprintf(e.stderr, "%s: %s\n", one.Source, note)
		}
	}
	return nil
}

// tellSum prints the numbers.
func (e *env) tellSum(told imported, o importOptions) error {
	verb := "added"
	if told.DryRun {
		verb = "would add"
	}
	texts := []string{fmt.Sprintf("%s %d, known %d", verb, told.Added, told.Known)}
	for _, more := range []struct {
		n    int
		text string
	}{
		{told.Beside, "kept beside another of the same id %d"},
		{told.Purged, "purged before %d"},
		{told.Refused, "refused %d"},
		{told.Invalid, "not read %d"},
		{len(told.Removed), "removed here, as purged: %d"},
	} {
		if more.n > 0 {
			texts = append(texts, fmt.Sprintf(more.text, more.n))
		}
	}
	text := strings.Join(texts, ", ")
	if told.Known > 0 && told.Known+told.Purged == len(told.Records) {
		text += ": nothing is new"
	}
	if _, err := fmt.Fprintln(e.stdout, text); err != nil {
		return err
	}
	if !o.dryRun {
		e.hintImport(told, o)
	}
	return nil
}

// hintImport says what a rehearsal would have shown.
func (e *env) hintImport(told imported, o importOptions) {
	if told.Sources == 0 {
		e.say("hint", "there was no file with records in it; 'git ltm import --help' says what is read, "+
			"and --dry-run what was left out")
		return
	}
	private, noted, left := 0, 0, 0
	for _, one := range told.Records {
		if one.Private && one.Fate == "added" {
			private++
		}
		if len(one.Notes) > 0 && one.Fate == "added" {
			noted++
		}
	}
	for _, p := range told.Problems {
		if p.Left && told.Added > 0 {
			left++
		}
	}
	if private > 0 && !o.private {
		e.say("hint", fmt.Sprintf("private to this clone: %d of them; 'git ltm ls --kind all' shows which",
			private))
	}
	if noted+left > 0 {
		e.say("hint", fmt.Sprintf(
			"changed to fit, or kept private: %d; parts that were left out: %d; 'git ltm import "+
				"--dry-run' says each", noted, left))
	}
}

// err says whether all was well.
func (told *imported) err() error {
	if told.Refused+told.Invalid+told.Beside == 0 {
		return nil
	}
	return &importError{
		secrets: told.secrets, refused: told.Refused, invalid: told.Invalid,
		beside: told.Beside,
	}
}

// importError is an import of which something was refused, could not be read, or is kept under another id.
type importError struct{ secrets, refused, invalid, beside int }

func (e *importError) Error() string {
	var texts []string
	for _, part := range []struct {
		n         int
		one, many string
	}{
		{
			e.secrets, "a record was refused, because it holds what must not travel",
			"%d records were refused, because they hold what must not travel",
		},
		{e.refused - e.secrets, "a record was refused", "%d records were refused"},
		{e.invalid, "a part could not be read", "%d parts could not be read"},
		{e.beside, "an id was taken by another record", "%d ids were taken by other records"},
	} {
		switch {
		case part.n == 1:
			texts = append(texts, part.one)
		case part.n > 1:
			texts = append(texts, fmt.Sprintf(part.many, part.n))
		}
	}
	return strings.Join(texts, ", ")
}

// importOutcomes says what the errors of an import mean to the user.
func importOutcomes() []rule {
	of := func(fits func(*importError) bool) func(error) bool {
		return func(err error) bool {
			failed, ok := errors.AsType[*importError](err)
			return ok && fits(failed)
		}
	}
	const again = "; then import it again: what is there is not added twice"
	return []rule{
		{
			of(func(e *importError) bool { return e.secrets > 0 }),
			outcome{codeSecret, "take the secret out of the source, or store it masked with --redact" +
				again},
		},
		{
			of(func(e *importError) bool { return e.refused+e.invalid > 0 }),
			outcome{codeInvalid, "mend what is listed" + again},
		},
		{isA[*importError], outcome{
			codeContested,
			"both are kept; 'git ltm show' tells them apart, and 'git ltm supersede' or 'git ltm rm' settles it",
		}},
	}
}
