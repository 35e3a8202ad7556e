package git_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

const key = "ltm.scanConfig"

// TestRepo_PathSetting compares the answer with git's own, from each place that git reads.
func TestRepo_PathSetting(t *testing.T) {
	t.Parallel()
	file := func(name string) func(t *testing.T, r *gittest.Repository) []string {
		return func(t *testing.T, r *gittest.Repository) []string {
			t.Helper()
			name := filepath.Join(r.Dir, name)
			must(t, os.MkdirAll(filepath.Dir(name), 0o755))
			must(t, os.WriteFile(name, []byte("[LTM]\n\tSCANconfig = /file\n"), 0o600))
			return nil
		}
	}
	at := func(name, variable string) func(t *testing.T, r *gittest.Repository) []string {
		return func(t *testing.T, r *gittest.Repository) []string {
			t.Helper()
			file(name)(t, r)
			return []string{variable + "=" + filepath.Join(r.Dir, name)}
		}
	}
	for name, tt := range map[string]struct {
		change func(t *testing.T, r *gittest.Repository) []string
		want   string
	}{
		"a file beside parameters": {func(t *testing.T, r *gittest.Repository) []string {
			t.Helper()
			file(".git/own")(t, r)
			r.Git("config", "include.path", "own")
			return []string{"GIT_CONFIG_PARAMETERS='ltm.remote'='scanconfig'"}
		}, "/file"},
		"nowhere": {func(*testing.T, *gittest.Repository) []string { return nil }, ""},
		"repository": {func(_ *testing.T, r *gittest.Repository) []string {
			r.Git("config", key, "/one")
			return nil
		}, "/one"},
		"last value": {func(_ *testing.T, r *gittest.Repository) []string {
			r.Git("config", key, "/one")
			r.Git("config", "--add", key, "/two")
			return nil
		}, "/two"},
		"with blanks": {func(_ *testing.T, r *gittest.Repository) []string {
			r.Git("config", key, "/one two\n")
			return nil
		}, "/one two\n"},
		"GIT_CONFIG_GLOBAL": {at("own", "GIT_CONFIG_GLOBAL"), "/file"},
		"GIT_CONFIG_SYSTEM": {func(t *testing.T, r *gittest.Repository) []string {
			t.Helper()
			return append(at("own", "GIT_CONFIG_SYSTEM")(t, r), "GIT_CONFIG_NOSYSTEM=0")
		}, "/file"},
		"GIT_CONFIG names no file of this repository": {at("own", "GIT_CONFIG"), ""},
		"include": {func(t *testing.T, r *gittest.Repository) []string {
			t.Helper()
			file(".git/own")(t, r)
			r.Git("config", "include.path", "own")
			return nil
		}, "/file"},
		"include if": {func(t *testing.T, r *gittest.Repository) []string {
			t.Helper()
			file(".git/own")(t, r)
			r.Git("config", "includeIf.onbranch:main.path", "own")
			return nil
		}, "/file"},
		"work tree": {func(_ *testing.T, r *gittest.Repository) []string {
			r.Git("config", "extensions.worktreeConfig", "true")
			r.Git("config", "--worktree", key, "/one")
			return nil
		}, "/one"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, gittest.Plain)
			env := slices.Concat(r.Env, tt.change(t, r))
			repo, err := git.Find(t.Context(), r.Dir, env)
			must(t, err)
			got, ok, err := repo.Settings().Path(t.Context(), key)
			if err != nil || got != tt.want || ok != (tt.want != "") {
				t.Errorf("PathSetting = %q, %t, %v, want %q", got, ok, err, tt.want)
			}
		})
	}
}

