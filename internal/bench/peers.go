package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/template"
)

// peersVerb is the first argument of a run that measures git-ltm beside what people would use instead, and
// writes the page that is its second argument. More arguments are numbers of records.
const peersVerb = "peers"

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
func (s shell) runLine(ctx context.Context, text string, more ...string) (sample, error) {
	dir := s.place + "/a"
	if _, err := os.Stat(dir); err != nil {
		dir = s.place
	}
	return s.measureCall(ctx, call{
		file: "sh", args: []string{"-c", ". $FUNCTIONS\n" + text}, dir: dir, env: slices.Concat(s.vars, more),
	})
}

// makePlace makes a remote with so many commits, and two clones of it.
func (s shell) makePlace(ctx context.Context, commits int) error {
	err := os.MkdirAll(s.place, 0o750)
	if err == nil {
		_, err = s.runLine(ctx, fmt.Sprint("make_place ", commits))
	}
	return err
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

// A timing is what one step of a peer took, in milliseconds.
type timing struct {
	cpu, wall float64
	bytes     int // that it printed
}

// benchPage measures for a page that is written anew, with programs that are built for it.
func benchPage(ctx context.Context, args []string, usual []int,
	measure func(t tools, page string, sizes []int) error,
) error {
	if len(args) < 2 {
		return fmt.Errorf("%s takes the page that it writes, and numbers of records", args[0])
	}
	sizes, err := readSizes(args[2:], usual)
	if err == nil {
		err = adoptOrphans()
	}
	if err != nil {
		return err
	}
	return withPrograms(ctx, "", func(t tools) error {
		t.adopted = true
		return measure(t, args[1], sizes)
	})
}

// readSizes reads numbers of records, or returns the usual ones.
func readSizes(words []string, usual []int) (sizes []int, err error) {
	for _, word := range words {
		n, err := strconv.Atoi(word)
		if err != nil || n < 10 {
			return nil, fmt.Errorf("%q is no number of records, of which there are 10 at least", word)
		}
		sizes = append(sizes, n)
	}
	if len(sizes) == 0 {
		return usual, nil
	}
	return sizes, nil
}

// measurePeers installs and measures the peers with the programs of ours, and writes the page.
func measurePeers(ctx context.Context, out io.Writer, t tools, page string, sizes []int) (err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	folder := filepath.Join(cache, "git-ltm-peers")
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return err
	}
	home, err := os.MkdirTemp("", "git-ltm-peers-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	r := &repo{tools: t, home: home, dir: home, env: environment(home), words: newWords(7)}
	if err := os.WriteFile(filepath.Join(home, "functions"), []byte(shellFunctions), 0o600); err != nil {
		return err
	}
	p := peersPage{sizes: sizes, versions: map[string]string{}, took: map[int]map[string]map[string]timing{}}
	listed, abilities := readPeers(peersText)
	p.abilities = abilities
	all := slices.DeleteFunc(listed, func(one *peer) bool {
		if one.lines["try"] != "" {
			p.missing = append(p.missing, missingPeer{peer: one})
			return true
		}
		s := newShell(r, folder, home)
		_, failed := s.runLine(ctx, one.lines["install"]+"\ntrue", usersEnvironment()...)
		version, unknown := s.runLine(ctx, one.lines["version"])
		if errors.Join(failed, unknown) != nil {
			one.lines["try"] = one.lines["install"]
			p.missing = append(p.missing, missingPeer{one, lastLine(errors.Join(failed, unknown))})
			return true
		}
		p.versions[one.name] = strings.Join(strings.Fields(version.out), " ")
		return false
	})
	for _, size := range sizes {
		if p.took[size], err = comparePeers(ctx, out, r, folder, all, size); err != nil {
			return fmt.Errorf("%d records: %w", size, err)
		}
	}
	if p.able, err = tryAbilities(ctx, out, r, folder, all, abilities); err != nil {
		return err
	}
	for i, one := range p.missing {
		if one.said != "" {
			continue
		}
		s := newShell(r, folder, filepath.Join(home, fmt.Sprint("try-", i)))
		if err := s.makePlace(ctx, 1); err != nil {
			return err
		}
		got, failed := s.runLine(ctx, one.lines["try"], usersEnvironment()...)
		if failed != nil {
			p.missing[i].said = lastLine(failed)
		} else {
			p.missing[i].said = strings.Join(strings.Fields(got.out), " ")
		}
	}
	p.peers = all
	return p.writeFile(ctx, page)
}

// usersEnvironment is what installing needs to know of the user: the network, and the caches.
func usersEnvironment() []string {
	return slices.DeleteFunc(os.Environ(), func(one string) bool {
		return strings.HasPrefix(one, "PATH=") || strings.HasPrefix(one, "GIT_")
	})
}

// comparePeers measures every step of every peer in turn.
func comparePeers(ctx context.Context, out io.Writer, r *repo, folder string, all []*peer, size int,
) (map[string]map[string]timing, error) {
	if err := errors.Join(r.writeTexts(size), os.WriteFile(filepath.Join(r.home, "small"),
		[]byte(r.words.makeText(5000)), 0o600)); err != nil {
		return nil, err
	}
	shells := map[string]shell{}
	for i, one := range all {
		s, err := one.filledShell(ctx, r, folder, fmt.Sprint("at", size, "-", i), size)
		if err != nil {
			return nil, err
		}
		shells[one.name] = s
	}
	took := map[string]map[string]timing{}
	for _, step := range peerSteps() {
		cpu, wall, printed := map[string][]float64{}, map[string][]float64{}, map[string]int{}
		for n := range peerRuns + 1 {
			for _, one := range all {
				if one.lines["step "+step] == "" {
					continue
				}
				got, err := shells[one.name].runStep(ctx, one, step)
				if err != nil {
					return nil, fmt.Errorf("%s of %s: %w", step, one.name, err)
				}
				if n > 0 { // The first run warms the caches.
					cpu[one.name] = append(cpu[one.name], got.cpu.Seconds()*1e3)
					wall[one.name] = append(wall[one.name], got.wall.Seconds()*1e3)
				}
				printed[one.name] = len(got.out)
			}
		}
		took[step] = map[string]timing{}
		for name := range cpu {
			took[step][name] = timing{median(cpu[name]), median(wall[name]), printed[name]}
			if _, err := fmt.Fprintf(out, "%6d  %-32s %-14s %9.1f ms  wall %9.1f ms  %d bytes\n", size, step, name,
				took[step][name].cpu, took[step][name].wall, printed[name]); err != nil {
				return nil, err
			}
		}
	}
	return took, nil
}

// writeTexts makes so many texts up.
func (r *repo) writeTexts(n int) error {
	var b strings.Builder
	for range n {
		b.WriteString(r.words.makeText(200) + "\n")
	}
	return os.WriteFile(filepath.Join(r.home, "texts"), []byte(b.String()), 0o600)
}

// filledShell is a shell in a place of its own, in which a peer stored all texts.
func (p *peer) filledShell(ctx context.Context, r *repo, tools, place string, commits int) (shell, error) {
	s := newShell(r, tools, filepath.Join(r.home, place))
	err := s.makePlace(ctx, commits)
	if err == nil {
		_, err = s.runLine(ctx, p.lines["fill"])
	}
	if err != nil {
		return s, fmt.Errorf("fill %s: %w", p.name, err)
	}
	return s, nil
}

// runStep runs a step once, with work of its own.
func (s shell) runStep(ctx context.Context, one *peer, step string) (sample, error) {
	s.count++
	event := fmt.Sprintf(`{"session_id":"peers-%d","cwd":%q,"source":"startup"}`, s.count, s.place+"/a")
	if err := errors.Join(os.WriteFile(filepath.Join(s.place, "event"), []byte(event), 0o600),
		os.RemoveAll(filepath.Join(s.place, "fresh"))); err != nil {
		return sample{}, err
	}
	vars := []string{"TEXT=" + s.words.makeText(200), "W1=" + s.words.own[4], "W2=" + s.words.own[120]}
	if before := one.lines["before "+step]; before != "" {
		if _, err := s.runLine(ctx, before, vars...); err != nil {
			return sample{}, fmt.Errorf("before: %w", err)
		}
	}
	return s.runLine(ctx, one.lines["step "+step], vars...)
}

// lastLine is what an error says in the end.
func lastLine(err error) string {
	text := strings.TrimSpace(err.Error())
	text = text[strings.LastIndex(text, "\n")+1:]
	if at := strings.LastIndex(text, ": "); at >= 0 {
		text = text[at+2:]
	}
	return text
}

// fewTexts are there where an ability is tried.
const fewTexts = 10

// tryAbilities tries what each peer can, each in a place of its own with ten records.
func tryAbilities(ctx context.Context, out io.Writer, r *repo, folder string, all []*peer, abilities []string,
) (able map[string]map[string]bool, err error) {
	able = map[string]map[string]bool{}
	if err := r.writeTexts(fewTexts); err != nil {
		return nil, err
	}
	for i, one := range abilities {
		able[one] = map[string]bool{}
		for j, p := range all {
			if p.lines["able "+one] == "" {
				continue
			}
			s, err := p.filledShell(ctx, r, folder, fmt.Sprintf("able-%d-%d", i, j), fewTexts)
			if err != nil {
				return nil, err
			}
			_, failed := s.runLine(ctx, p.lines["able "+one])
			able[one][p.name] = failed == nil
			said := "yes"
			if failed != nil {
				said = "no: " + lastLine(failed)
			}
			if _, err := fmt.Fprintf(out, "%-78s %-14s %s\n", one, p.name, said); err != nil {
				return nil, err
			}
		}
	}
	return able, nil
}

// A missingPeer is one that was not measured, and what its command said.
type missingPeer struct {
	*peer
	said string
}

// peersPage is what was measured.
type peersPage struct {
	sizes     []int
	abilities []string
	peers     []*peer
	missing   []missingPeer
	versions  map[string]string
	took      map[int]map[string]map[string]timing // by size, step and peer
	able      map[string]map[string]bool           // by ability and peer
}

//go:embed peers.md.tmpl
var peersTemplate string

// writeFile writes the page.
func (p peersPage) writeFile(ctx context.Context, page string) error {
	machine, err := machineLine(ctx)
	if err != nil {
		return err
	}
	return writePage(page, peersTemplate, map[string]any{
		"machine": machine, "runs": peerRuns, "versions": p.describeVersions(), "costs": p.describeCosts(),
		"printed": p.describePrinted(), "able": p.describeAble(), "missing": p.describeMissing(),
		"steps": p.describeLines("step", peerSteps()), "lines": p.describeLines("able", p.abilities),
	})
}

// writePage fills a template in.
func writePage(page, text string, values map[string]any) error {
	form, err := template.New(page).Option("missingkey=error").Parse(text)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := form.Execute(&b, values); err != nil {
		return err
	}
	return os.WriteFile(page, b.Bytes(), 0o600)
}

// joinTable writes a table of Markdown: the names of its columns, how they are aligned, and rows.
func joinTable(rows ...[]string) string {
	var b strings.Builder
	for _, row := range rows {
		if text := "| " + strings.Join(row, " | ") + " |\n"; row[0] != "---" {
			b.WriteString(text)
		} else {
			b.WriteString(strings.ReplaceAll(text, " ", ""))
		}
	}
	return b.String()
}

// peersTable is a table with a column for each peer, and a row for each name.
func (p peersPage) peersTable(head, align string, names []string,
	cell func(name string, one *peer) string,
) string {
	rows := [][]string{{head}, {"---"}}
	for _, one := range p.peers {
		rows[0], rows[1] = append(rows[0], one.name), append(rows[1], align)
	}
	for _, name := range names {
		row := []string{name}
		for _, one := range p.peers {
			row = append(row, cell(name, one))
		}
		rows = append(rows, row)
	}
	return joinTable(rows...)
}

func (p peersPage) describeVersions() string {
	var rows [][]string
	for _, one := range p.peers {
		rows = append(rows, []string{one.name, p.versions[one.name]})
	}
	return joinTable(rows...)
}

// describeCosts is a table for each size.
func (p peersPage) describeCosts() (text string) {
	for _, size := range p.sizes {
		head := fmt.Sprintf("%d records", size)
		text += p.peersTable(head, "---", peerSteps(), func(step string, one *peer) string {
			got, ok := p.took[size][step][one.name]
			ours := p.took[size][step][peerOurs]
			both := short(got.cpu) + " / " + short(got.wall)
			switch {
			case !ok:
				return strings.TrimSuffix("- "+one.lines["lacks "+step], " ")
			case one.name == peerOurs:
				return both
			default:
				return fmt.Sprintf("%s (%.2f / %.2f)", both, got.cpu/ours.cpu, got.wall/ours.wall)
			}
		}) + "\n"
	}
	return text
}

// describePrinted says how much was printed where an agent reads it.
func (p peersPage) describePrinted() string {
	var names []string
	all := map[string]map[string]timing{}
	for _, size := range p.sizes {
		for _, step := range []string{stepFind, stepStart} {
			name := fmt.Sprintf("%s, %d records", step, size)
			names, all[name] = append(names, name), p.took[size][step]
		}
	}
	return p.peersTable("bytes", "--:", names, func(name string, one *peer) string {
		if got, ok := all[name][one.name]; ok {
			return strconv.Itoa(got.bytes)
		}
		return "-"
	})
}

func (p peersPage) describeAble() string {
	return p.peersTable("ability", "---", p.abilities, func(name string, one *peer) string {
		switch can, tried := p.able[name][one.name]; {
		case !tried:
			return "-"
		case can:
			return "yes"
		default:
			return "**no**"
		}
	})
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

// describeMissing says who is not here, and what the attempt to install it said.
func (p peersPage) describeMissing() string {
	cell := func(text string) string {
		return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
	}
	var rows [][]string
	for _, one := range p.missing {
		why := cmp.Or(one.lines["missing"], "it cannot be installed here, or does not run")
		rows = append(rows, []string{one.name, why, "`" + cell(one.lines["try"]) + "`", cell(one.said)})
	}
	return joinTable(rows...)
}
