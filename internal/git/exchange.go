package git

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// exchangeOptions returns the options under which git exchanges refs with a remote: no hook of this clone
// runs, and an object name is never taken for a ref of the same name.
func exchangeOptions() []string {
	return []string{"-c", "core.hooksPath=" + os.DevNull, "-c", "core.warnAmbiguousRefs=false"}
}

// FetchInto brings what the refspecs name and nothing else: no tags, nothing of the configuration, no
// FETCH_HEAD. What the remote no longer holds stays. A clone that fetches only a part of the objects gets
// these whole. What was brought was synced to disk. No refspec is no fetch.
func (r *Repo) FetchInto(ctx context.Context, remote string, refspecs []string) error {
	if len(refspecs) == 0 {
		return nil
	}
	var lines strings.Builder
	for _, refspec := range refspecs {
		if refspec == "" || strings.ContainsAny(refspec, "\x00\n") {
			return fmt.Errorf("fetch from %q: %q is not a refspec", remote, refspec)
		}
		lines.WriteString(refspec + "\n")
	}
	run := r.remoteRunner()
	args := append(exchangeOptions(), "-c", "core.fsync=objects", "-c", "core.fsyncMethod=fsync",
		"-c", "advice.fetchShowForcedUpdates=false", "fetch", run.progressOption(),
		"--no-tags", "--no-write-fetch-head", "--no-prune", "--no-auto-maintenance",
		"--no-recurse-submodules", "--no-write-commit-graph", "--no-show-forced-updates", "--no-filter",
		"--refmap=",
		"--stdin", "--", remote)
	return run.runStep(ctx, strings.NewReader(lines.String()), fmt.Sprintf("fetch from %q", remote), args...)
}

// anonymously is how long a remote is asked whether it answers everybody.
const anonymously = 10 * time.Second

// ListsAnonymously reports whether a server of the web lists the refs of a repository for somebody who has no
// name, no password, no key and no configuration but for the ways out (proxies, certificates). The address is
// rewritten as git rewrites it. What is not reached over http, https or git needs the rights of an account,
// and is not asked.
func (r *Repo) ListsAnonymously(ctx context.Context, address string) bool {
	ctx, cancel := context.WithTimeout(ctx, anonymously)
	defer cancel()
	out, err := r.run.readOutput(ctx, nil, "ls-remote", "--get-url", "--", address)
	if err != nil {
		return false
	}
	bare, ok := withoutUser(strings.TrimSuffix(string(out), "\n"))
	if !ok { // Who rewrites the web to a way with an account still asks the web.
		bare, ok = withoutUser(address)
	}
	if !ok {
		return false
	}
	ways, err := r.waysOut(ctx, bare)
	if err != nil {
		return false
	}
	nobody := r.remoteRunner()
	nobody.dir, nobody.env = os.TempDir(), nobodyEnv(nobody.env)
	_, err = nobody.readOutput(ctx, nil, append(ways, "ls-remote", "--quiet", "--", bare)...)
	return err == nil
}

// VerifiesTLS reports whether git checks who answers at an address over https.
func (r *Repo) VerifiesTLS(ctx context.Context, address string) (bool, error) {
	if _, off := r.Env("GIT_SSL_NO_VERIFY"); off {
		return false, nil
	}
	out, err := r.run.readOutput(ctx, nil, "config", "--type=bool", "--get-urlmatch", "http.sslVerify",
		address)
	if exitCode(err) == notSet {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("read configuration for %q: %w", address, err)
	}
	return strings.TrimSpace(string(out)) == "true", nil
}

// withoutUser returns an address of the web without the name and the password in it.
func withoutUser(address string) (string, bool) {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return "", false
	}
	switch parsed.Scheme {
	case "http", "https", "git":
		parsed.User = nil
		return parsed.String(), true
	}
	return "", false
}

// waysOut returns the options that hold what the user has configured for reaching an address, without what
// tells who asks.
func (r *Repo) waysOut(ctx context.Context, address string) ([]string, error) {
	out, err := r.run.readOutput(ctx, nil, "config", "-z", "--get-urlmatch", "http", address)
	if err != nil && exitCode(err) != 1 {
		return nil, fmt.Errorf("read configuration for %q: %w", address, err)
	}
	var args []string
	for entry := range strings.SplitSeq(string(out), "\x00") {
		key, value, set := strings.Cut(entry, "\n")
		switch strings.ToLower(key) {
		case "http.proxy", "http.sslcainfo", "http.sslcapath", "http.sslverify", "http.sslbackend",
			"http.sslversion", "http.version":
			if set {
				args = append(args, "-c", key+"="+value)
			}
		}
	}
	return args, nil
}

