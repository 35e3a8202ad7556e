package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/template"
)

// peerRuns is how often each command of a comparison runs.
const peerRuns = 5

// A peer is something that keeps memory, or scans it. Its commands stand in peers.txt, as lines of shell: $A
// and $B are two clones of the remote $REMOTE, $FRESH is a folder that is not there yet, $TEXTS a file of all
// texts, one a line, $SMALL one of 5 KB, $TEXT a new text, $W1 and $W2 two words, and $EVENT what an agent
// says when it starts.
type peer struct {
	name string
	// lines are by what they do: version; install; fill, which stores all texts and sends them; before a step,
	// and step; lacks, which says why there is no step; able of an ability, which ends with 0 where the peer has
	// it; missing and try of a peer that is not measured.
	lines map[string]string
}

// The steps.
const (
	stepCreate   = "create one"
	stepList     = "list the newest 20"
	stepFind     = "find by two words"
	stepStart    = "start of a session"
	stepExchange = "exchange, one new in each clone"
	stepClone    = "first clone, all there"
	stepScan     = "scan a text of 5 KB"
	stepScanAll  = "scan all texts as one file"
)

func peerSteps() []string {
	return []string{
		stepCreate, stepList, stepFind, stepStart, stepExchange, stepClone, stepScan, stepScanAll,
	}
}

// peerOurs is the name of ours.
const peerOurs = "git ltm"

//go:embed peers.txt
var peersText string

// readPeers reads the peers, and the abilities that stand in the table, in the order in which ours has them.
func readPeers(text string) (all []*peer, abilities []string) {
	for part := range strings.SplitSeq(text, "\n## ") {
		name, rest, ok := strings.Cut(part, "\n")
		if !ok || len(all) == 0 && name == "" {
			continue
		}
		one := &peer{name: name, lines: map[string]string{}}
		for field := range strings.SplitSeq("\n"+rest, "\n# ") {
			key, line, _ := strings.Cut(field, "\n")
			one.lines[key] = strings.TrimSpace(line)
			if ability, ok := strings.CutPrefix(key, "able "); ok && name == peerOurs {
				abilities = append(abilities, ability)
			}
		}
		all = append(all, one)
	}
	return all, abilities
}

// A shell runs lines of shell for a peer, in a place of its own.
type shell struct {
	*repo
	place string
	vars  []string
}

// shellFunctions are what lines call.
//
//go:embed peers.sh
var shellFunctions string

// runLine measures one line, in the clone A.
func (s shell) runLine(ctx context.Context, text string, more ...string) sample {
	dir := s.place + "/a"
	if _, err := os.Stat(dir); err != nil {
		dir = s.place
	}
	return s.measureCall(ctx, call{
		file: "sh", args: []string{"-c", ". $FUNCTIONS\n" + text}, dir: dir, env: slices.Concat(s.vars, more),
	})
}

// tryLine runs a line that may fail, and returns what it said on one line.
func (s shell) tryLine(ctx context.Context, text string, more ...string) (said string, failed bool) {
	if err := catch(func() { said = s.runLine(ctx, text, more...).out }); err != nil {
		said = strings.TrimSpace(err.Error()) // What it says in the end.
		said = said[strings.LastIndex(said, "\n")+1:]
		return said[max(strings.LastIndex(said, ": "), -2)+2:], true
	}
	return strings.Join(strings.Fields(said), " "), false
}

// makePlace makes a remote with so many commits, and two clones of it.
func (s shell) makePlace(ctx context.Context, commits int) {
	check(os.MkdirAll(s.place, 0o750))
	s.runLine(ctx, fmt.Sprint("make_place ", commits))
}

// newShell is the shell of a peer below a folder, with the tools that were installed.
func newShell(r *repo, tools, place string) shell {
	at := func(name string) string { return filepath.Join(place, name) }
	return shell{repo: r, place: place, vars: []string{
		"TOOLS=" + tools, "A=" + at("a"), "B=" + at("b"), "REMOTE=" + at("remote.git"), "FRESH=" + at("fresh"),
		"TEXTS=" + filepath.Join(r.home, "texts"), "SMALL=" + filepath.Join(r.home, "small"),
		"FUNCTIONS=" + filepath.Join(r.home, "functions"), "EVENT=" + at("event"),
		"MEMORY_FILE_PATH=" + at("memory.jsonl"),
		"PATH=" + strings.Join([]string{
			filepath.Dir(r.tools.ltm), tools, filepath.Join(tools, "node_modules", ".bin"), os.Getenv("PATH"),
		}, ":"),
	}}
}