// TestRepo_Config_Own refuses what a checkout can change, and takes the same from elsewhere.
func TestRepo_Config_Own(t *testing.T) {
	t.Parallel()
	for _, kind := range []gittest.Kind{gittest.Plain, gittest.Worktree} {
		r := gittest.Repo(t, kind)
		must(t, os.MkdirAll(filepath.Join(r.Dir, "sub"), 0o755))
		for _, dir := range []string{r.Dir, filepath.Join(r.Dir, "sub")} {
			repo, err := git.Open(t.Context(), dir, r.Env)
			must(t, err)
			for place, want := range map[string]bool{
				filepath.Join(r.Dir, "config"):                   false,
				filepath.Join(r.Dir, "sub", "..", "a", "config"): false,
				filepath.Join(repo.CommonDir, "own"):             true,
				filepath.Join(t.TempDir(), "own"):                true,
			} {
				must(t, os.MkdirAll(filepath.Dir(place), 0o755))
				r.Git("config", "--file", place, "ltm.Store", "x")
				r.Git("config", "include.path", place)
				config, err := repo.Config(t.Context())
				must(t, err)
				if value, _ := config.Get("ltm.store"); value != "x" {
					t.Errorf("%s: the value is %q", place, value)
				}
				origin, refused := errors.AsType[*git.OriginError](config.Own("other.key", "ltm.Store"))
				if refused == want || refused && origin.Key != "ltm.Store" {
					t.Errorf("%s from %s: %v, want it taken: %t", place, dir, origin, want)
				}
				if err := config.Own("ltm.trustPin"); err != nil {
					t.Errorf("a key that is not set: %v", err)
				}
				if _, _, err := repo.Settings().AnyPath(t.Context(), "ltm.store"); (err == nil) != want {
					t.Errorf("%s from %s: AnyPathSetting: %v", place, dir, err)
				}
			}
		}
	}
}

// TestRepo_PathSetting_oneCall refuses values that no file holds, also where a file has one.
func TestRepo_PathSetting_oneCall(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	must(t, os.WriteFile(filepath.Join(r.Dir, ".git", "own"), []byte("[ltm]\nscanConfig=/own\n"), 0o600))
	for _, level := range []string{"", "/file"} {
		if level != "" {
			r.Git("config", key, level)
		}
		for name, env := range map[string][]string{
			"parameter": {"GIT_CONFIG_PARAMETERS='ltm.scanconfig'='/one'"},
			"old form":  {"GIT_CONFIG_PARAMETERS='ltm.scanConfig=/one'"},
			"empty":     {"GIT_CONFIG_PARAMETERS='ltm.scanconfig'=''"},
			"numbered": {
				"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=LTM.SCANCONFIG",
				"GIT_CONFIG_VALUE_0=/one",
			},
			"same value": {"GIT_CONFIG_PARAMETERS='ltm.scanconfig'='/file'"},
			"include": {"GIT_CONFIG_PARAMETERS='include.path'='" + filepath.Join(r.Dir, ".git", "own") +
				"'"},
		} {
			repo, err := git.Find(t.Context(), r.Dir, slices.Concat(r.Env, env))
			must(t, err)
			if got, ok, err := repo.Settings().Path(t.Context(), key); ok || !errors.Is(err, git.ErrOneCall) {
				t.Errorf("%s, %q in a file: PathSetting = %q, %t, %v, want ErrOneCall", name, level, got, ok,
					err)
			}
		}
	}
}

// TestRepo_PathSetting_home finds the files of a person where no variable names them, and expands "~".
func TestRepo_PathSetting_home(t *testing.T) {
	t.Parallel()
	for _, name := range []string{".gitconfig", ".config/git/config", "xdg/git/config"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, home := gittest.Repo(t, gittest.Plain), t.TempDir()
			env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1"}
			if name == "xdg/git/config" {
				env = append(env, "XDG_CONFIG_HOME="+filepath.Join(home, "xdg"))
			}
			must(t, os.MkdirAll(filepath.Dir(filepath.Join(home, name)), 0o755))
			must(t, os.WriteFile(filepath.Join(home, name), []byte("[ltm]\nscanConfig=~/rules\n"), 0o600))
			repo, err := git.Find(t.Context(), r.Dir, env)
			must(t, err)
			got, ok, err := repo.Settings().Path(t.Context(), key)
			if want := filepath.ToSlash(home) + "/rules"; err != nil || !ok || got != want {
				t.Errorf("PathSetting = %q, %t, %v, want %q", got, ok, err, want)
			}
		})
	}
}