// nobodyEnv is the environment of somebody whom no server knows.
func nobodyEnv(env []string) []string {
	// These say how a server is reached, and not by whom.
	waysOut := []string{
		"EXEC_PATH", "SSL_CAINFO", "SSL_CAPATH", "SSL_NO_VERIFY", "SSL_VERSION", "PROXY_SSL_CAINFO",
	}
	var kept []string
	for _, entry := range env {
		name, _, _ := strings.Cut(entry, "=")
		rest, isGit := strings.CutPrefix(name, "GIT_")
		if (!isGit || slices.Contains(waysOut, rest)) && !strings.HasPrefix(name, "SSH_") && name != "HOME" &&
			name != "XDG_CONFIG_HOME" {
			kept = append(kept, entry)
		}
	}
	return append(kept, "HOME="+os.DevNull, "XDG_CONFIG_HOME="+os.DevNull, "GIT_DIR="+os.DevNull,
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "GCM_INTERACTIVE=never")
}

// Offline returns the repository as one whose processes reach no server by themselves. What a
// partial clone has not fetched is missing then, or an error, and nobody waits for it. What is
// meant to go to a remote, such as [Repo.LsRemote], does all the same.
func (r *Repo) Offline() *Repo {
	near := *r
	near.run.offline = true
	return &near
}

// remoteRunner is the runner of a call that is meant to reach a remote.
func (r *Repo) remoteRunner() runner {
	run := r.run
	run.offline, run.watch = false, r.watch
	return run
}

// Clone clones the repository at source into dir.
func Clone(ctx context.Context, source, dir string, env []string) error {
	run, err := newRunner(".", env)
	if err != nil {
		return err
	}
	return run.runStep(ctx, nil, "git clone", "clone", "--quiet", "--", source, dir)
}

// CommitEmpty makes a commit that changes no file.
func (r *Repo) CommitEmpty(ctx context.Context, message string) error {
	return r.run.runStep(ctx, nil, "commit", "commit", "--quiet", "--allow-empty", "--message="+message)
}

// Push sends refs to a remote. Each refspec is as git push takes it.
func (r *Repo) Push(ctx context.Context, remote string, refspecs ...string) error {
	args := append([]string{"push", "--quiet", "--", remote}, refspecs...)
	return r.remoteRunner().runStep(ctx, nil, fmt.Sprintf("push to %q", remote), args...)
}

// ErrPushTooLarge says that the changes do not fit into one call. Fewer do.
var ErrPushTooLarge = errors.New("too many changes for one push")

// PushLimit is how many changes one push takes.
const PushLimit = 200

// PushChange is what shall become of one ref of a remote.
type PushChange struct {
	Ref string // Ref is the full name, required.
	New string // New is the object that the ref shall name; "" deletes it.
	// Old is what the remote must hold now; "" is no such ref. A ref is deleted only with what it holds.
	Old string
}

// PushResult is what became of one change.
type PushResult struct {
	Ref string
	OK  bool // OK says that the remote reported the ref as wished, also where it was so before.
	// Reason is why not, in the words of the remote or of git: for a person, not for a decision.
	Reason string
}

// PushRefs asks a remote for changes of its refs, each only where the ref holds what the change expects. No
// hook of this clone runs, and nothing but the changes is pushed, whatever is configured. A remote with
// several addresses for pushes has made a change where all of them have.
//
// There is one result for each change, in their order. A refused change is no error; one that deletes what is
// already gone is refused. With an error the results tell what became known before it, which is not always
// all that the remote has done: only its list of refs tells that. An error that says nothing of single refs
// is an [ExitError] with what git said. More changes than [PushLimit], or names too long for one command
// line, are [ErrPushTooLarge].
func (r *Repo) PushRefs(ctx context.Context, remote string, changes []PushChange) ([]PushResult, error) {
	results := make([]PushResult, len(changes))
	for i, change := range changes {
		results[i].Ref = change.Ref
	}
	if len(changes) == 0 {
		return results, nil
	}
	options, refspecs, err := pushArguments(changes)
	if err != nil {
		return results, fmt.Errorf("push to %q: %w", remote, err)
	}
	known, err := push{repo: r, remote: remote, options: options, refspecs: refspecs}.run(ctx)
	for i := range results {
		if result, ok := known[results[i].Ref]; ok {
			results[i] = result
		}
	}
	if err != nil {
		err = fmt.Errorf("push to %q: %w", remote, err)
	}
	return results, err
}

// pushBytes bounds the command line of a push. Windows takes 32,767 characters, other systems far more.
func pushBytes() int {
	if runtime.GOOS == "windows" {
		return 30 << 10
	}
	return 120 << 10
}

// pushArguments returns the leases and the refspecs of changes.
func pushArguments(changes []PushChange) (leases, refspecs []string, err error) {
	if len(changes) > PushLimit {
		return nil, nil, ErrPushTooLarge
	}
	size := 0
	seen := map[string]bool{}
	for _, change := range changes {
		if err := change.checkRefspec(); err != nil {
			return nil, nil, err
		}
		if seen[change.Ref] {
			return nil, nil, fmt.Errorf("ref %q: it is named twice", change.Ref)
		}
		seen[change.Ref] = true
		lease, refspec := "--force-with-lease="+change.Ref+":"+change.Old, ":"+change.Ref
		if change.New != "" { // The end keeps git from taking a ref whose name looks like an object for it.
			refspec = change.New + "^{object}" + refspec
		}
		leases, refspecs = append(leases, lease), append(refspecs, refspec)
		if size += len(lease) + len(refspec) + 6; size > pushBytes() {
			return nil, nil, ErrPushTooLarge
		}
	}
	return leases, refspecs, nil
}

