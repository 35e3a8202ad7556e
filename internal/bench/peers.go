package main

import (
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