// measurePeers installs and measures what people would use instead with the programs of ours, and writes the page.
func (o options) measurePeers(ctx context.Context, out io.Writer, t tools) {
	folder := filepath.Join(must(os.UserCacheDir()), "git-ltm-peers")
	check(os.MkdirAll(folder, 0o750))
	inFolder(func(home string) {
		r := &repo{tools: t, home: home, dir: home, env: environment(home), words: newWords(7)}
		check(os.WriteFile(filepath.Join(home, "functions"), []byte(shellFunctions), 0o600))
		p := peersPage{sizes: o.sizes, took: map[cell]sample{}, able: map[cell]string{}}
		listed, abilities := readPeers(peersText)
		p.abilities = abilities
		for i, one := range listed {
			s := newShell(r, folder, filepath.Join(home, fmt.Sprint("try-", i)))
			check(os.MkdirAll(s.place, 0o750))
			if line := one.lines["try"]; line != "" {
				s.makePlace(ctx, 1)
				said, _ := s.tryLine(ctx, line, usersEnvironment()...)
				p.missing = append(p.missing, missingPeer{one, said})
				continue
			}
			said, failed := s.tryLine(ctx, one.lines["install"]+"\ntrue", usersEnvironment()...)
			if !failed {
				said, failed = s.tryLine(ctx, one.lines["version"])
			}
			if failed {
				one.lines["try"] = one.lines["install"]
				p.missing = append(p.missing, missingPeer{one, said})
				continue
			}
			one.lines["version"] = said
			p.peers = append(p.peers, one)
		}
		for _, size := range o.sizes {
			within(fmt.Sprintf("%d records", size), func() { p.comparePeers(ctx, out, r, folder, size) })
		}
		p.tryAbilities(ctx, out, r, folder)
		p.writeFile(ctx, o.page)
	})
}

// usersEnvironment is what installing needs to know of the user: the network, and the caches.
func usersEnvironment() []string {
	return slices.DeleteFunc(os.Environ(), func(one string) bool {
		return strings.HasPrefix(one, "PATH=") || strings.HasPrefix(one, "GIT_")
	})
}

// comparePeers measures every step of every peer in turn.
func (p peersPage) comparePeers(ctx context.Context, out io.Writer, r *repo, folder string, size int) {
	r.writeTexts(size)
	check(os.WriteFile(filepath.Join(r.home, "small"), []byte(r.words.makeText(5000)), 0o600))
	shells := map[*peer]shell{}
	for i, one := range p.peers {
		shells[one] = one.filledShell(ctx, r, folder, fmt.Sprint("at", size, "-", i), size)
	}
	for _, step := range peerSteps() {
		able := slices.DeleteFunc(slices.Clone(p.peers),
			func(one *peer) bool { return one.lines["step "+step] == "" })
		took := map[*peer][]sample{}
		for range peerRuns + 1 {
			for _, one := range able {
				within(step+" of "+one.name, func() {
					took[one] = append(took[one], shells[one].runStep(ctx, one, step))
				})
			}
		}
		for _, one := range able {
			got := median(took[one][1:]) // The first run warms the caches.
			p.took[cell{size, step, one}] = got
			must(fmt.Fprintf(out, "%6d  %-32s %-14s %9.1f ms  wall %9.1f ms  %d bytes\n", size, step, one.name,
				inMS(got.cpu), inMS(got.wall), len(got.out)))
		}
	}
}

// writeTexts makes so many texts up.
func (r *repo) writeTexts(n int) {
	var b strings.Builder
	for range n {
		b.WriteString(r.words.makeText(200) + "\n")
	}
	check(os.WriteFile(filepath.Join(r.home, "texts"), []byte(b.String()), 0o600))
}

// filledShell is a shell in a place of its own, in which a peer stored all texts.
func (p *peer) filledShell(ctx context.Context, r *repo, tools, place string, commits int) shell {
	s := newShell(r, tools, filepath.Join(r.home, place))
	within("fill "+p.name, func() {
		s.makePlace(ctx, commits)
		s.runLine(ctx, p.lines["fill"])
	})
	return s
}

// runStep runs a step once, with work of its own.
func (s shell) runStep(ctx context.Context, one *peer, step string) sample {
	s.count++
	event := fmt.Sprintf(`{"session_id":"peers-%d","cwd":%q,"source":"startup"}`, s.count, s.place+"/a")
	check(os.WriteFile(filepath.Join(s.place, "event"), []byte(event), 0o600))
	check(os.RemoveAll(filepath.Join(s.place, "fresh")))
	vars := []string{"TEXT=" + s.words.makeText(200), "W1=" + s.words.own[4], "W2=" + s.words.own[120]}
	if before := one.lines["before "+step]; before != "" {
		within("before", func() { s.runLine(ctx, before, vars...) })
	}
	return s.runLine(ctx, one.lines["step "+step], vars...)
}

// fewTexts are there where an ability is tried.
const fewTexts = 10

