package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// scaleVerb is the first argument of a run that measures a slice of a large memory, reckons the rest, and
// writes the page that is its second argument. More arguments are numbers of records.
const scaleVerb = "scale"

// The memory that is reckoned.
const (
	scaleWriters  = 1000
	scaleDaily    = 20 // records of a writer
	daysOfQuarter = 91
	scaleKept     = 500 // the refs that a compaction leaves
	recordsDaily  = scaleWriters * scaleDaily
)

// A layout says how the records of a remote lie.
type layout string

// The layouts.
const (
	asRefs     layout = "one ref each"
	asArchives layout = "compacted"
)

// A slice is what a memory of a size costs.
type slice struct {
	records, refs                int
	layout                       layout
	toPush, toFetch, toSync      int     // bytes that the remote lists
	oldFetch                     int     // the same before protocol 2
	disk, cloned                 float64 // MB of the remote, and of a clone that has all
	push, fetch, news            sample
	clone, pull, start, listings sample
	compact, local               sample // to get here from the other layout, with the remote or without it
}

// measureScale measures everything, and writes the page.
func measureScale(ctx context.Context, out io.Writer, t tools, page string, sizes []int) error {
	var all []slice
	for _, size := range sizes {
		both, err := measureSlices(ctx, out, t, size)
		if err != nil {
			return fmt.Errorf("%d records: %w", size, err)
		}
		all = append(all, both...)
	}
	machine, err := machineLine(ctx)
	if err != nil {
		return err
	}
	return writeScale(page, machine, all)
}

// measureSlices measures a remote with so many records in both layouts.
func measureSlices(ctx context.Context, out io.Writer, t tools, size int) (both []slice, err error) {
	home, err := os.MkdirTemp("", "git-ltm-scale-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	r, err := newRepo(ctx, t, home, strangers, size)
	if err != nil {
		return nil, err
	}
	for _, as := range []layout{asRefs, asArchives} {
		var whole, local sample
		switch {
		case as == asRefs:
		case size <= mostCompacted:
			whole, err = r.measureCall(ctx, r.compactCall())
		default:
			if local, err = r.measureCall(ctx, r.compactCall("--local")); err == nil {
				err = r.publishArchives(ctx)
			}
		}
		if err != nil {
			return nil, err
		}
		one, err := r.measureSlice(ctx, as)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", as, err)
		}
		one.compact, one.local = whole, local
		if _, err := fmt.Fprint(out, describeSlices([]slice{one})); err != nil {
			return nil, err
		}
		both = append(both, one)
	}
	return both, nil
}

// mostCompacted is for how many records the remote gets archives as a user sends them: it loses two hundred
// refs a push, and lists all of them each time. More are brought there by plain git.
const mostCompacted = 5000

// compactCall is the compaction of everything but what stays.
func (r *repo) compactCall(more ...string) call {
	args := append([]string{"compact", "--older-than", "0d", "--keep", strconv.Itoa(scaleKept)}, more...)
	return call{file: r.tools.ltm, dir: inFresh(r), args: args}
}

// publishArchives brings the remote to what the clone holds.
func (r *repo) publishArchives(ctx context.Context) error {
	list := func(dir string) (string, error) {
		text, err := r.runGit(ctx, nil, "-C", dir, "for-each-ref", "--format=delete %(refname)", "refs/ltm")
		return string(text), err
	}
	if _, err := r.runGit(ctx, nil, "-C", r.remote, "fetch", "-q", inFresh(r),
		"refs/ltm/archive/*:refs/ltm/archive/*"); err != nil {
		return err
	}
	there, err := list(r.remote)
	here, other := list(inFresh(r))
	if err := errors.Join(err, other); err != nil {
		return err
	}
	stay := map[string]bool{}
	for line := range strings.Lines(here) {
		stay[line] = true
	}
	var gone strings.Builder
	for line := range strings.Lines(there) {
		if !stay[line] {
			gone.WriteString(line)
		}
	}
	_, err = r.runGit(ctx, strings.NewReader(gone.String()), "-C", r.remote, "update-ref", "--stdin")
	return err
}

