package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/signer/keytest"
)

// A ciJob is a step of action.yml or the job of templates/check.yml, as a
// runner would run it.
type ciJob struct {
	shell  []string
	script string
	env    map[string]string // variables, with the default inputs
	inputs map[string]string // the input that each variable stands for
	output string            // the report, in the work tree or in RUNNER_TEMP
	notes  string            // what stands in the log of a job that found the secret
}

// action is what action.yml says.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Using string
		Steps []struct {
			Name, ID, Shell, Run string
			Env                  map[string]string
		}
	}
}

// template is what templates/check.yml says, in two documents.
type template struct {
	Spec struct {
		Inputs map[string]struct{ Default any }
	}
	Job struct {
		Variables    map[string]string
		BeforeScript []string `yaml:"before_script"`
		Script       []string
		Artifacts    struct {
			When    string
			Reports map[string]string
		}
	} `yaml:"git-ltm"`
}

func readAction(t *testing.T) (a action) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// actionStep returns a step of the action.
func actionStep(t *testing.T, name string) ciJob {
	t.Helper()
	a := readAction(t)
	for _, s := range a.Runs.Steps {
		if s.Name != name {
			continue
		}
		job := ciJob{
			shell: []string{"bash", "--noprofile", "--norc", "-eo", "pipefail"}, script: s.Run,
			env: map[string]string{}, inputs: map[string]string{},
			output: "git-ltm.sarif",
			notes:  "::error file=refs/ltm-remotes/origin/packets/01JDMB4W1YNJZQR7K8F3A2H5P9,line=5,col=16,title=github-token::",
		}
		for k, v := range s.Env {
			input := regexp.MustCompile(`^\$\{\{ inputs\.([a-z-]+) \}\}$`).FindStringSubmatch(v)
			if input == nil {
				t.Fatalf("%s is %q, want one input", k, v)
			}
			job.env[k], job.inputs[input[1]] = a.Inputs[input[1]].Default, k
		}
		return job
	}
	t.Fatalf("the action has no step %q", name)
	return ciJob{}
}

// gitlabJob returns the job of the template.
func gitlabJob(t *testing.T) ciJob {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "templates", "check.yml"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var all template
	for d := yaml.NewDecoder(file); ; {
		if err := d.Decode(&all); err != nil {
			break
		}
	}
	job := ciJob{
		shell:  []string{"sh", "-e"},
		script: strings.Join(append(all.Job.BeforeScript, all.Job.Script...), "\n"),
		env:    map[string]string{}, inputs: map[string]string{},
		output: all.Job.Artifacts.Reports["codequality"], notes: "error  github-token  /goal  5:16",
	}
	for k, v := range all.Job.Variables {
		input := regexp.MustCompile(`^\$\[\[ inputs\.([a-z-]+) \]\]$`).FindStringSubmatch(v)
		if input == nil {
			t.Fatalf("%s is %q, want one input", k, v)
		}
		job.env[k], job.inputs[input[1]] = fmt.Sprint(all.Spec.Inputs[input[1]].Default), k
	}
	if job.output == "" || all.Job.Artifacts.When != "always" {
		t.Errorf("artifacts = %+v, want the report of every job", all.Job.Artifacts)
	}
	return job
}

// TestCI_inputs holds that no input becomes a part of a script: what a branch or
// a title is called could be a command.
func TestCI_inputs(t *testing.T) {
	t.Parallel()
	a := readAction(t)
	if a.Runs.Using != "composite" || len(a.Runs.Steps) != 2 {
		t.Fatalf("runs = %+v, want two steps", a.Runs)
	}
	used := map[string]bool{}
	jobs := []ciJob{gitlabJob(t)}
	for _, s := range a.Runs.Steps {
		job := actionStep(t, s.Name)
		for input := range job.inputs {
			used[input] = true
		}
		jobs = append(jobs, job)
	}
	for input := range a.Inputs {
		if !used[input] {
			t.Errorf("nothing uses the input %q", input)
		}
	}
	for _, job := range jobs {
		if strings.Contains(job.script, "${{") || strings.Contains(job.script, "$[[") || job.script == "" {
			t.Errorf("an input stands in the script:\n%s", job.script)
		}
	}
}

