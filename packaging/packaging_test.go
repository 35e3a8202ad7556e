// Package packaging holds tests of what a release is made from. Its module is one of its own, so that nothing
// that these tests need is linked into the programs or listed among their modules.
package packaging

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
	spdx "github.com/spdx/tools-golang/json"
	"go.yaml.in/yaml/v3"
)

const tag = "v1.2.3"

// runIn runs a program in a folder, without the flags of the caller's Go, and returns what it printed.
func runIn(t *testing.T, dir string, env []string, name string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOFLAGS="), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func mustRunIn(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	out, err := runIn(t, dir, nil, name, args...)
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return out
}

// copyTree writes the files that git knows, as they are now, into a repository of its own with one tagged commit.
func copyTree(t *testing.T, dir string) {
	t.Helper()
	list := mustRunIn(t, "..", "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	for name := range strings.SplitSeq(strings.TrimSuffix(list, "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join("..", name))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_AUTHOR_NAME=Alice", "GIT_AUTHOR_EMAIL=alice@example.com", "GIT_AUTHOR_DATE=1700000000 +0000",
		"GIT_COMMITTER_NAME=Alice", "GIT_COMMITTER_EMAIL=alice@example.com", "GIT_COMMITTER_DATE=1700000000 +0000",
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-qm", "all"}, {"tag", tag}} {
		if out, err := runIn(t, dir, env, "git", args...); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
}

// TestRelease builds a tagged commit in two folders of other names, and wants the same bytes, which name the tag.
func TestRelease(t *testing.T) {
	t.Parallel()
	var sums [2][32]byte
	folders := []string{filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "another name", "deeper")}
	for i, dir := range folders {
		copyTree(t, dir)
		mustRunIn(t, dir, "go", "build", "-tags", "nethttpomithttp2", "-trimpath", "-buildvcs=true", "-ldflags=-s -w",
			"-o", "bin/", "./cmd/git-ltm", "./cmd/git-ltm-hook")
		for _, program := range []string{"git-ltm", "git-ltm-hook"} {
			data, err := os.ReadFile(filepath.Join(dir, "bin", program+exe()))
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(data, []byte(dir)) {
				t.Errorf("%s names the folder that it was built in", program)
			}
			sums[i] = sha256.Sum256(append(sums[i][:], data...))
			got := mustRunIn(t, dir, filepath.Join(dir, "bin", program+exe()), "version")
			if !strings.HasPrefix(got, "git-ltm 1.2.3 (packets ") {
				t.Errorf("%s version printed %q, want the version of the tag", program, got)
			}
		}
	}
	if sums[0] != sums[1] {
		t.Error("two folders gave programs of other bytes")
	}
	t.Run("bill", func(t *testing.T) { testBill(t, folders[0]) })
	t.Run("install", func(t *testing.T) { testInstall(t, folders[0]) })
	t.Run("packages", func(t *testing.T) { testPackages(t, folders[0]) })
}

func exe() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

// testBill reads the bill of materials with SPDX's own reader, and compares it with 'go version -m'.
func testBill(t *testing.T, dir string) {
	bin := filepath.Join(dir, "bin")
	cmd := exec.CommandContext(t.Context(), "go", "run", "./release", "sbom", "1.2.3", "1700000000", bin)
	cmd.Dir = filepath.Join(dir, "packaging")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.Bytes())
	}
	doc, err := spdx.Read(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, p := range doc.Packages {
		got[p.PackageName] = p.PackageVersion
		if p.PackageLicenseDeclared == "" || p.PackageLicenseDeclared == "NOASSERTION" {
			t.Errorf("%s has no license", p.PackageName)
		}
	}
	want := 0
	for line := range strings.Lines(mustRunIn(t, dir, "go", "version", "-m", bin)) {
		field := strings.Fields(line)
		if len(field) > 2 && field[0] == "dep" {
			want++
			if got[field[1]] != field[2] {
				t.Errorf("%s is %q in the bill, want %s", field[1], got[field[1]], field[2])
			}
		}
	}
	if want == 0 || got["std"] == "" || got["github.com/git-ltm/git-ltm"] != tag {
		t.Errorf("%d modules, std %q, the program itself %q", want, got["std"], got["github.com/git-ltm/git-ltm"])
	}
	for _, r := range doc.Relationships {
		if r.Relationship != "DESCRIBES" && r.Relationship != "DEPENDS_ON" {
			t.Errorf("relationship %q", r.Relationship)
		}
	}
	if len(doc.Relationships) != len(doc.Packages) {
		t.Errorf("%d relationships for %d packages", len(doc.Relationships), len(doc.Packages))
	}
}

