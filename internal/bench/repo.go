package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/program"
)

// A style says whose the records of a repository are, and how they came there.
type style string

// The styles.
const (
	own       style = "own"       // This clone made them.
	strangers style = "strangers" // Plain git brought them, and nothing here trusts them.
	pulled    style = "pulled"    // 'git ltm pull' brought them, and nothing here trusts them.
)

func styles() []style { return []style{own, strangers, pulled} }

// settled is how long refs have to lie still until a stamp of them is trusted.
const settled = 2500 * time.Millisecond

// repo is a repository with a number of records, and a clone of it that git-ltm was never run in.
type repo struct {
	tools  tools
	home   string // the folder of everything that is made here
	dir    string
	remote string // a bare repository that holds the same records
	size   int
	style  style
	env    []string
	words  words

	commit  string
	packets []packet.ID // in the order of their ids
	attempt string      // a command that failed, as one of the packets says
	count   int         // of what was made up so far
	synced  bool
}

// newRepo makes a repository below a folder. Nobody has looked into it yet.
func newRepo(ctx context.Context, t tools, home string, s style, size int) *repo {
	home = must(filepath.Abs(home))
	r := &repo{
		tools: t, home: home, dir: filepath.Join(home, "repo"), remote: filepath.Join(home, "remote.git"),
		size: size, style: s,
		env: environment(home), words: newWords(uint64(size) + 1), // Others than those of the template.
	}
	from := filepath.Join(home, "template")
	within(fmt.Sprintf("make %d records", size), func() { r.fillTemplate(ctx, from) })
	r.placeTemplate(ctx, from)
	// Reads what the template says about itself.
	names := readNames(from)
	for _, line := range names {
		if id, ok := strings.CutPrefix(line.name, "packets/"); ok {
			r.packets = append(r.packets, packet.ID(id))
		}
	}
	slices.Sort(r.packets)
	r.commit = r.runGit(ctx, "-C", from, "rev-parse", "HEAD")
	data := r.runGit(ctx, "-C", from, "cat-file", "blob", "refs/ltm/packets/"+string(r.middlePacket()))
	for _, a := range must(packet.Parse([]byte(data), packet.Stored)).Packet().Attempts {
		r.attempt = a.Tried
	}
	switch s {
	case own:
		made := make([]journal.Entry, 0, len(names)) // This clone made them, as it notes of each that it saves.
		for _, n := range names {
			made = append(made, journal.Entry{Key: n.name, Value: n.oid + " made"})
		}
		check(journal.Open(local.At(filepath.Join(r.dir, ".git", "ltm", "seen"))).Append(made))
	case pulled:
		r.runLTM(ctx, "pull")
	case strangers:
	}
	return r
}

// environment is that of a person who has no settings.
func environment(home string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(home, "home"), "GIT_CONFIG_NOSYSTEM=1",
		"LC_ALL=C", "TZ=UTC",
		"GIT_AUTHOR_NAME=Bench", "GIT_AUTHOR_EMAIL=bench@example.com",
		"GIT_COMMITTER_NAME=Bench", "GIT_COMMITTER_EMAIL=bench@example.com",
	}
}

// placeTemplate copies the template to where it is used.
func (r *repo) placeTemplate(ctx context.Context, from string) {
	inner := os.DirFS(filepath.Join(from, ".git"))
	check(os.CopyFS(r.remote, inner))
	r.runGit(ctx, "-C", r.remote, "config", "core.bare", "true")
	if r.style == pulled {
		r.cloneEmpty(ctx, r.dir)
	} else {
		check(os.CopyFS(filepath.Join(r.dir, ".git"), inner))
		for _, args := range [][]string{
			{"remote", "add", "origin", "file://" + r.remote},
			{"fetch", "-q", "origin"},
			{"reset", "-q", "--hard"},
			{"config", "gc.auto", "0"},
		} {
			r.runGit(ctx, append([]string{"-C", r.dir}, args...)...)
		}
	}
	// Makes the files of the tree an hour old: git reads those again that are as young as its index.
	old := time.Now().Add(-time.Hour)
	for _, file := range must(filepath.Glob(filepath.Join(r.dir, "src", "*"))) {
		check(os.Chtimes(file, old, old))
	}
	r.runGit(ctx, "-C", r.dir, "update-index", "-q", "--refresh")
}