// A ciRun is what a job left.
type ciRun struct {
	code   int
	log    string
	report []byte
	out    string // what the step told the steps behind it
	dir    string
}

// run runs a job in a fresh clone, as a runner does.
func (job ciJob) run(t *testing.T, world ciWorld, inputs map[string]string) ciRun {
	t.Helper()
	temp := t.TempDir()
	dir := filepath.Join(temp, "work")
	world.git(t, ".", append([]string{"clone", "-q"}, append(world.clone, world.remote, dir)...)...)
	out := filepath.Join(temp, "output")
	env := slices.Concat(world.env, []string{"RUNNER_TEMP=" + temp, "GITHUB_OUTPUT=" + out})
	for k, v := range job.env {
		env = append(env, k+"="+v)
	}
	for k, v := range inputs {
		if job.inputs[k] == "" {
			t.Fatalf("the job has no input %q", k)
		}
		env = append(env, job.inputs[k]+"="+v)
	}
	file := filepath.Join(temp, "script")
	if err := os.WriteFile(file, []byte(job.script), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), job.shell[0], append(job.shell[1:], file)...)
	cmd.Dir, cmd.Env = dir, env
	log, err := cmd.CombinedOutput()
	run := ciRun{log: string(log), dir: dir}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		run.code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{filepath.Join(dir, job.output), filepath.Join(temp, job.output)} {
		if data, err := os.ReadFile(name); err == nil {
			run.report = data
		}
	}
	if data, err := os.ReadFile(out); err == nil {
		run.out = strings.ReplaceAll(string(data), temp, "TEMP")
	}
	return run
}

// A ciWorld is a remote for jobs.
type ciWorld struct {
	remote string
	env    []string
	clone  []string // options of the clone
}

func newCIWorld(t *testing.T) ciWorld {
	t.Helper()
	w := ciWorld{remote: filepath.Join(t.TempDir(), "remote.git"), env: gittest.Env(t)}
	w.git(t, ".", "init", "-q", "--bare", w.remote)
	tree := w.git(t, w.remote, "write-tree")
	w.git(t, w.remote, "update-ref", "refs/heads/main",
		w.git(t, w.remote, "commit-tree", "-m", "start", tree))
	w.plant(t, "01JDMB4W1YNJZQR7K8F3A2H5P0", "Honest")
	return w
}

func (w ciWorld) git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	return w.pipe(t, dir, "", args...)
}

func (w ciWorld) pipe(t *testing.T, dir, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir}, args...)...)
	var stderr bytes.Buffer
	cmd.Env, cmd.Stdin, cmd.Stderr = w.env, strings.NewReader(stdin), &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, &stderr)
	}
	return strings.TrimSpace(string(out))
}

// plant puts a packet into the remote, past every guard.
func (w ciWorld) plant(t *testing.T, id, goal string) {
	t.Helper()
	text := fmt.Sprintf(
		"{\n  \"ltm_version\": \"0.3\",\n  \"id\": %q,\n  \"created_at\": \"2026-01-02T03:04:05Z\",\n  \"goal\": %q,\n  \"next_step\": \"Go on\"\n}\n", id, goal)
	w.git(t, w.remote, "update-ref", "refs/ltm/packets/"+id,
		w.pipe(t, w.remote, text, "hash-object", "-w", "--stdin"))
}

// commit puts one file into the default branch of the remote.
func (w ciWorld) commit(t *testing.T, files map[string]string) {
	t.Helper()
	var tree strings.Builder
	for name, text := range files {
		fmt.Fprintf(&tree, "100644 blob %s\t%s\n", w.pipe(t, w.remote, text, "hash-object", "-w", "--stdin"),
			name)
	}
	commit := w.git(t, w.remote, "commit-tree", "-p", "main", "-m", "policy",
		w.pipe(t, w.remote, tree.String(), "mktree"))
	w.git(t, w.remote, "update-ref", "refs/heads/main", commit)
}

