package main

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

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
	layout layout
	rows   []string // in the order in which they were measured
	cells  map[string]figure
}

// A figure is a number, and how a reader wants it.
type figure struct {
	value float64 // CPU seconds where it is a time, and MB where it is a size
	text  string
}

// The rows that something is reckoned from.
const (
	rowRecords = "records"
	rowRefs    = "refs of the remote"
	rowPush    = "**push** of a branch by somebody without memory: bytes listed"
	rowPull    = "first pull of all memory"
	rowClone   = "MB of a clone with all memory and its index"
	rowSync    = "**sync**, nothing new: bytes listed"
	rowList    = "**remote**: lists its refs for one push"
	rowDisk    = "remote: MB after git gc"
	rowCompact = "compaction of all of it, with the remote"
)

func (s *slice) setFigure(row string, f figure) {
	s.rows, s.cells[row] = append(s.rows, row), f
}

func (s *slice) setCount(row string, n int) { s.setFigure(row, figure{float64(n), strconv.Itoa(n)}) }

func timeFigure(took sample) figure {
	return figure{took.cpu.Seconds(), short(inMS(took.cpu)) + " / " + short(inMS(took.wall)) + " ms"}
}

// setSize notes how many MB the files of a folder hold.
func (s *slice) setSize(row, dir string) {
	mb := 0.0
	check(filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			mb += float64(info.Size()) / (1 << 20)
		}
		return err
	}))
	s.setFigure(row, figure{mb, short(mb)})
}

// measureScale measures a slice of a large memory, reckons the rest, and writes the page.
func (o options) measureScale(ctx context.Context, out io.Writer, t tools) {
	var all []slice
	for _, size := range o.sizes {
		within(fmt.Sprintf("%d records", size), func() {
			inFolder(func(home string) {
				r := newRepo(ctx, t, home, strangers, size)
				for _, as := range []layout{asRefs, asArchives} {
					one := slice{layout: as, cells: map[string]figure{}}
					within(string(as), func() { r.measureSlice(ctx, &one) })
					must(io.WriteString(out, describeSlices(one)))
					all = append(all, one)
				}
			})
		})
	}
	writeScale(o.page, machineLine(ctx), all)
}

// mostCompacted is for how many records the remote gets archives as a user sends them: it loses two hundred
// refs a push, and lists all of them each time. More are brought there by plain git.
const mostCompacted = 5000

// compactAll compacts everything in the clone but what stays.
func (r *repo) compactAll(ctx context.Context, more ...string) sample {
	args := append([]string{"compact", "--older-than", "0d", "--keep", strconv.Itoa(scaleKept)}, more...)
	return r.measureCall(ctx, call{file: r.tools.ltm, dir: inFresh(r), args: args})
}

// listRefs lists the refs of the memory of a repository.
func (r *repo) listRefs(ctx context.Context, dir string) []string {
	return strings.Fields(r.runGit(ctx, "-C", dir, "for-each-ref", "--format=%(refname)", "refs/ltm"))
}

// publishArchives brings the remote to what the clone holds.
func (r *repo) publishArchives(ctx context.Context) {
	r.runGit(ctx, "-C", r.remote, "fetch", "-q", inFresh(r), "refs/ltm/archive/*:refs/ltm/archive/*")
	stay := map[string]bool{}
	for _, ref := range r.listRefs(ctx, inFresh(r)) {
		stay[ref] = true
	}
	var gone strings.Builder
	for _, ref := range r.listRefs(ctx, r.remote) {
		if !stay[ref] {
			gone.WriteString("delete " + ref + "\n")
		}
	}
	args := []string{"-C", r.remote, "update-ref", "--stdin"}
	r.measureCall(ctx, call{file: "git", args: args, stdin: []byte(gone.String())})
}

