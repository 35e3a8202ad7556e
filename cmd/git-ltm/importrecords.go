package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/accept"
	"github.com/git-ltm/git-ltm/internal/foreign"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/signing"
)

// gathering is what was read out of sources, on its way to the gate.
type gathering struct {
	env     *env
	opts    importOptions
	known   func(suffix string) (packet.ID, bool)
	here    map[string]packet.ID // by the suffix of its id, what was read before
	read    int                  // sources
	drafts  []foreign.Draft
	brought []accept.Brought
	notes   [][]string // of each draft: what became of it before the gate

	problems []foreign.Problem
	remarks  []remark
}

// A remark is what holds for a source as a whole.
type remark struct {
	Source string `json:"source"`
	Text   string `json:"text"`
}

// importRecords reads sources, and takes in what passes the gate.
func (e *env) importRecords(ctx context.Context, o importOptions, sources []string) error {
	return e.use(ctx, func(m *memory.Memory) error {
		var err error
		if e.rules, err = m.Rules(ctx); err != nil {
			return err
		}
		g := gathering{env: e, opts: o, here: map[string]packet.ID{}}
		if g.known, err = m.Intake().Derived(ctx); err != nil {
			return err
		}
		if err := e.eachSource(ctx, sources, g.leave, g.add); err != nil {
			return err
		}
		p := e.progress("records")
		req := accept.TakeRequest{
			Records: g.brought, Whole: o.whole, DryRun: o.dryRun, Publish: o.share,
			Progress: func(done, of int) { p.stage("stored", done, of) },
		}
		if o.whole && slices.ContainsFunc(g.problems, isInvalid) {
			req.DryRun = true // The gate still says what else is wrong.
		}
		if o.redact {
			req.Secrets = gate.Hide
		}
		switch {
		case o.sign:
			req.Signing = signing.Sign
		case o.plain:
			req.Signing = signing.NoSign
		}
		taken, err := m.Intake().Take(ctx, req)
		p.end()
		if err != nil {
			return err
		}
		err = e.tellTaken(g.report(taken, req.DryRun), o)
		if len(taken.Removed) > 0 && !o.asJSON {
			err = errors.Join(err, e.warnOfPurges(ctx, m, false))
		}
		return err
	})
}

func isInvalid(p foreign.Problem) bool { return !p.Left }

// leave notes the file of a folder that was not read.
func (g *gathering) leave(name string, why error) {
	g.problems = append(g.problems,
		foreign.Problem{Place: name, Text: why.Error(), Left: isA[leftFileError](why) ||
			errors.Is(why, foreign.ErrUnknown)})
}

// add reads one source.
func (g *gathering) add(s source) error {
	format, err := g.format(s)
	if err != nil || format == "" {
		return err
	}
	g.read++
	read, err := foreign.Parse(format, s.name, s.data,
		foreign.Options{Modified: s.modified, Known: g.find, Remap: g.opts.remap})
	if err != nil {
		g.problems = append(g.problems, foreign.Problem{Place: s.name, Text: err.Error()})
	}
	g.problems = append(g.problems, read.Problems...)
	for _, text := range read.Notes {
		g.remarks = append(g.remarks, remark{s.name, text})
	}
	for _, d := range read.Drafts {
		g.take(format, d)
	}
	return nil
}

// format tells how a source is written, or nothing where it is left out.
func (g *gathering) format(s source) (foreign.Format, error) {
	if g.opts.format != "" {
		return foreign.ParseFormat(g.opts.format)
	}
	format, err := foreign.Detect(s.name, s.data)
	switch {
	case err != nil && s.folder:
		g.leave(s.name, err)
		return "", nil
	case err != nil:
		return "", usagef("%w; name its format with --format, one of %s", err, importFormats)
	case s.folder && format == foreign.MemoryFile && !isMemoryFile(s.name):
		g.leave(s.name, leftFileError(
			"by its name it is a document and no memory; name it on the command line to import it"))
		return "", nil
	}
	return format, nil
}

// find finds a record by the end of its id, here or among what was read before.
func (g *gathering) find(suffix string) (packet.ID, bool) {
	if id, ok := g.here[suffix]; ok {
		return id, true
	}
	return g.known(suffix)
}

// take decides how far a draft goes.
func (g *gathering) take(format foreign.Format, d foreign.Draft) {
	suffix := string(d.ID[len(d.ID)-len(packet.DerivedSuffix("")):])
	if _, ok := g.here[suffix]; !ok {
		g.here[suffix] = d.ID
	}
	reach, why := g.reach(format, d)
	notes := slices.Clone(d.Notes)
	if why != "" {
		notes = append(notes, why)
	}
	g.drafts, g.notes = append(g.drafts, d), append(g.notes, notes)
	g.brought = append(g.brought, accept.Brought{
		Kind: d.Kind, ID: d.ID, Data: d.Data, Tag: d.Tag, Reach: reach, Made: madeHere(d),
	})
}

// madeHere tells a record that was made of what another system wrote, or of a draft without a name. This
// clone does not answer for a record that was made elsewhere, and least of all for what an event there says
// became of others.
func madeHere(d foreign.Draft) bool {
	ours, nameless := strings.HasPrefix(d.Key, "ltm:"), strings.HasPrefix(d.Key, "ltm::")
	return !ours || nameless && d.Kind != packet.KindEvent
}

// reach says how far a draft goes, and where that is not what people expect, why.
func (g *gathering) reach(format foreign.Format, d foreign.Draft) (replay.Reach, string) {
	switch {
	case g.env.userStore != "":
		return replay.Shared, ""
	case g.opts.private:
		return replay.Private, ""
	case d.Private && d.Ref != "":
		return replay.Private, "" // It was private where it comes from.
	case d.Private && slices.ContainsFunc(d.Notes, func(note string) bool {
		return strings.Contains(note, "private")
	}):
		return replay.Private, ""
	case d.Private:
		return replay.Private, "it is for one person or agent: it is kept private"
	case d.Wide:
		return replay.Private,
			"it was kept for all projects: it is kept private here; 'git ltm import --user' brings it " +
				"into your user-wide memory"
	case format == foreign.MemoryFile && !g.opts.share:
		return replay.Private,
			"it is a draft out of a memory file: it is kept private; --share lets it travel"
	}
	return replay.Shared, ""
}