// cloneEmpty makes a clone of the remote that holds no records, in the place of what was there.
func (r *repo) cloneEmpty(ctx context.Context, dir string) string {
	check(os.RemoveAll(dir))
	r.runGit(ctx, "-C", r.home, "clone", "-q", "-c", "gc.auto=0", "file://"+r.remote, dir)
	check(os.RemoveAll(filepath.Join(dir, ".git", "hooks")))
	return dir
}

// middlePacket is a packet from the middle.
func (r *repo) middlePacket() packet.ID { return r.packets[len(r.packets)/2] }

// A named is a line of packed refs; the name is that behind refs/ltm.
type named struct{ oid, name string }

// readNames reads the names of all records of a template.
func readNames(from string) (all []named) {
	for line := range strings.Lines(string(must(os.ReadFile(filepath.Join(from, ".git", "packed-refs"))))) {
		if oid, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " refs/ltm/"); ok {
			all = append(all, named{oid, name})
		}
	}
	return all
}

// fillTemplate makes a repository with a tree of a hundred files and the records in one pack, with packed
// refs.
func (r *repo) fillTemplate(ctx context.Context, dir string) {
	made := newWords(uint64(r.size))
	check(made.writeTree(filepath.Join(dir, "src")))
	for _, args := range [][]string{ // What the first commit changed says nothing of a file, so there are two.
		{"init", "-q", "-b", "main"},
		{"commit", "-q", "--allow-empty", "-m", "start"},
		{"add", "."},
		{"commit", "-q", "-m", "work"},
	} {
		r.runGit(ctx, append([]string{"-C", dir}, args...)...)
	}
	f := filler{
		words: made, commit: r.runGit(ctx, "-C", dir, "rev-parse", "HEAD"),
		start: time.Now().Add(-time.Duration(r.size) * time.Minute),
	}
	in, out := io.Pipe()
	names := make([]string, r.size)
	go func() { _ = out.CloseWithError(f.writeRecords(out, names)) }()
	marks := filepath.Join(dir, ".git", "marks")
	run(ctx, program.Command{
		File: "git", Args: []string{"-C", dir, "fast-import", "--quiet", "--export-marks=" + marks},
		Dir: r.home, Env: r.env, Stdin: in,
	})
	lines := make([]string, 0, r.size)
	for line := range strings.Lines(string(must(os.ReadFile(marks)))) {
		var mark int
		var oid string
		must(fmt.Sscanf(line, ":%d %s", &mark, &oid))
		lines = append(lines, names[mark-1]+" "+oid)
	}
	slices.Sort(lines)
	packed := "# pack-refs with: peeled fully-peeled sorted \n"
	for i, line := range lines {
		name, oid, _ := strings.Cut(line, " ")
		lines[i] = oid + " refs/ltm/" + name + "\n"
	}
	check(os.WriteFile(filepath.Join(dir, ".git", "packed-refs"), []byte(packed+strings.Join(lines, "")), 0o600))
}

// warmUp lets git-ltm look at everything once, and then again when the refs have lain still.
func (r *repo) warmUp(ctx context.Context) {
	for range 5 { // Some records are no longer than a few saves old, and lie in refs of their own.
		r.runLTM(ctx, "note", r.words.makeText(100))
	}
	for range 2 {
		r.runLTM(ctx, "skip", "check", "make the index")
		r.runLTM(ctx, "status")
		time.Sleep(settled)
	}
}

// runGit runs git for the set-up, and returns what it printed.
func (r *repo) runGit(ctx context.Context, args ...string) string {
	done := run(ctx, program.Command{File: "git", Args: args, Dir: r.home, Env: r.env})
	return strings.TrimSpace(string(done.Stdout))
}

// runLTM runs git-ltm for the set-up.
func (r *repo) runLTM(ctx context.Context, args ...string) {
	run(ctx, program.Command{File: r.tools.ltm, Args: args, Dir: r.dir, Env: r.env})
}

// run runs a program to its end.
func run(ctx context.Context, c program.Command) program.Result { return must(runProgram(ctx, c)) }

// runProgram runs a program to its end, which is found on the path of this process.
func runProgram(ctx context.Context, c program.Command) (program.Result, error) {
	name := c.File
	c.File = must(program.Find(name, "", os.Getenv("PATH")))
	done, err := c.Run(ctx)
	if err != nil {
		err = fmt.Errorf("%s %s: %w: %s", filepath.Base(name),
			strings.Join(c.Args[:min(3, len(c.Args))], " "), err, done.Stderr)
	}
	return done, err
}
