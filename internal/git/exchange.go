package git

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"
)

// quiet returns the options under which git exchanges refs with a remote: no hook of this clone runs, and an object name
// is never taken for a ref of the same name.
func quiet() []string {
	return []string{"-c", "core.hooksPath=" + os.DevNull, "-c", "core.warnAmbiguousRefs=false"}
}

// FetchInto brings what the refspecs name and nothing else: no tags, nothing of the configuration, no FETCH_HEAD. What the remote
// no longer holds stays. A clone that fetches only a part of the objects gets these whole. What was brought was synced to disk. No
// refspec is no fetch.
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
	run := r.outward()
	args := append(quiet(), "-c", "core.fsync=objects", "-c", "core.fsyncMethod=fsync",
		"-c", "advice.fetchShowForcedUpdates=false", "fetch", run.loudness(),
		"--no-tags", "--no-write-fetch-head", "--no-prune", "--no-auto-maintenance",
		"--no-recurse-submodules", "--no-write-commit-graph", "--no-show-forced-updates", "--no-filter", "--refmap=",
		"--stdin", "--", remote)
	return run.do(ctx, strings.NewReader(lines.String()), fmt.Sprintf("fetch from %q", remote), args...)
}

// anonymously is how long a remote is asked whether it answers everybody.
const anonymously = 10 * time.Second

// ListsAnonymously reports whether a server of the web lists the refs of a repository for somebody who has no name, no
// password, no key and no configuration but for the ways out (proxies, certificates). The address is rewritten as git
// rewrites it. What is not reached over http, https or git needs the rights of an account, and is not asked.
func (r *Repo) ListsAnonymously(ctx context.Context, address string) bool {
	ctx, cancel := context.WithTimeout(ctx, anonymously)
	defer cancel()
	out, err := r.run.output(ctx, nil, "ls-remote", "--get-url", "--", address)
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
	nobody := r.outward()
	nobody.dir, nobody.env = os.TempDir(), nobodyEnv(nobody.env)
	_, err = nobody.output(ctx, nil, append(ways, "ls-remote", "--quiet", "--", bare)...)
	return err == nil
}

// VerifiesTLS reports whether git checks who answers at an address over https.
func (r *Repo) VerifiesTLS(ctx context.Context, address string) (bool, error) {
	if _, off := r.Env("GIT_SSL_NO_VERIFY"); off {
		return false, nil
	}
	out, err := r.run.output(ctx, nil, "config", "--type=bool", "--get-urlmatch", "http.sslVerify", address)
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

// waysOut returns the options that hold what the user has configured for reaching an address, without what tells who asks.
func (r *Repo) waysOut(ctx context.Context, address string) ([]string, error) {
	out, err := r.run.output(ctx, nil, "config", "-z", "--get-urlmatch", "http", address)
	if err != nil && exitCode(err) != 1 {
		return nil, fmt.Errorf("read configuration for %q: %w", address, err)
	}
	var args []string
	for entry := range strings.SplitSeq(string(out), "\x00") {
		key, value, set := strings.Cut(entry, "\n")
		switch strings.ToLower(key) {
		case "http.proxy", "http.sslcainfo", "http.sslcapath", "http.sslverify", "http.sslbackend", "http.sslversion", "http.version":
			if set {
				args = append(args, "-c", key+"="+value)
			}
		}
	}
	return args, nil
}

// nobodyEnv is the environment of somebody whom no server knows.
func nobodyEnv(env []string) []string {
	var kept []string
	for _, entry := range env {
		name, _, _ := strings.Cut(entry, "=")
		rest, isGit := strings.CutPrefix(name, "GIT_")
		if (!isGit || wayOut(rest)) && !strings.HasPrefix(name, "SSH_") && name != "HOME" && name != "XDG_CONFIG_HOME" {
			kept = append(kept, entry)
		}
	}
	return append(kept, "HOME="+os.DevNull, "XDG_CONFIG_HOME="+os.DevNull, "GIT_DIR="+os.DevNull,
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "GCM_INTERACTIVE=never")
}

// wayOut reports whether a variable of git's, without its prefix, says how a server is reached, and not by whom.
func wayOut(variable string) bool {
	switch variable {
	case "EXEC_PATH", "SSL_CAINFO", "SSL_CAPATH", "SSL_NO_VERIFY", "SSL_VERSION", "PROXY_SSL_CAINFO":
		return true
	}
	return false
}

// Offline returns the repository as one whose processes reach no server by themselves. What a
// partial clone has not fetched is missing then, or an error, and nobody waits for it. What is
// meant to go to a remote, such as [Repo.LsRemote], does all the same.
func (r *Repo) Offline() *Repo {
	near := *r
	near.run.offline = true
	return &near
}

// offline are the variables under which git reaches no server. The first is enough for a git that
// knows it.
func offline() []string {
	return []string{"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0"}
}

// outward is the runner of a call that is meant to reach a remote.
func (r *Repo) outward() runner {
	run := r.run
	run.offline, run.watch = false, r.watch
	return run
}

// Layout is whether a repository has a work tree.
type Layout int

// The layouts of a new repository.
const (
	WithWorkTree Layout = iota
	WithoutWorkTree
)

// Init makes a repository in dir whose first branch is main.
func Init(ctx context.Context, dir string, layout Layout, env []string) error {
	args := []string{"init", "--quiet", "--initial-branch=main"}
	if layout == WithoutWorkTree {
		args = append(args, "--bare")
	}
	return porcelain(ctx, ".", env, append(args, "--", dir)...)
}

// Clone clones the repository at source into dir.
func Clone(ctx context.Context, source, dir string, env []string) error {
	return porcelain(ctx, ".", env, "clone", "--quiet", "--", source, dir)
}

// CommitEmpty makes a commit that changes no file.
func (r *Repo) CommitEmpty(ctx context.Context, message string) error {
	return r.run.do(ctx, nil, "commit", "commit", "--quiet", "--allow-empty", "--message="+message)
}

// Push sends refs to a remote. Each refspec is as git push takes it.
func (r *Repo) Push(ctx context.Context, remote string, refspecs ...string) error {
	args := append([]string{"push", "--quiet", "--", remote}, refspecs...)
	return r.outward().do(ctx, nil, fmt.Sprintf("push to %q", remote), args...)
}

func porcelain(ctx context.Context, dir string, env []string, args ...string) error {
	run, err := newRunner(dir, env)
	if err != nil {
		return err
	}
	return run.do(ctx, nil, "git "+args[0], args...)
}