// measureSlice measures what everybody pays for a remote in a layout.
func (r *repo) measureSlice(ctx context.Context, one *slice) {
	one.setCount(rowRecords, r.size)
	one.setFigure("they lie as", figure{text: string(one.layout)})
	const rowLocal = "compaction without the remote, `--local`"
	compacted := map[string]figure{}
	switch { // To get there from the other layout.
	case one.layout == asRefs:
	case r.size <= mostCompacted:
		compacted[rowCompact] = timeFigure(r.compactAll(ctx))
	default:
		compacted[rowLocal] = timeFigure(r.compactAll(ctx, "--local"))
		r.publishArchives(ctx)
	}
	for _, row := range []string{rowCompact, rowLocal} {
		one.setFigure(row, cmp.Or(compacted[row], figure{text: "-"}))
	}
	r.runGit(ctx, "-C", r.remote, "gc", "-q", "--prune=now")
	one.setCount(rowRefs, len(r.listRefs(ctx, r.remote)))
	measure := func(row string, runs int, next func() call) sample {
		var all []sample
		for range runs {
			all = append(all, r.measureCall(ctx, next()))
		}
		one.setFigure(row, timeFigure(median(all)))
		return median(all)
	}
	git := func(args ...string) func() call { return func() call { return call{file: "git", args: args} } }

	// What somebody pays who has no memory at all.
	plain := filepath.Join(r.home, "bare-of-memory")
	measure("**clone** without memory", 3, func() call {
		check(os.RemoveAll(plain))
		return git("clone", "-q", "file://"+r.remote, plain)()
	})
	measure("push: time", 5, func() call {
		r.runGit(ctx, "-C", plain, "commit", "-q", "--allow-empty", "-m", "work")
		return git("-C", plain, "push", "-q", "origin", "HEAD")()
	})
	listed := measure(rowList, 5, git("receive-pack", "--http-backend-info-refs", r.remote))
	one.setCount(rowPush, len(listed.out))
	measure("fetch: time, protocol 2", 5, git("-C", plain, "fetch", "-q"))
	one.setCount("**fetch** of branches: bytes listed, protocol 2", r.listedBytes(ctx, "refs/heads/"))
	one.setCount("fetch: bytes listed, protocol 0",
		len(r.measureCall(ctx, git("upload-pack", "--http-backend-info-refs", r.remote)()).out))

	// What somebody pays who takes all of it, and is shown it.
	freshClone(ctx, r)
	ltm := func(args ...string) func() call {
		return func() call { return call{file: r.tools.ltm, dir: inFresh(r), args: args} }
	}
	measure(rowPull, 1, ltm("pull"))
	measure("sync: time", 5, ltm("sync"))
	one.setCount(rowSync, r.listedBytes(ctx, "refs/ltm/"))
	r.dir = inFresh(r)
	r.runLTM(ctx, "setup", "claude-code", "--trust", "remote")
	r.runLTM(ctx, "skip", "check", "make the index")
	measure("**session start**, shown what the remote delivered", 5, func() call {
		c := ltm("hook", "claude-code", "session-start")()
		c.stdin = sessionStart(r)
		return c
	})
	one.setSize(rowClone, filepath.Join(inFresh(r), ".git"))
	one.setSize(rowDisk, r.remote)
}

// listedBytes is how many bytes a remote sends to whoever asks by protocol 2 for the refs below a name.
func (r *repo) listedBytes(ctx context.Context, below string) int {
	line := func(text string) string { return fmt.Sprintf("%04x%s", len(text)+4, text) }
	return len(r.measureCall(ctx, call{
		file: "git", args: []string{"upload-pack", "--stateless-rpc", r.remote},
		env: []string{"GIT_PROTOCOL=version=2"},
		stdin: []byte(line("command=ls-refs\n") + "0001" + line("peel\n") + line("symrefs\n") +
			line("ref-prefix "+below+"\n") + "0000"),
	}).out)
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
func costOfOne(all []slice, as layout, of, by string) float64 {
	var these []map[string]figure
	for _, one := range all {
		if one.layout == as {
			these = append(these, one.cells)
		}
	}
	first, last := these[0], these[len(these)-1]
	if len(these) == 1 || first[by] == last[by] {
		first = nil
	}
	return (last[of].value - first[of].value) / (last[by].value - first[by].value)
}

//go:embed scale.md.tmpl
var scaleTemplate string

// describeSlices is the table of what was measured.
func describeSlices(all ...slice) string {
	rows := [][]string{make([]string, 1+len(all)), append([]string{"---"}, slices.Repeat([]string{"--:"}, len(all))...)}
	for _, name := range all[0].rows {
		row := []string{name}
		for _, one := range all {
			row = append(row, one.cells[name].text)
		}
		rows = append(rows, row)
	}
	return joinTable(rows...)
}

// writeScale writes the page.
func writeScale(page, machine string, all []slice) {
	perPush := costOfOne(all, asRefs, rowPush, rowRefs)
	perSync := costOfOne(all, asRefs, rowSync, rowRefs)
	listing := costOfOne(all, asRefs, rowList, rowRefs)
	pulled := costOfOne(all, asArchives, rowPull, rowRecords)
	single := costOfOne(all, asRefs, rowPull, rowRecords)
	diskRef := costOfOne(all, asRefs, rowDisk, rowRecords)
	diskArchive := costOfOne(all, asArchives, rowDisk, rowRecords)
	moved := 0.0
	for _, one := range all { // The largest that was compacted with the remote.
		if took := one.cells[rowCompact].value; took > 0 {
			moved = took / one.cells[rowRecords].value
		}
	}
	cloned := costOfOne(all, asArchives, rowClone, rowRecords)

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
	writePage(page, scaleTemplate, map[string]any{
		"machine": machine, "writers": scaleWriters, "daily": scaleDaily, "together": recordsDaily,
		"kept": scaleKept, "days": daysOfQuarter, "month": 30 * recordsDaily,
		"measured": describeSlices(all...), "reckoned": b.String(),
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