// testInstall installs from a server on loopback, and from one whose archive has another byte.
func testInstall(t *testing.T, dir string) {
	if runtime.GOOS == "windows" {
		t.Skip("the script is for sh")
	}
	var archive bytes.Buffer
	z := gzip.NewWriter(&archive)
	w := tar.NewWriter(z)
	for _, name := range []string{"git-ltm", "git-ltm-hook"} {
		data, err := os.ReadFile(filepath.Join(dir, "bin", name))
		if err != nil {
			t.Fatal(err)
		}
		addFile(t, w, name, data)
	}
	for _, name := range []string{
		"man/git-ltm.1.gz", "completions/git-ltm.bash", "completions/git-ltm.zsh", "completions/git-ltm.fish",
	} {
		addFile(t, w, name, []byte(name))
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("git-ltm_1.2.3_%s_%s.tar.gz", runtime.GOOS, runtime.GOARCH)
	other := bytes.Clone(archive.Bytes())
	other[len(other)/2] ^= 1
	sum := fmt.Sprintf("%x  %s\n", sha256.Sum256(archive.Bytes()), name)

	for _, test := range []struct{ name, file, sums, want string }{
		{"the archive of the sum", archive.String(), sum, "git-ltm 1.2.3 "},
		{"another archive", string(other), sum, "Nothing was installed."},
		{"no sum of it", archive.String(), "", "SHA256SUMS says nothing of it. Nothing was installed."},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/files/" + name:
				_, _ = io.WriteString(w, test.file)
			case "/files/SHA256SUMS":
				_, _ = io.WriteString(w, test.sums)
			default:
				http.NotFound(w, r)
			}
		}))
		prefix := filepath.Join(t.TempDir(), "prefix")
		out, err := runIn(t, dir, []string{"PREFIX=" + prefix}, "sh", "packaging/install.sh", server.URL+"/files", tag)
		server.Close()
		if !strings.Contains(out, test.want) {
			t.Errorf("%s: it printed %q, want %q", test.name, out, test.want)
		}
		if refused := strings.Contains(test.want, "Nothing"); refused != (err != nil) {
			t.Errorf("%s: %v", test.name, err)
		} else if _, err := os.Stat(prefix); refused != errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the prefix: %v", test.name, err)
		}
	}
}

func addFile(t *testing.T, w *tar.Writer, name string, data []byte) {
	t.Helper()
	if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(data))}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
}

// TestOwner refuses a release while a value is missing, and a module of another owner.
func TestOwner(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the script is for sh")
	}
	data, err := os.ReadFile("owner")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?m)^(LTM_[A-Z]+)=''$`).FindAllStringSubmatch(string(data), -1)
	if len(names) < 5 {
		t.Fatalf("%d placeholders, want all of them empty in a tree that nobody publishes", len(names))
	}
	all := strings.ReplaceAll(string(data), "=''", "='somebody'")
	complete := strings.ReplaceAll(all, "LTM_OWNER='somebody'", "LTM_OWNER='git-ltm'")
	check := func(owner string) string {
		file := filepath.Join(t.TempDir(), "owner")
		if err := os.WriteFile(file, []byte(owner), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := runIn(t, ".", nil, "sh", "./owner-check", file)
		if (err == nil) != (out == "") {
			t.Errorf("%v, and it printed %q", err, out)
		}
		return out
	}
	for _, n := range names {
		out := check(strings.Replace(complete, n[1]+"='somebody'", n[1]+"=''", 1))
		if n[1] != "LTM_OWNER" && !strings.HasSuffix(out, "not set: "+n[1]+"\n") {
			t.Errorf("without %s it printed %q", n[1], out)
		}
	}
	if out := check(all); !strings.Contains(out, "the owner is somebody") {
		t.Errorf("with another owner it printed %q", out)
	}
	if out := check(complete); out != "" {
		t.Errorf("with every value it printed %q", out)
	}
}

// TestWorkflows checks the workflows, and that each action is named by a commit, which nobody can move.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	linter, err := actionlint.NewLinter(&out, &actionlint.LinterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../.github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d workflows: %v", len(files), err)
	}
	if problems, err := linter.LintFiles(files, nil); err != nil || len(problems) > 0 {
		t.Errorf("%v\n%s", err, out.Bytes())
	}
	targets := mustRunIn(t, "..", "make", "help")
	for _, file := range append(files, "../action.yml") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, use := range regexp.MustCompile(`uses: *(\S+)`).FindAllStringSubmatch(string(data), -1) {
			if !regexp.MustCompile(`@[0-9a-f]{40}$`).MatchString(use[1]) {
				t.Errorf("%s uses %s, which is no commit", file, use[1])
			}
		}
		for _, run := range regexp.MustCompile(`run: make (\S+)`).FindAllStringSubmatch(string(data), -1) {
			if !strings.Contains(targets, "\n"+run[1]+" ") {
				t.Errorf("%s runs 'make %s', which 'make help' does not list", file, run[1])
			}
		}
	}
	forms, err := filepath.Glob("../.github/ISSUE_TEMPLATE/*.yml")
	if err != nil || len(forms) < 3 {
		t.Fatalf("%d forms: %v", len(forms), err)
	}
	for _, file := range forms {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var form struct {
			Name, Description string
			Body              []struct{ Type, ID string }
		}
		if err := yaml.Unmarshal(data, &form); err != nil {
			t.Errorf("%s: %v", file, err)
		} else if filepath.Base(file) != "config.yml" && (form.Name == "" || form.Description == "" || len(form.Body) == 0) {
			t.Errorf("%s has no name, description or body", file)
		}
	}
	if !slices.Contains(forms, "../.github/ISSUE_TEMPLATE/bug.yml") {
		t.Error("no form for what is wrong")
	}
}
