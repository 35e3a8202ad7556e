package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
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

// newRepo makes a repository below a folder, from a template that is made once. Nobody has looked into it
// yet.
func newRepo(ctx context.Context, t tools, home string, s style, size int) (*repo, error) {
	home, err := filepath.Abs(home)
	if err != nil {
		return nil, err
	}
	r := &repo{
		tools: t, home: home, dir: filepath.Join(home, "repo"), remote: filepath.Join(home, "remote.git"),
		size: size, style: s,
		env: environment(home), words: newWords(uint64(size) + 1), // Others than those of the template.
	}
	from, err := r.makeTemplate(ctx)
	if err != nil {
		return nil, fmt.Errorf("make a template of %d records: %w", size, err)
	}
	if err := r.placeTemplate(ctx, from); err != nil {
		return nil, err
	}
	// Reads what the template says about itself.
	names, err := readNames(from)
	for _, line := range names {
		if id, ok := strings.CutPrefix(line.name, "packets/"); ok {
			r.packets = append(r.packets, packet.ID(id))
		}
	}
	if err != nil {
		return nil, err
	}
	slices.Sort(r.packets)
	head, err := r.runGit(ctx, nil, "-C", from, "rev-parse", "HEAD")
	if err != nil {
		return nil, err
	}
	r.commit = strings.TrimSpace(string(head))
	data, err := r.runGit(ctx, nil, "-C", from, "cat-file", "blob", "refs/ltm/packets/"+string(r.middlePacket()))
	if err != nil {
		return nil, err
	}
	rec, err := packet.Parse(data, packet.Stored)
	if err != nil {
		return nil, err
	}
	for _, a := range rec.Packet().Attempts {
		r.attempt = a.Tried
	}
	switch s {
	case own:
		err = r.claimRecords(from)
	case pulled:
		err = r.runLTM(ctx, "pull")
	}
	return r, err
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
func (r *repo) placeTemplate(ctx context.Context, from string) error {
	for _, to := range []string{filepath.Join(r.dir, ".git"), r.remote} {
		if r.style == pulled && to != r.remote {
			continue
		}
		if err := os.CopyFS(to, os.DirFS(filepath.Join(from, ".git"))); err != nil {
			return err
		}
	}
	if _, err := r.runGit(ctx, nil, "-C", r.remote, "config", "core.bare", "true"); err != nil {
		return err
	}
	if r.style == pulled {
		return errors.Join(r.cloneEmpty(ctx, r.dir), r.ageFiles(ctx))
	}
	for _, args := range [][]string{
		{"remote", "add", "origin", "file://" + r.remote},
		{"fetch", "-q", "origin"},
		{"reset", "-q", "--hard"},
		{"config", "gc.auto", "0"},
	} {
		if _, err := r.runGit(ctx, nil, append([]string{"-C", r.dir}, args...)...); err != nil {
			return err
		}
	}
	return r.ageFiles(ctx)
}

// ageFiles makes the files of the tree an hour old: git reads those again that are as young as its index.
func (r *repo) ageFiles(ctx context.Context) error {
	files, err := filepath.Glob(filepath.Join(r.dir, "src", "*"))
	if err != nil {
		return err
	}
	old := time.Now().Add(-time.Hour)
	for _, file := range files {
		if err := os.Chtimes(file, old, old); err != nil {
			return err
		}
	}
	_, err = r.runGit(ctx, nil, "-C", r.dir, "update-index", "-q", "--refresh")
	return err
}

// cloneEmpty makes a clone of the remote that holds no records.
func (r *repo) cloneEmpty(ctx context.Context, dir string) error {
	if _, err := r.runGit(ctx, nil, "-C", r.home, "clone", "-q", "-c", "gc.auto=0", "file://"+r.remote,
		dir); err != nil {
		return err
	}
	return os.RemoveAll(filepath.Join(dir, ".git", "hooks"))
}

// middlePacket is a packet from the middle.
func (r *repo) middlePacket() packet.ID { return r.packets[len(r.packets)/2] }

// claimRecords notes that this clone made the records, as it does of each that it saves.
func (r *repo) claimRecords(from string) error {
	names, err := readNames(from)
	if err != nil {
		return err
	}
	made := make([]journal.Entry, 0, len(names))
	for _, n := range names {
		made = append(made, journal.Entry{Key: n.name, Value: n.oid + " made"})
	}
	return journal.Open(local.At(filepath.Join(r.dir, ".git", "ltm", "seen"))).Append(made)
}

// A named is a line of packed refs; the name is that behind refs/ltm.
type named struct{ oid, name string }

// readNames reads the names of all records of a template.
func readNames(from string) (all []named, err error) {
	text, err := os.ReadFile(filepath.Join(from, ".git", "packed-refs"))
	for line := range strings.Lines(string(text)) {
		if oid, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " refs/ltm/"); ok {
			all = append(all, named{oid, name})
		}
	}
	return all, err
}