// measureSlice measures what everybody pays for a remote as it is.
func (r *repo) measureSlice(ctx context.Context, as layout) (one slice, err error) {
	one = slice{records: r.size, layout: as}
	git := func(args ...string) (string, error) {
		text, err := r.runGit(ctx, nil, args...)
		return strings.TrimSpace(string(text)), err
	}
	_, err = git("-C", r.remote, "gc", "-q", "--prune=now")
	refs, listed := git("-C", r.remote, "for-each-ref", "--format=%(refname)", "refs/ltm")
	if err := errors.Join(err, listed); err != nil {
		return one, err
	}
	one.refs = len(strings.Fields(refs))

	// What somebody pays who has no memory at all.
	measure := func(to *sample, runs int, next func() (call, error)) {
		if err == nil {
			*to, err = r.medianOf(ctx, runs, next)
		}
	}
	plain := filepath.Join(r.home, "bare-of-memory")
	measure(&one.clone, 3, func() (call, error) {
		return call{file: "git", args: []string{"clone", "-q", "file://" + r.remote, plain}}, os.RemoveAll(plain)
	})
	measure(&one.push, 5, func() (call, error) {
		_, err := git("-C", plain, "commit", "-q", "--allow-empty", "-m", "work")
		return call{file: "git", dir: plain, args: []string{"push", "-q", "origin", "HEAD"}}, err
	})
	measure(&one.fetch, 5, func() (call, error) {
		return call{file: "git", dir: plain, args: []string{"fetch", "-q"}}, nil
	})
	measure(&one.listings, 5, func() (call, error) {
		return call{file: "git", args: []string{"receive-pack", "--http-backend-info-refs", r.remote}}, nil
	})
	if err != nil {
		return one, err
	}
	one.toPush = len(one.listings.out)
	if one.toFetch, err = r.listedBytes(ctx, "refs/heads/"); err != nil {
		return one, err
	}
	if one.toSync, err = r.listedBytes(ctx, "refs/ltm/"); err != nil {
		return one, err
	}
	old, err := git("upload-pack", "--http-backend-info-refs", r.remote)
	if err != nil {
		return one, err
	}
	one.oldFetch = len(old)

	// What somebody pays who takes all of it, and is shown it.
	_, err = r.freshClone(ctx, "fresh")
	inside := func(args ...string) func() (call, error) {
		return func() (call, error) { return call{file: r.tools.ltm, dir: inFresh(r), args: args}, nil }
	}
	var once sample
	measure(&one.pull, 1, inside("pull"))
	measure(&one.news, 5, inside("sync"))
	measure(&once, 1, inside("setup", "claude-code", "--trust", "remote"))
	measure(&once, 1, inside("skip", "check", "make the index"))
	r.dir = inFresh(r)
	measure(&one.start, 5, func() (call, error) {
		args := []string{"hook", "claude-code", "session-start"}
		return call{file: r.tools.ltm, args: args, stdin: sessionStart(r)}, nil
	})
	if err != nil {
		return one, err
	}
	if one.disk, err = sumSizes(r.remote); err != nil {
		return one, err
	}
	one.cloned, err = sumSizes(filepath.Join(inFresh(r), ".git"))
	return one, err
}

// medianOf runs calls, and returns the one of median CPU time.
func (r *repo) medianOf(ctx context.Context, runs int, next func() (call, error)) (sample, error) {
	var all []sample
	for range runs {
		c, err := next()
		if err != nil {
			return sample{}, err
		}
		took, err := r.measureCall(ctx, c)
		if err != nil {
			return sample{}, err
		}
		all = append(all, took)
	}
	slices.SortFunc(all, func(a, b sample) int { return int(a.cpu - b.cpu) })
	return all[len(all)/2], nil
}

// listedBytes is how many bytes a remote sends to whoever asks by protocol 2 for the refs below a name.
func (r *repo) listedBytes(ctx context.Context, below string) (int, error) {
	line := func(text string) string { return fmt.Sprintf("%04x%s", len(text)+4, text) }
	took, err := r.measureCall(ctx, call{
		file: "git", args: []string{"upload-pack", "--stateless-rpc", r.remote},
		env: []string{"GIT_PROTOCOL=version=2"},
		stdin: []byte(line("command=ls-refs\n") + "0001" + line("peel\n") + line("symrefs\n") +
			line("ref-prefix "+below+"\n") + "0000"),
	})
	return len(took.out), err
}