// ciJobs returns the jobs that check, by the system that they are for.
func ciJobs(t *testing.T) map[string]ciJob {
	t.Helper()
	return map[string]ciJob{"github": actionStep(t, "Check the memory"), "gitlab": gitlabJob(t)}
}

func (run ciRun) want(t *testing.T, code int) {
	t.Helper()
	if run.code != code {
		t.Fatalf("the job ended with %d, want %d:\n%s", run.code, code, run.log)
	}
}

func TestCI_clean(t *testing.T) {
	t.Parallel()
	for name, job := range ciJobs(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newCIWorld(t)
			run := job.run(t, w, nil)
			run.want(t, 0)
			if !json.Valid(run.report) {
				t.Errorf("the report is no JSON: %s", run.report)
			}
			if !strings.Contains(run.log, "checked 1 record: nothing found") {
				t.Errorf("log:\n%s\nwant the sum", run.log)
			}
			want := "sarif-file=TEMP/git-ltm.sarif\nexit-code=0\n"
			if job.shell[0] == "sh" {
				want = ""
			}
			if run.out != want {
				t.Errorf("outputs = %q, want %q", run.out, want)
			}
		})
	}
}

// TestCI_secret plants a secret with plain git and wants it told in the log and
// in the report, by place alone.
func TestCI_secret(t *testing.T) {
	t.Parallel()
	for _, clone := range [][]string{nil, {"--depth=1", "--no-local"}} {
		for name, job := range ciJobs(t) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := newCIWorld(t)
				w.clone = clone
				if clone != nil {
					w.remote = "file://" + w.remote
				}
				secret := secrets()["github"]
				plain := w
				plain.remote = strings.TrimPrefix(w.remote, "file://")
				plain.plant(t, "01JDMB4W1YNJZQR7K8F3A2H5P9", "Use "+secret)
				run := job.run(t, w, nil)
				run.want(t, 3)
				if !strings.Contains(run.log, job.notes) {
					t.Errorf("log:\n%s\nwant %q", run.log, job.notes)
				}
				if !bytes.Contains(run.report, []byte("github-token")) {
					t.Errorf("report %s, want the rule", run.report)
				}
				if strings.Contains(run.log+string(run.report)+run.out, secret) {
					t.Error("the job says the secret")
				}
				if shallow := w.git(t, run.dir, "rev-parse", "--is-shallow-repository"); shallow !=
					strconv.FormatBool(clone != nil) {
					t.Errorf("the clone is shallow: %s, and it was not so before", shallow)
				}
			})
		}
	}
}

// TestCI_policy shows that the default branch has the say on rules and baseline,
// and not the commit under review.
func TestCI_policy(t *testing.T) {
	t.Parallel()
	const rules = "[[rules]]\nid = \"house-number\"\ndescription = \"A number of the house\"\nregex = '''HOUSE-[0-9]{6}'''\nkeywords = [\"house-\"]\n"
	for name, job := range ciJobs(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newCIWorld(t)
			w.git(t, w.remote, "branch", "review", "main")
			w.commit(t, map[string]string{".gitleaks.toml": rules, "known": ""})
			w.plant(t, "01JDMB4W1YNJZQR7K8F3A2H5P9", "Use HOUSE-481516 there")
			w.clone = []string{"--branch", "review"}
			run := job.run(t, w, nil)
			run.want(t, 3)
			if !strings.Contains(run.log, "house-number") {
				t.Errorf("log:\n%s\nwant the rule", run.log)
			}
			job.run(t, w, map[string]string{"rules": ""}).want(t, 0)
			job.run(t, w, map[string]string{"policy-ref": ""}).want(t, 0)
			job.run(t, w, map[string]string{"policy-ref": "review"}).want(t, 0)
			job.run(t, w, map[string]string{"baseline": "known"}).want(t, 3)

			fingerprint := regexp.MustCompile(`v1:[0-9a-f]{16}`).FindString(run.log)
			w.commit(t, map[string]string{".gitleaks.toml": rules, "known": fingerprint + "\n"})
			job.run(t, w, map[string]string{"baseline": "known"}).want(t, 0)
		})
	}
}