//go:embed fill.go
var fillSource []byte

// makeTemplate returns the repository that those of a size are copied from. It is kept among the caches of
// the user, by what makes it and by the month, because records in it expire.
func (r *repo) makeTemplate(ctx context.Context) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	sum := sha256.Sum256(append(fillSource, time.Now().UTC().Format("2006-01")...))
	dir := filepath.Join(cache, "git-ltm-bench", hex.EncodeToString(sum[:4])+fmt.Sprint("-", r.size))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o750); err != nil {
		return "", err
	}
	making, err := os.MkdirTemp(filepath.Dir(dir), "making-")
	if err != nil {
		return "", err
	}
	if err := r.fillTemplate(ctx, making); err != nil {
		return "", errors.Join(err, os.RemoveAll(making))
	}
	if err := os.Rename(making, dir); err != nil {
		err = errors.Join(err, os.RemoveAll(making))
		if _, there := os.Stat(dir); there != nil {
			return "", err
		} // Another process was faster.
	}
	return dir, nil
}

// fillTemplate makes a repository with a tree of a hundred files and the records in one pack, with packed
// refs.
func (r *repo) fillTemplate(ctx context.Context, dir string) error {
	made := newWords(uint64(r.size))
	if err := made.writeTree(filepath.Join(dir, "src")); err != nil {
		return err
	}
	for _, args := range firstCommands() {
		if _, err := r.runGit(ctx, nil, append([]string{"-C", dir}, args...)...); err != nil {
			return err
		}
	}
	head, err := r.runGit(ctx, nil, "-C", dir, "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	f := filler{
		words: made, commit: strings.TrimSpace(string(head)),
		start: time.Now().Add(-time.Duration(r.size) * time.Minute),
	}
	in, out := io.Pipe()
	names := make([]string, r.size)
	go func() { _ = out.CloseWithError(f.writeRecords(out, names)) }()
	marks := filepath.Join(dir, ".git", "marks")
	if _, err := r.runGit(ctx, in, "-C", dir, "fast-import", "--quiet", "--export-marks="+marks); err != nil {
		return err
	}
	file, err := os.Open(marks)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	var lines []string
	for scan := bufio.NewScanner(file); scan.Scan(); {
		var mark int
		var oid string
		if _, err := fmt.Sscanf(scan.Text(), ":%d %s", &mark, &oid); err != nil {
			return err
		}
		lines = append(lines, "refs/ltm/"+names[mark-1]+" "+oid)
	}
	slices.Sort(lines)
	var packed bytes.Buffer
	packed.WriteString("# pack-refs with: peeled fully-peeled sorted \n")
	for _, line := range lines {
		name, oid, _ := strings.Cut(line, " ")
		fmt.Fprintf(&packed, "%s %s\n", oid, name)
	}
	return os.WriteFile(filepath.Join(dir, ".git", "packed-refs"), packed.Bytes(), 0o600)
}

// warmUp lets git-ltm look at everything once, and then again when the refs have lain still.
func (r *repo) warmUp(ctx context.Context) error {
	for range 5 { // Some records are no longer than a few saves old, and lie in refs of their own.
		if err := r.runLTM(ctx, "note", r.words.makeText(100)); err != nil {
			return err
		}
	}
	for range 2 {
		for _, args := range [][]string{{"skip", "check", "make the index"}, {"status"}} {
			if err := r.runLTM(ctx, args...); err != nil {
				return err
			}
		}
		time.Sleep(settled)
	}
	return nil
}

// runGit runs git for the set-up.
func (r *repo) runGit(ctx context.Context, in io.Reader, args ...string) ([]byte, error) {
	done, err := run(ctx, program.Command{File: "git", Args: args, Dir: r.home, Env: r.env, Stdin: in})
	return done.Stdout, err
}

// runLTM runs git-ltm for the set-up.
func (r *repo) runLTM(ctx context.Context, args ...string) error {
	_, err := run(ctx, program.Command{File: r.tools.ltm, Args: args, Dir: r.dir, Env: r.env})
	return err
}

// freshClone makes a clone that holds no records, in the place of the last one of its name.
func (r *repo) freshClone(ctx context.Context, name string) (string, error) {
	dir := filepath.Join(r.home, name)
	if err := os.RemoveAll(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return dir, r.cloneEmpty(ctx, dir)
}

// run runs a program to its end, which is found on the path of this process.
func run(ctx context.Context, c program.Command) (program.Result, error) {
	name := c.File
	var err error
	if c.File, err = program.Find(name, "", os.Getenv("PATH")); err != nil {
		return program.Result{}, err
	}
	done, err := c.Run(ctx)
	if err != nil {
		err = fmt.Errorf("%s %s: %w: %s", filepath.Base(name),
			strings.Join(c.Args[:min(3, len(c.Args))], " "), err, done.Stderr)
	}
	return done, err
}