// checkRefspec refuses what could be read as another refspec.
func (c PushChange) checkRefspec() error {
	if !fullName(c.Ref) {
		return fmt.Errorf("ref %q: not a full name", c.Ref)
	}
	if (c.Old != "" && !IsObjectID(c.Old)) || (c.New != "" && !IsObjectID(c.New)) {
		return fmt.Errorf("ref %q: %q or %q is not an object name", c.Ref, c.Old, c.New)
	}
	if c.New == "" && c.Old == "" {
		return fmt.Errorf("ref %q: neither an object to set nor one to delete", c.Ref)
	}
	return nil
}

// fullName reports whether a name is the full name of one ref, as far as an argument of git needs it.
func fullName(ref string) bool {
	for i := range len(ref) {
		switch c := ref[i]; {
		case c <= ' ', c == 0x7f, c == ':', c == '*', c == '?', c == '[', c == '\\', c == '^', c == '~':
			return false
		}
	}
	return strings.HasPrefix(ref, "refs/")
}

// push is one call of git push.
type push struct {
	repo              *Repo
	remote            string
	options, refspecs []string
}

// runGit runs the push and returns what it prints.
func (p push) runGit(ctx context.Context) ([]byte, error) {
	run := p.repo.remoteRunner()
	// The name of a remote may hold "=", which only this way of setting a value allows.
	run.env = append(append([]string{}, run.env...), "LTM_NO_MIRROR=false")
	args := append(exchangeOptions(), "--config-env=remote."+p.remote+".mirror=LTM_NO_MIRROR",
		"push", "--porcelain", "--no-verify", "--no-signed", "--no-follow-tags", "--recurse-submodules=no")
	if run.watch != nil {
		args = append(args, run.progressOption())
	}
	args = append(append(args, p.options...), "--", p.remote)
	return run.readOutput(ctx, nil, append(args, p.refspecs...)...)
}

// run pushes and returns what git reported. Where it reported every ref, refused or not, there is
// no error.
func (p push) run(ctx context.Context) (pushReport, error) {
	out, err := p.runGit(ctx)
	report := parsePush(string(out))
	if refused, ok := errors.AsType[*ExitError](err); ok && refused.Code == 1 && len(report) == len(p.refspecs) {
		for ref, result := range report {
			if words := serverWords(refused.Stderr); words != "" && !result.OK {
				result.Reason += ": " + words
				report[ref] = result
			}
		}
		return report, nil
	}
	if err == nil && len(report) != len(p.refspecs) {
		return report, fmt.Errorf("git push: it reported %d of %d refs", len(report), len(p.refspecs))
	}
	return report, err
}

// RefsForPush returns the names below a prefix, such as "refs/ltm/", of the refs that a remote
// shows to whoever pushes: one can hide from those who fetch what it takes from those who push. It
// asks what a push would delete there, and changes nothing. A remote that shows no ref at all is an
// error.
func (r *Repo) RefsForPush(ctx context.Context, remote, prefix string) ([]string, error) {
	p := push{repo: r, remote: remote, options: []string{"--dry-run", "--prune"}}
	p.refspecs = []string{strings.TrimSuffix(prefix, "/") + "-none/*:" + prefix + "*"}
	out, err := p.runGit(ctx)
	if err != nil {
		return nil, fmt.Errorf("list what may be pushed to %q: %w", remote, err)
	}
	return slices.Sorted(maps.Keys(parsePush(string(out)))), nil
}

// serverWords are what the hooks of a remote said, on one line. A line that is drawn anew is progress, and which ref
// a hook declined git reports.
func serverWords(stderr string) string {
	var said []string
	for line := range strings.Lines(stderr) {
		words, is := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "remote: ")
		if words = strings.TrimSpace(words); is && words != "" && !strings.Contains(words, "\r") &&
			!strings.HasPrefix(words, "error: hook declined ") {
			said = append(said, words)
		}
	}
	text := strings.Join(said, " ")
	return text[:min(len(text), reasonLimit)]
}

// pushReport is what git push said of refs, by their names.
type pushReport map[string]PushResult

// reasonLimit bounds what is kept of the words of a remote.
const reasonLimit = 1000

// parsePush reads the lines of git push --porcelain: a flag, from and to, and a summary, with tabs between
// them. A ref that is reported for several addresses is as the worst of them.
func parsePush(text string) pushReport {
	report := pushReport{}
	for line := range strings.Lines(text) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		if len(fields) != 3 || len(fields[0]) != 1 {
			continue
		}
		ref := fields[1][strings.LastIndexByte(fields[1], ':')+1:]
		result := PushResult{Ref: ref, OK: strings.IndexByte(" +-*=", fields[0][0]) >= 0}
		if !result.OK {
			result.Reason = fields[2][:min(len(fields[2]), reasonLimit)]
		}
		if before, ok := report[ref]; !ok || before.OK {
			report[ref] = result
		}
	}
	return report
}