// TestCI_policyTag shows that a tag with the name of the branch of the policy decides nothing: whoever may
// push a tag would choose the rules and the list of keys.
func TestCI_policyTag(t *testing.T) {
	t.Parallel()
	const rules = "[[rules]]\nid = \"house-number\"\nregex = '''HOUSE-[0-9]{6}'''\n"
	for name, job := range ciJobs(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newCIWorld(t)
			start := w.git(t, w.remote, "rev-parse", "main")
			w.commit(t, map[string]string{".gitleaks.toml": rules})
			w.plant(t, "01JDMB4W1YNJZQR7K8F3A2H5P9", "Use HOUSE-481516 there")
			for _, ref := range []string{
				"refs/tags/main", "refs/tags/HEAD", "refs/tags/refs/heads/main",
				"refs/heads/HEAD", "refs/heads/refs/heads/main",
			} {
				w.git(t, w.remote, "update-ref", ref, start)
			}
			w.git(t, w.remote, "branch", "review", start)
			w.clone = []string{"--branch", "review"}
			for _, policy := range []string{"main", "HEAD", "refs/heads/main"} {
				run := job.run(t, w, map[string]string{"policy-ref": policy})
				run.want(t, 3)
				if !strings.Contains(run.log, "house-number") {
					t.Errorf("with the policy of %s the log is\n%s\nwant the rule", policy, run.log)
				}
			}
			job.run(t, w, map[string]string{"policy-ref": "refs/tags/main"}).want(t, 0)

			w.git(t, w.remote, "symbolic-ref", "HEAD", "refs/heads/none")
			if run := job.run(t, w, nil); run.code == 0 || run.report != nil {
				t.Errorf("a remote without a default branch: the job ended with %d:\n%s", run.code, run.log)
			}
		})
	}
}

// TestCI_cannotLook shows that a job which cannot look is no clean one.
func TestCI_cannotLook(t *testing.T) {
	t.Parallel()
	for _, inputs := range []map[string]string{
		{"remote": "elsewhere"},
		{"policy-ref": "no-such-branch"},
		{"baseline": "no-such-file"},
		{"policy-ref": "", "baseline": "no-such-file"},
		{"policy-ref": "--upload-pack=touch pwned"},
		{"remote": "--upload-pack=touch pwned"},
		{"policy-ref": "", "remote": "$(touch pwned)"},
		{"baseline": "`touch pwned`"},
		{"rules": "x; touch pwned", "remote": "x'; touch pwned; '"},
		{"require": "good; touch pwned", "remote": "\"; touch pwned"},
	} {
		for name, job := range ciJobs(t) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := newCIWorld(t)
				run := job.run(t, w, inputs)
				if run.code == 0 {
					t.Errorf("with %v the job passes:\n%s", inputs, run.log)
				}
				if run.report != nil {
					t.Errorf("with %v there is a report: %s", inputs, run.report)
				}
				if _, err := os.Stat(filepath.Join(run.dir, "pwned")); err == nil {
					t.Errorf("an input of %v was run", inputs)
				}
			})
		}
	}
}

// TestCI_arguments shows that what a user of the action adds reaches the check.
func TestCI_arguments(t *testing.T) {
	t.Parallel()
	for name, job := range ciJobs(t) {
		if job.inputs["args"] == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newCIWorld(t)
			w.plant(t, "01JDMB4W1YNJZQR7K8F3A2H5P9", "Not signed")
			job.run(t, w, map[string]string{"args": "--require signed --quiet"}).want(t, 4)
			run := job.run(t, w,
				map[string]string{"args": "01JDMB4W1YNJZQR7K8F3A2H5P0", "sarif-file": "a b.sarif"})
			run.want(t, 0)
			if want := "sarif-file=a b.sarif\nexit-code=0\n"; run.out != want {
				t.Errorf("outputs = %q, want %q", run.out, want)
			}
		})
	}
}