// tryAbilities tries what each peer can, each in a place of its own with ten records.
func (p peersPage) tryAbilities(ctx context.Context, out io.Writer, r *repo, folder string) {
	r.writeTexts(fewTexts)
	for i, ability := range p.abilities {
		for j, one := range p.peers {
			line := one.lines["able "+ability]
			if line == "" {
				continue
			}
			s := one.filledShell(ctx, r, folder, fmt.Sprintf("able-%d-%d", i, j), fewTexts)
			said, failed := s.tryLine(ctx, line)
			can := "yes"
			if failed {
				can = "**no**"
			} else {
				said = ""
			}
			p.able[cell{0, ability, one}] = can
			must(fmt.Fprintf(out, "%-78s %-14s %s %s\n", ability, one.name, can, said))
		}
	}
}

// A missingPeer is one that was not measured, and what its command said.
type missingPeer struct {
	*peer
	said string
}

// A cell is a place in a table: of a step at a size, or of an ability.
type cell struct {
	size int
	what string
	*peer
}

// peersPage is what was measured.
type peersPage struct {
	sizes     []int
	abilities []string
	peers     []*peer
	missing   []missingPeer
	took      map[cell]sample // of steps
	able      map[cell]string // of abilities
}

//go:embed peers.md.tmpl
var peersTemplate string

// writeFile writes the page.
func (p peersPage) writeFile(ctx context.Context, page string) {
	costs, printed := "", []cell{} // What was printed counts where an agent reads it.
	for _, size := range p.sizes {
		head := fmt.Sprintf("%d records", size)
		costs += p.peersTable(head, "---", cellsOf(size, peerSteps()), p.describeCost) + "\n"
		printed = append(printed, cellsOf(size, []string{stepFind, stepStart})...)
	}
	var versions, missing [][]string
	for _, one := range p.peers {
		versions = append(versions, []string{one.name, one.lines["version"]})
	}
	for _, one := range p.missing {
		row := []string{
			one.name, cmp.Or(one.lines["missing"], "it cannot be installed here, or does not run"),
			"`" + one.lines["try"] + "`", one.said,
		}
		for i := range row {
			row[i] = strings.ReplaceAll(strings.Join(strings.Fields(row[i]), " "), "|", `\|`)
		}
		missing = append(missing, row)
	}
	writePage(page, peersTemplate, map[string]any{
		"machine": machineLine(ctx), "runs": peerRuns, "versions": joinTable(versions...), "costs": costs,
		"printed": p.peersTable("bytes", "--:", printed, func(at cell) string {
			if got, ok := p.took[at]; ok {
				return strconv.Itoa(len(got.out))
			}
			return "-"
		}),
		"able": p.peersTable("ability", "---", cellsOf(0, p.abilities), func(at cell) string {
			return cmp.Or(p.able[at], "-")
		}),
		"missing": joinTable(missing...),
		"steps":   p.describeLines("step", peerSteps()), "lines": p.describeLines("able", p.abilities),
	})
}

// writePage fills a template in.
func writePage(page, text string, values map[string]any) {
	form := must(template.New(page).Option("missingkey=error").Parse(text))
	var b bytes.Buffer
	check(form.Execute(&b, values))
	check(os.WriteFile(page, b.Bytes(), 0o600))
}

// cellsOf are the first cells of rows.
func cellsOf(size int, names []string) (all []cell) {
	for _, name := range names {
		all = append(all, cell{size: size, what: name})
	}
	return all
}

// peersTable is a table with a column for each peer.
func (p peersPage) peersTable(head, align string, rows []cell, describe func(cell) string) string {
	all := [][]string{{head}, {"---"}}
	for _, one := range p.peers {
		all[0], all[1] = append(all[0], one.name), append(all[1], align)
	}
	for _, at := range rows {
		row := []string{at.what}
		if head == "bytes" { // of all sizes
			row[0] = fmt.Sprintf("%s, %d records", at.what, at.size)
		}
		for _, at.peer = range p.peers {
			row = append(row, describe(at))
		}
		all = append(all, row)
	}
	return joinTable(all...)
}

// describeCost says what a step takes, beside ours.
func (p peersPage) describeCost(at cell) string {
	got, ok := p.took[at]
	both := short(inMS(got.cpu)) + " / " + short(inMS(got.wall))
	switch ours := p.took[cell{at.size, at.what, p.peers[0]}]; {
	case !ok:
		return strings.TrimSuffix("- "+at.lines["lacks "+at.what], " ")
	case at.peer == p.peers[0]:
		return both
	default:
		return fmt.Sprintf("%s (%.2f / %.2f)", both, inMS(got.cpu)/inMS(ours.cpu), inMS(got.wall)/inMS(ours.wall))
	}
}

// describeLines lists the commands by which something was done.
func (p peersPage) describeLines(kind string, names []string) string {
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "- %s\n", name)
		for _, peer := range p.peers {
			if line := peer.lines[kind+" "+name]; line != "" {
				fmt.Fprintf(&b, "  - %s: `%s`\n", peer.name, strings.Join(strings.Fields(line), " "))
			}
		}
	}
	return b.String()
}
