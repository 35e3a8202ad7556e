package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/program"
)

// repo is a repository with a number of packets, all packed.
type repo struct {
	bin, dir string
	env      []string
	n        int
	words    []string
	style    string // style is what the repository is made for beside packets; "" for nothing.
	middle   packet.ID
	commit   string
	rand     *rand.Rand
}

// vocabulary is what the text of the packets is made of.
const vocabulary = `cache build parser retry branch merge timeout worker queue index packet remote signature blob ref
	latency budget migration schema replica fallback vendor upgrade fixture snapshot compiler linker socket listener encoder
	decision because instead never always only until after before with without under over between`

func newRepo(dir string, n int) *repo {
	return &repo{
		bin: dir, dir: filepath.Join(dir, fmt.Sprint("repo-", n)), n: n, words: strings.Fields(vocabulary),
		rand: rand.New(rand.NewPCG(1, uint64(n))), //nolint:gosec // The text must be the same in each run.
		env: []string{
			"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(dir, "home"), "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C", "TZ=UTC",
			"GIT_AUTHOR_NAME=Bench", "GIT_AUTHOR_EMAIL=bench@example.com",
			"GIT_COMMITTER_NAME=Bench", "GIT_COMMITTER_EMAIL=bench@example.com",
		},
	}
}

// filled makes the repository in a process of its own, and picks a packet from
// its middle.
func (r *repo) filled(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if _, err := run(ctx, program.Command{File: self, Args: []string{fillVerb, r.bin, strconv.Itoa(r.n), r.style}}); err != nil {
		return err
	}
	id, err := os.ReadFile(filepath.Join(r.dir, "middle"))
	if err != nil {
		return err
	}
	r.middle, err = packet.ParseID(string(id))
	return err
}

// start makes a repository with one commit.
func (r *repo) start(ctx context.Context) error {
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"commit", "-q", "--allow-empty", "-m", "start"}} {
		if err := os.MkdirAll(r.dir, 0o750); err != nil {
			return err
		}
		if _, err := r.git(ctx, nil, r.dir, args...); err != nil {
			return err
		}
	}
	head, err := r.git(ctx, nil, r.dir, "rev-parse", "HEAD")
	r.commit = strings.TrimSpace(string(head))
	return err
}

// fill imports the packets in one pack and creates their refs in one
// transaction.
func (r *repo) fill(ctx context.Context) error {
	if err := r.start(ctx); err != nil {
		return err
	}
	marks := filepath.Join(r.bin, "marks")
	ids, kinds := make([]packet.ID, r.n), make([]string, r.n)
	start := time.Now().Add(-time.Duration(r.n) * time.Minute)
	in, out := io.Pipe()
	go func() { _ = out.CloseWithError(r.writeRecords(out, ids, kinds, start)) }()
	if _, err := r.git(ctx, in, r.dir, "fast-import", "--quiet", "--export-marks="+marks); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(r.dir, "middle"), []byte(ids[r.n/2]), 0o600); err != nil {
		return err
	}
	text, err := os.ReadFile(marks)
	if err != nil {
		return err
	}
	var script bytes.Buffer
	var made []journal.Entry
	for line := range strings.Lines(string(text)) {
		var mark int
		var oid string
		if _, err := fmt.Sscanf(line, ":%d %s", &mark, &oid); err != nil {
			return err
		}
		name := kinds[mark-1] + "/" + string(ids[mark-1])
		fmt.Fprintf(&script, "create refs/ltm/%s %s\n", name, oid)
		made = append(made, journal.Entry{Key: name, Value: oid + " made"})
	}
	if err := r.claim(made); err != nil {
		return err
	}
	if _, err := r.git(ctx, &script, r.dir, "update-ref", "--stdin"); err != nil {
		return err
	}
	if _, err := r.git(ctx, nil, r.dir, "pack-refs", "--all"); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.bin, "packet.json"), r.packet("", time.Time{}), 0o600)
}

// writeRecords writes the records for an import, a minute apart, and notes their ids and kinds.
func (r *repo) writeRecords(out io.Writer, ids []packet.ID, kinds []string, start time.Time) error {
	for i := range ids {
		at := start.Add(time.Duration(i) * time.Minute)
		id, err := packet.NewID(at, bytesOf{r.rand}, "")
		if err != nil {
			return err
		}
		var data []byte
		if ids[i], kinds[i] = id, "packets"; r.forHooks() {
			kinds[i], data = r.mixed(i, id, at)
		} else {
			data = r.packet(id, at)
		}
		if _, err := fmt.Fprintf(out, "blob\nmark :%d\ndata %d\n%s\n", i+1, len(data), data); err != nil {
			return err
		}
	}
	return nil
}

// packet writes a packet of 2 to 4 KB. Without an id it is a draft.
func (r *repo) packet(id packet.ID, at time.Time) []byte {
	text := func(n int) string {
		var b strings.Builder
		for b.Len() < n {
			b.WriteString(r.words[r.rand.IntN(len(r.words))] + " ")
		}
		return strings.TrimSpace(b.String())
	}
	rec := new(packet.Record)
	set := func(name string, value any) {
		if err := rec.Set(name, value); err != nil {
			panic(err)
		}
	}
	if id != "" {
		set("ltm_version", packet.Version)
		set("id", string(id))
		set("created_at", at.UTC().Format(time.RFC3339))
		set("anchor", map[string]any{"branch": "main", "commit": r.commit})
	}
	set("goal", text(120))
	set("next_step", text(100))
	set("constraints", []string{text(90), text(90)})
	set("provenance", map[string]string{"author_human": "Bench"})
	var decisions, attempts []map[string]any
	for range 4 {
		decisions = append(decisions, map[string]any{"what": text(100), "why": text(120 + r.rand.IntN(200)), "locked": r.rand.IntN(2) == 0})
		attempts = append(attempts, map[string]any{"tried": text(100), "outcome": "failed", "learned": text(120 + r.rand.IntN(200))})
	}
	set("decisions", decisions)
	set("attempts", attempts)
	return rec.Encode()
}

// git runs git for the set-up.
func (r *repo) git(ctx context.Context, in io.Reader, dir string, args ...string) ([]byte, error) {
	done, err := run(ctx, program.Command{File: "git", Args: args, Dir: dir, Env: r.env, Stdin: in})
	return done.Stdout, err
}

// bytesOf reads random bytes.
type bytesOf struct{ *rand.Rand }

func (h bytesOf) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(h.Uint32() & 0xFF)
	}
	return len(p), nil
}