// TestRepo_PathSetting_asksNothing shows that no process is started where the files say enough, and that one
// is where they do not.
func TestRepo_PathSetting_asksNothing(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	must(t, os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\nexit 99\n"), 0o755))
	for name, tt := range map[string]struct {
		env  []string
		text string
		asks bool
	}{
		"nothing":           {[]string{"GIT_CONFIG_NOSYSTEM=1"}, "[user]\nname = a\n", false},
		"named":             {[]string{"GIT_CONFIG_NOSYSTEM=1"}, "# ScanConfig\n", true},
		"leads elsewhere":   {[]string{"GIT_CONFIG_NOSYSTEM=1"}, "[Include]\n", true},
		"an unknown system": {nil, "", true},
		"an odd switch":     {[]string{"GIT_CONFIG_NOSYSTEM=perhaps"}, "", true},
		"no home":           {[]string{"GIT_CONFIG_NOSYSTEM=1", "HOME="}, "", true},
		"a folder":          {[]string{"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + bin}, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			must(t, os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(tt.text), 0o600))
			env := append([]string{"PATH=" + bin, "HOME=" + home}, tt.env...)
			repo, err := git.Find(t.Context(), gittest.Repo(t, gittest.Plain).Dir, env)
			must(t, err)
			if _, _, err := repo.Settings().Path(t.Context(), key); (err != nil) != tt.asks {
				t.Errorf("PathSetting asked git: %v, want %t", err, tt.asks)
			}
		})
	}
}

// TestRepo_MaybeSet says no only where no file and no variable holds the name of one of the keys.
func TestRepo_MaybeSet(t *testing.T) {
	t.Parallel()
	for _, kind := range shapes() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			answer := func(env ...string) bool {
				repo, err := git.Find(t.Context(), r.Dir, slices.Concat(r.Env, env))
				must(t, err)
				return repo.Settings().MaybeSet("ltm.sign", "commit.gpgSign")
			}
			if answer() {
				t.Error("a key that is nowhere may be set")
			}
			if !answer("GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=commit.gpgsign", "GIT_CONFIG_VALUE_0=true") {
				t.Error("a key of a variable is not set")
			}
			for _, key := range []string{"LTM.sign", "commit.gpgsign", "include.path"} {
				r.Git("config", key, "true")
				if !answer() {
					t.Errorf("with %s in the configuration nothing is set", key)
				}
				r.Git("config", "--unset", key)
			}
		})
	}
}

// TestRepo_PlainSetting answers as git does, or is not sure.
func TestRepo_PlainSetting(t *testing.T) {
	t.Parallel()
	for text, sure := range map[string]bool{
		"": true, "[user]\n\tname = Ada Lovelace\n": true,
		"[USER]\nNAME=a\nname  =  b = c \n[core]\nname = d\n": true,
		"[user \"x\"]\nname = a\n":                            true,
		"# name\n[user]\n;name = b\n\temail = c\n":            true,
		"[user]\r\nname = a\r\n":                              true,
		"[user]\nname = \"a\"\n":                              false, "[user]\nname = a\\\n b\n": false,
		"[user]\nname = a # b\n": false,
		"[user]\nname\n":         false,
		"[user] name = a\n":      true, "[include]\npath = x\n": false,
		"[user]\nemail = x \\\nname = b\n": false,
	} {
		r := gittest.Repo(t, gittest.Plain)
		config := filepath.Join(r.Dir, ".git", "config")
		before, err := os.ReadFile(config)
		must(t, err)
		must(t, os.WriteFile(config, slices.Concat(before, []byte(text)), 0o600))
		repo, err := git.Find(t.Context(), r.Dir, r.Env)
		must(t, err)
		want, _ := r.Try("config", "user.name")
		got, is := repo.Settings().Plain("user.name")
		if is != sure || is && got != strings.TrimSuffix(want, "\n") {
			t.Errorf("of %q PlainSetting = %q, %v; git says %q", text, got, is, want)
		}
		r.Git("config", "--file", config, "--replace-all", "user.name", "later")
		if got, is := repo.Settings().Plain("user.name"); is && got != "later" {
			t.Errorf("of %q PlainSetting = %q after a change", text, got)
		}
	}
}

// TestRepo_Config_plain holds that the configuration which is read without a process is the one that git reads, and
// which files are plain enough for that.
func TestRepo_Config_plain(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text string
		asks bool
	}{
		"nothing":               {"", false},
		"as git does":           {"[user]\n\tname = Ada Lovelace\n[remote \"Ori.gin/x\"]\n\turl = ssh://a@b:1/c d\n\tfetch = +a:b\n", false},
		"by hand":               {"; [a]\n#b\n[USER]NAME=a\r\n[branch.Main] Remote =  x  y =z \n[a-b.c]d-1=\n", false},
		"twice":                 {"[user]\nname = a\n[User]\nname = b\n", false},
		"a key alone":           {"[user]\nname\n", true},
		"quoted":                {"[user]\nname = \"a\"\n", true},
		"an escape":             {"[user]\nname = a\\tb\n", true},
		"goes on":               {"[user]\nname = a\\\n b\n", true},
		"a comment":             {"[user]\nname = a # b\n", true},
		"a tab inside":          {"[user]\nname = a\tb\n", true},
		"an odd space":          {"[user]\nname\u00a0= a\n", true},
		"another name":          {"[us_er]\nname = a\n", true},
		"a quote in a section":  {"[url \"a\\\"b\"]\nname = a\n", true},
		"no section":            {"name = a\n", true},
		"a letter that is none": {"[user]\n\u212aey = a\n", true},
		"a digit first":         {"[user]\n1a = b\n", true},
		"leads elsewhere":       {"[include]\npath = x\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, scope := range []string{"global", "local"} {
				checkPlain(t, tt.text, scope == "local")
			}
			bin, home := t.TempDir(), t.TempDir()
			must(t, os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\nexit 99\n"), 0o755))
			must(t, os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(tt.text), 0o600))
			repo, err := git.Find(t.Context(), gittest.Repo(t, gittest.Plain).Dir,
				[]string{"PATH=" + bin, "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1"})
			must(t, err)
			if _, err := repo.Config(t.Context()); (err != nil) != tt.asks {
				t.Errorf("Config asked git: %v, want %t", err, tt.asks)
			}
		})
	}
}