// TestCI_require shows that a job asks for signatures, and takes the list of keys from the policy.
func TestCI_require(t *testing.T) {
	t.Parallel()
	for name, job := range ciJobs(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newCIWorld(t)
			key, public := keytest.SSHKey(t, "ed25519", "alice")
			w.commitKeys(t, "alice@example.com "+public+"\n")
			w.git(t, w.remote, "update-ref", "-d", "refs/ltm/packets/01JDMB4W1YNJZQR7K8F3A2H5P0")
			w.git(t, w.remote, "-c", "gpg.format=ssh", "-c", "user.signingKey="+key, "-c", "ltm.store=house",
				"ltm", "save", "--sign", "--goal", "Signed", "--next", "Go on")
			job.run(t, w, map[string]string{"require": "good"}).want(t, 0)
			w.plant(t, "01JDMB4W1YNJZQR7K8F3A2H5P9", "Unsigned")
			job.run(t, w, nil).want(t, 0)
			job.run(t, w, map[string]string{"require": "good"}).want(t, 4)
		})
	}
}

// commitKeys puts a list of keys into the default branch of the remote.
func (w ciWorld) commitKeys(t *testing.T, signers string) {
	t.Helper()
	list := fmt.Sprintf("100644 blob %s\tallowed_signers\n100644 blob %s\tstore\n",
		w.pipe(t, w.remote, signers, "hash-object", "-w", "--stdin"),
		w.pipe(t, w.remote, "house\n", "hash-object", "-w", "--stdin"))
	folder := w.pipe(t, w.remote, list, "mktree")
	tree := w.pipe(t, w.remote, fmt.Sprintf("040000 tree %s\t.ltm\n", folder), "mktree")
	w.git(t, w.remote, "update-ref", "refs/heads/main",
		w.git(t, w.remote, "commit-tree", "-p", "main", "-m", "keys", tree))
}

// TestCI_preCommit runs what the hooks of pre-commit run, over a file with a
// secret and over a record with one.
func TestCI_preCommit(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join("..", "..", ".pre-commit-hooks.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct {
		ID, Entry, Language string
		PassFilenames       *bool `yaml:"pass_filenames"`
	}
	if err := yaml.Unmarshal(data, &hooks); err != nil || len(hooks) != 2 {
		t.Fatalf("hooks = %+v, %v, want two", hooks, err)
	}
	w := newCIWorld(t)
	w.plant(t, "01JDMB4W1YNJZQR7K8F3A2H5P9", "Use "+secrets()["github"])
	file := filepath.Join(t.TempDir(), "-note.txt")
	if err := os.WriteFile(file, []byte("Use "+secrets()["github"]+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, h := range hooks {
		args := strings.Fields(h.Entry)
		if h.PassFilenames == nil || *h.PassFilenames {
			args = append(args, file)
		}
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.Dir, cmd.Env = w.remote, w.env
		out, err := cmd.CombinedOutput()
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != codeSecret ||
			h.Language != "golang" {
			t.Errorf("%s = %v, want the exit code %d:\n%s", h.ID, err, codeSecret, out)
		}
	}
}

// TestCI_install builds the program as the action does.
func TestCI_install(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds the program")
	}
	source, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	job, w, path := actionStep(t, "Install git-ltm"), newCIWorld(t), filepath.Join(t.TempDir(), "path")
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS"} {
		value, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		w.env = append(w.env, name+"="+strings.TrimSpace(string(value)))
	}
	w.env = append(w.env, "GITHUB_ACTION_PATH="+source, "GITHUB_PATH="+path)
	job.run(t, w, nil).want(t, 0)
	bin, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(strings.TrimSpace(string(bin)), "git-ltm"),
		"version").Output()
	if err != nil || !strings.HasPrefix(string(out), "git-ltm ") {
		t.Errorf("the built program says %q, %v", out, err)
	}
}