// sumSizes is how many MB the files of a folder hold.
func sumSizes(dir string) (mb float64, err error) {
	err = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			mb += float64(info.Size()) / (1 << 20)
		}
		return err
	})
	return mb, err
}

// A keeping is how somebody keeps the number of refs small. Before a compaction there are as many as the last
// one left, and those of the time since.
type keeping struct {
	name     string
	live     int // refs that a compaction leaves
	times    int // compactions a day
	archives int // a day: those that hold up to 2,000 records are merged with the next, so that each gets more
}

func allKeepings() []keeping {
	return []keeping{
		{name: "nothing"},
		{"`git ltm compact` once a day", 30 * recordsDaily, 1, 1},
		{"`git ltm compact --older-than 1d` once a day", recordsDaily, 1, 1},
		{"`git ltm compact --older-than 0d` once a day", scaleKept, 1, 1},
		{"`git ltm compact --older-than 0d` once an hour", scaleKept, 24, 8},
	}
}

// refsAt is how many refs there are at the end of a quarter, before a compaction.
func (k keeping) refsAt(quarter int) int {
	if k.times == 0 {
		return quarter * daysOfQuarter * recordsDaily
	}
	return k.live + recordsDaily/k.times + quarter*daysOfQuarter*k.archives
}

// costOfOne is how much one more of something costs: between the slices of a layout, or where there is one
// alone, from nothing.
func costOfOne(all []slice, as layout, of, by func(slice) float64) float64 {
	var these []slice
	for _, one := range all {
		if one.layout == as {
			these = append(these, one)
		}
	}
	last := these[len(these)-1]
	if len(these) == 1 || by(last) == by(these[0]) {
		return of(last) / by(last)
	}
	return (of(last) - of(these[0])) / (by(last) - by(these[0]))
}

//go:embed scale.md.tmpl
var scaleTemplate string

// describeSlices is the table of what was measured.
func describeSlices(all []slice) string {
	var b strings.Builder
	b.WriteString("| |" + strings.Repeat(" |", len(all)) + "\n|---|" + strings.Repeat("--:|", len(all)) + "\n")
	row := func(name string, cell func(slice) string) {
		fmt.Fprintf(&b, "| %s |", name)
		for _, one := range all {
			b.WriteString(" " + cell(one) + " |")
		}
		b.WriteString("\n")
	}
	number := func(of func(slice) int) func(slice) string {
		return func(one slice) string { return strconv.Itoa(of(one)) }
	}
	times := func(of func(slice) sample) func(slice) string {
		return func(one slice) string {
			took := of(one)
			if took.cpu == 0 {
				return "-"
			}
			return short(took.cpu.Seconds()*1e3) + " / " + short(took.wall.Seconds()*1e3) + " ms"
		}
	}
	row("records", number(func(s slice) int { return s.records }))
	row("they lie as", func(s slice) string { return string(s.layout) })
	row("refs of the remote", number(func(s slice) int { return s.refs }))
	row("**push** of a branch by somebody without memory: bytes listed",
		number(func(s slice) int { return s.toPush }))
	row("push: time", times(func(s slice) sample { return s.push }))
	row("**fetch** of branches: bytes listed, protocol 2", number(func(s slice) int { return s.toFetch }))
	row("fetch: bytes listed, protocol 0", number(func(s slice) int { return s.oldFetch }))
	row("fetch: time, protocol 2", times(func(s slice) sample { return s.fetch }))
	row("**clone** without memory", times(func(s slice) sample { return s.clone }))
	row("first pull of all memory", times(func(s slice) sample { return s.pull }))
	row("MB of a clone with all memory and its index", func(s slice) string { return short(s.cloned) })
	row("**sync**, nothing new: bytes listed", number(func(s slice) int { return s.toSync }))
	row("sync: time", times(func(s slice) sample { return s.news }))
	row("**session start**, shown what the remote delivered", times(func(s slice) sample { return s.start }))
	row("**remote**: lists its refs for one push", times(func(s slice) sample { return s.listings }))
	row("remote: MB after git gc", func(s slice) string { return short(s.disk) })
	row("compaction of all of it, with the remote", times(func(s slice) sample { return s.compact }))
	row("the same without the remote, `--local`", times(func(s slice) sample { return s.local }))

	return b.String()
}