// FuzzConfig asks git itself what any text configures.
func FuzzConfig(f *testing.F) {
	f.Add("[a]\nb = c\n[d \"E\"]\nf =\n", false)
	f.Add("[a.B] c=d=e \r\n#x\\\n", true)
	f.Fuzz(func(t *testing.T, text string, local bool) { checkPlain(t, text, local) })
}

// checkPlain compares what is read with what git says of a text in the file of the repository or of the person. A
// variable that sets nothing lets git be asked.
func checkPlain(t *testing.T, text string, local bool) {
	t.Helper()
	r := gittest.Repo(t, gittest.Plain)
	file := filepath.Join(t.TempDir(), "global")
	env := append(slices.Clone(r.Env), "GIT_CONFIG_GLOBAL="+file)
	repo, err := git.Find(t.Context(), r.Dir, env)
	must(t, err)
	asking, err := git.Find(t.Context(), r.Dir, append(env, "GIT_CONFIG_COUNT=0"))
	must(t, err)
	if local {
		file = repo.Settings().File()
	}
	to, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	must(t, err)
	_, err = to.WriteString(text)
	must(t, errors.Join(err, to.Close()))
	got, failure := repo.Config(t.Context())
	want, refused := asking.Config(t.Context())
	if (failure == nil) != (refused == nil) {
		t.Fatalf("of %q Config = %v, and with git %v", text, failure, refused)
	}
	if diff := cmp.Diff(want.Keys(""), got.Keys("")); diff != "" {
		t.Errorf("keys of %q (-git +read):\n%s", text, diff)
	}
	if diff := cmp.Diff(want.OfRepository(), got.OfRepository()); diff != "" {
		t.Errorf("lines of the repository of %q (-git +read):\n%s", text, diff)
	}
	for _, key := range want.Keys("") {
		if diff := cmp.Diff(want.All(key), got.All(key)); diff != "" {
			t.Errorf("%s of %q (-git +read):\n%s", key, text, diff)
		}
		if got, want := got.Own(key), want.Own(key); (got == nil) != (want == nil) {
			t.Errorf("Own(%s) of %q = %v, and with git %v", key, text, got, want)
		}
	}
}

// TestRepo_File reads files of revisions, and nothing that is none.
func TestRepo_File(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	must(t, os.WriteFile(filepath.Join(mkdir(t, r.Dir, "a"), "b"), []byte("text"), 0o600))
	r.Git("add", "a/b")
	r.Commit("third")
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	must(t, err)
	data, err := repo.File(t.Context(), "main", "a/b", 4)
	if err != nil || string(data) != "text" {
		t.Errorf("File = %q, %v", data, err)
	}
	for _, name := range [][2]string{{"main", "c"}, {"other", "a/b"}, {"--all", "a/b"}, {"main~1", "a/b"}} {
		if _, err := repo.File(t.Context(), name[0], name[1], 4); !errors.Is(err, git.ErrMissing) {
			t.Errorf("%v: error %v, want ErrMissing", name, err)
		}
	}
	for _, name := range [][2]string{{"main", "a"}, {"", "a/b"}, {"main", ""}} {
		if _, err := repo.File(t.Context(), name[0], name[1], 4); err == nil {
			t.Errorf("%v: no error", name)
		}
	}
	if _, err := repo.File(t.Context(), "main", "a/b", 3); err == nil {
		t.Error("a file of 4 bytes passes a bound of 3")
	}
}

// TestRepo_File_names reads by names that can mean one thing alone, and refuses what git would choose for us.
func TestRepo_File_names(t *testing.T) {
	t.Parallel()
	for _, format := range []gittest.Kind{gittest.Plain, gittest.SHA256} {
		r := gittest.Repo(t, format)
		write := func(text string) string {
			must(t, os.WriteFile(filepath.Join(r.Dir, "f"), []byte(text), 0o600))
			r.Git("add", "f")
			r.Commit(text)
			return r.Git("rev-parse", "HEAD")
		}
		first, second := write("good"), write("evil")
		r.Git("update-ref", "refs/remotes/origin/main", first)
		r.Git("update-ref", "refs/remotes/alone/main", first)
		r.Git("update-ref", "refs/remotes/other/main", first)
		r.Git("symbolic-ref", "refs/remotes/alone/HEAD", "refs/remotes/alone/main")
		r.Git("tag", "-a", "-m", "a tag", "v1", first)
		for _, name := range []string{
			"origin/main", "refs/remotes/origin/main", "HEAD", "refs/tags/v2", "remotes/other/main",
			"heads/main", second[:12], "alone/main/HEAD",
		} {
			r.Git("update-ref", "refs/tags/"+name, second)
		}
		r.Git("update-ref", "refs/heads/"+second, first)
		repo, err := git.Open(t.Context(), r.Dir, r.Env)
		must(t, err)
		for name, want := range map[string]string{
			"refs/remotes/origin/main": "good", "refs/tags/origin/main": "evil", "alone/main": "good",
			"alone": "good", "HEAD": "evil", "HEAD~1": "good",
			first: "good", second: "evil", second + "~": "good", "v1": "good", "v1^{commit}": "good",
			"v1^{}^0": "good", "refs/heads/main^1~0": "good",
			"other/main": "good", "refs/tags/HEAD": "evil",
			"origin/main": "", "origin/main~0": "", "remotes/other/main": "", "heads/main": "",
			"refs/tags/v2": "", "refs/remotes/none": "",
			first[:12]: "", second[:12] + "0": "", "": "", "@": "", "main@{0}": "", "HEAD@{0}": "",
			"@{u}": "", "HEAD^{/good}": "", ":/good": "", "^" + first: "",
			"v1-0-g" + first[:12]: "", "refs/remotes/*/main": "", "main..v1": "", "HEAD^!": "", "HEAD^-": "",
			"-v1": "", "refs/heads": "", "refs/": "", "~": "",
		} {
			data, err := repo.File(t.Context(), name, "f", 4)
			if string(data) != want || (err == nil) != (want != "") {
				t.Errorf("%s: File(%q) = %q, %v, want %q", repo.ObjectFormat, name, data, err, want)
			}
		}
		_, err = repo.File(t.Context(), "origin/main", "f", 4)
		if err == nil || !strings.Contains(err.Error(), "refs/remotes/origin/main or refs/tags/origin/main") {
			t.Errorf("error %v, want one that says which refs", err)
		}
		r.Git("symbolic-ref", "HEAD", "refs/heads/unborn")
		if data, err := repo.File(t.Context(), "HEAD", "f", 4); err == nil {
			t.Errorf("a HEAD without a commit gives %q", data)
		}
	}
}

func TestRepo_HasPlainExtensions(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	repo := opened(t, r.Dir, r.Env)
	tests := []struct {
		config string
		want   bool
	}{
		{"[core]\n\tbare = false\n", true},
		{"[extensions]\n\tworktreeConfig = true\n\tpartialClone = origin\n", true},
		{"[extensions] preciousObjects = true\n", true},
		{"[extensions]\nobjectFormat = sha1\n# note\nrefStorage = files\n[core]\nstrange = 1\n", true},
		{"[extensions]\nobjectFormat = sha256\n", false},
		{"[extensions]\ncompatObjectFormat = sha256\n", false},
		{"[Extensions]\nunheardOf = 1\n", false},
		{"[extensions]refStorage=reftable\n", false},
	}
	for _, test := range tests {
		must(t, os.WriteFile(repo.Settings().File(), []byte(test.config), 0o600))
		if got := repo.HasPlainExtensions(); got != test.want {
			t.Errorf("HasPlainExtensions with %q is %v, want %v", test.config, got, test.want)
		}
	}
	must(t, os.Remove(repo.Settings().File()))
	if repo.HasPlainExtensions() {
		t.Error("a repository without a configuration is plain")
	}
}