// writeScale writes the page.
func writeScale(page, machine string, all []slice) error {
	records := func(s slice) float64 { return float64(s.records) }
	refs := func(s slice) float64 { return float64(s.refs) }
	perPush := costOfOne(all, asRefs, func(s slice) float64 { return float64(s.toPush) }, refs)
	perSync := costOfOne(all, asRefs, func(s slice) float64 { return float64(s.toSync) }, refs)
	listing := costOfOne(all, asRefs, func(s slice) float64 { return s.listings.cpu.Seconds() }, refs)
	pulled := costOfOne(all, asArchives, func(s slice) float64 { return s.pull.cpu.Seconds() }, records)
	single := costOfOne(all, asRefs, func(s slice) float64 { return s.pull.cpu.Seconds() }, records)
	diskRef := costOfOne(all, asRefs, func(s slice) float64 { return s.disk }, records)
	diskArchive := costOfOne(all, asArchives, func(s slice) float64 { return s.disk }, records)
	moved, most := 0.0, 0
	for _, one := range all {
		if one.compact.cpu > 0 && one.records > most {
			moved, most = one.compact.cpu.Seconds()/float64(one.records), one.records
		}
	}
	cloned := costOfOne(all, asArchives, func(s slice) float64 { return s.cloned }, records)

	var b strings.Builder
	b.WriteString("| keeping | quarter | records | refs | bytes listed to a push | to a sync | " +
		"remote: CPU a day to list | remote: GB | first pull: CPU | clone: GB |\n|---|" +
		strings.Repeat("--:|", 9) + "\n")
	for _, keep := range allKeepings() {
		perRecord, disk := pulled, diskArchive
		if keep.times == 0 {
			perRecord, disk = single, diskRef
		}
		for quarter := 1; quarter <= 4; quarter++ {
			total, n := quarter*daysOfQuarter*recordsDaily, float64(keep.refsAt(quarter))
			fmt.Fprintf(&b, "| %s | %d | %d | %.0f | %s | %s | %s | %.1f | %s | %.1f |\n", keep.name, quarter,
				total, n, formatBytes(n*perPush), formatBytes(n*perSync), formatSeconds(n*listing*recordsDaily),
				float64(total)*disk/1024,
				formatSeconds(float64(total)*perRecord), float64(total)*cloned/1024)
		}
	}
	round := func(n float64) string { return fmt.Sprintf("%.0f", n) }
	exact := func(ms float64) string { return fmt.Sprintf("%.2g", ms*1e3) }
	return writePage(page, scaleTemplate, map[string]any{
		"machine": machine, "writers": scaleWriters, "daily": scaleDaily, "together": recordsDaily,
		"kept": scaleKept, "days": daysOfQuarter, "month": 30 * recordsDaily,
		"measured": describeSlices(all), "reckoned": b.String(),
		"perPush": round(perPush), "perSync": round(perSync), "listing": exact(listing),
		"diskRef": round(diskRef * (1 << 20)), "diskArchive": round(diskArchive * (1 << 20)),
		"cloned": round(cloned * (1 << 20)), "single": exact(single), "pulled": exact(pulled),
		"newsCPU": formatSeconds(recordsDaily * single), "newsDisk": formatBytes(recordsDaily * cloned * (1 << 20)),
		"moved": formatSeconds(recordsDaily * moved), "mostCompacted": mostCompacted,
	})
}

// formatBytes is a number of bytes as a reader wants it.
func formatBytes(bytes float64) string {
	switch {
	case bytes < 1e4:
		return fmt.Sprintf("%.0f B", bytes)
	case bytes < 1e6:
		return fmt.Sprintf("%.0f KB", bytes/1e3)
	default:
		return fmt.Sprintf("%.1f MB", bytes/1e6)
	}
}

// formatSeconds is a number of seconds as a reader wants it.
func formatSeconds(seconds float64) string {
	if seconds < 120 {
		return fmt.Sprintf("%.1f s", seconds)
	}
	return fmt.Sprintf("%.0f min", seconds/60)
}
