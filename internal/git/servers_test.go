package git_test

import (
	"fmt"
	"net/http"          //nolint:depguard // A server of a test is no transport of ours.
	"net/http/httptest" //nolint:depguard // See above.
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// over lets a clone reach its remote through a server. The addresses that end in wrong let nobody in.
func (e *exchange) over(t *testing.T, service gittest.Service) *gittest.Server {
	t.Helper()
	server := gittest.Served(t, service, filepath.Dir(e.remote), e.Env)
	e.Git("remote", "set-url", "origin", server.URL+"/remote.git")
	e.Env = append(slices.Clip(e.Env), "GIT_SSH_COMMAND=ssh -F "+server.SSHConfig)
	e.Git("config", "credential.helper",
		"!f() { [ \"$1\" != get ] || printf 'username="+gittest.User+"\\npassword="+gittest.Password()+
			"\\n'; }; f")
	e.repo = opened(t, e.Dir, e.Env)
	return server
}

// TestRepo_servers shows that each way to a server gives the same answers about each ref.
func TestRepo_servers(t *testing.T) {
	t.Parallel()
	for _, service := range []gittest.Service{gittest.HTTP, gittest.SSH, gittest.Daemon} {
		t.Run(string(service), func(t *testing.T) {
			t.Parallel()
			e := newExchange(t, gittest.Plain)
			e.over(t, service)
			e.hook(t, "update", "case $1 in refs/ltm/bad) echo not this >&2; exit 1;; esac\n")
			a, b := e.blobs[0], e.blobs[1]
			first := []git.PushChange{
				{Ref: "refs/ltm/a", New: a},
				{Ref: "refs/ltm/bad", New: b},
				{Ref: "refs/ltm/c", New: b},
			}
			results, err := e.repo.PushRefs(t.Context(), "origin", first)
			if diff := cmp.Diff(
				map[string]bool{"refs/ltm/a": true, "refs/ltm/bad": false, "refs/ltm/c": true},
				verdicts(results)); diff != "" || err != nil {
				t.Fatalf("%v (-want +got):\n%s", err, diff)
			}
			got, err := e.repo.LsRemote(t.Context(), "origin", "refs/ltm/*")
			if diff := cmp.Diff([]git.Ref{{Name: "refs/ltm/a", Object: a}, {Name: "refs/ltm/c", Object: b}},
				got); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
			e.hook(t, "pre-receive", "echo nothing today >&2; exit 1\n")
			results, err = e.repo.PushRefs(t.Context(), "origin",
				[]git.PushChange{{Ref: "refs/ltm/d", New: a}})
			if err != nil || results[0].OK || results[0].Reason == "" {
				t.Errorf("a hook that refuses all: %+v, %v", results, err)
			}
			e.hook(t, "pre-receive", "exit 0\n")
			if err := e.repo.FetchInto(t.Context(), "origin",
				[]string{"refs/ltm/c:refs/ltm-remotes/origin/c"}); err != nil {
				t.Error(err)
			}
		})
	}
}

// cutOnceMade breaks the network when the remote has made a ref, before it can tell anybody: until then a
// hook of the remote waits.
func (e *exchange) cutOnceMade(t *testing.T, ref string, server *gittest.Server) {
	t.Helper()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := exec.CommandContext(t.Context(), "mkfifo", pipe).Run(); err != nil {
		t.Fatal(err)
	}
	e.hook(t, "reference-transaction",
		"if [ $1 = committed ] && grep -q '"+ref+"'; then cat '"+pipe+"'; fi\n")
	go func() {
		hook, err := os.OpenFile(pipe, os.O_WRONLY, 0) // It opens when the hook does.
		server.Cut(gittest.Down, 0)
		if err != nil || hook.Close() != nil {
			t.Error("the hook of the remote was not let go")
		}
	}()
}

// TestRepo_PushRefs_cut breaks the network at each step of a push. It is an error, and no result is better
// than the truth.
func TestRepo_PushRefs_cut(t *testing.T) {
	t.Parallel()
	const cuts = 5
	for _, service := range []gittest.Service{gittest.HTTP, gittest.SSH, gittest.Daemon} {
		t.Run(string(service), func(t *testing.T) {
			t.Parallel()
			e := newExchange(t, gittest.Plain)
			server := e.over(t, service)
			push := func(ref string) ([]git.PushResult, error) {
				changes := []git.PushChange{{Ref: ref, New: e.blobs[0]}, {Ref: ref + "b", New: e.blobs[1]}}
				return e.repo.PushRefs(t.Context(), "origin", changes)
			}
			upBefore, downBefore := server.Passed()
			if _, err := push("refs/ltm/whole"); err != nil {
				t.Fatal(err)
			}
			up, down := server.Passed()
			whole := []int64{gittest.Up: up - upBefore, gittest.Down: down - downBefore}
			for direction, total := range whole {
				for step := range int64(cuts) {
					ref := fmt.Sprintf("refs/ltm/%d-%d", direction, step)
					server.Cut(gittest.Direction(direction), total*step/cuts)
					results, err := push(ref)
					if mend := server.Mend(); mend != nil {
						t.Fatal(mend)
					}
					held := e.holds()
					for _, result := range results {
						if there := strings.Contains(held, result.Ref+" "); result.OK && !there {
							t.Errorf("cut %d of %d, direction %d: %+v, but it did not arrive", step, cuts, direction,
								result)
						}
					}
					if ok := results[0].OK && results[1].OK; err == nil && !ok {
						t.Errorf("cut %d of %d, direction %d: %+v and no error", step, cuts, direction, results)
					}
				}
			}
			e.cutOnceMade(t, "refs/ltm/unansweredb", server)
			if results, err := push("refs/ltm/unanswered"); err == nil || results[0].OK {
				t.Errorf("the answer is lost: %+v, %v, want an error", results, err)
			}
			if err := server.Mend(); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(e.holds(), "refs/ltm/unanswered ") {
				t.Error("the answer was lost before the changes were made")
			}
			if results, err := push("refs/ltm/unanswered"); err != nil || !results[0].OK || !results[1].OK {
				t.Errorf("the same push again: %+v, %v", results, err)
			}
			e.Git("--git-dir="+e.remote, "fsck", "--strict", "--no-dangling")
		})
	}
}

// TestRepo_LsRemote_cut breaks the network at many places of a listing. What was not answered to its end is
// never an empty or a shorter list.
func TestRepo_LsRemote_cut(t *testing.T) {
	t.Parallel()
	for _, service := range []gittest.Service{gittest.HTTPPublic, gittest.HTTP, gittest.Daemon} {
		t.Run(string(service), func(t *testing.T) {
			t.Parallel()
			e := newExchange(t, gittest.Plain)
			server := e.over(t, service)
			e.fill(t, 40)
			for _, after := range []int64{0, 50, 150, 300, 800, 3000} {
				server.Cut(gittest.Down, after)
				if got, err := e.repo.LsRemote(t.Context(), "origin", "refs/ltm/*"); err == nil {
					t.Errorf("cut after %d bytes: %d refs and no error", after, len(got))
				}
				if err := server.Mend(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestRepo_ListsAnonymously shows that nothing of what the user knows opens a server here.
func TestRepo_ListsAnonymously(t *testing.T) {
	t.Parallel()
	e := newExchange(t, gittest.Plain)
	public := e.over(t, gittest.HTTPPublic)
	daemon := e.over(t, gittest.Daemon)
	ssh := e.over(t, gittest.SSH)
	private := e.over(t, gittest.HTTP)
	e.Git("config", "url."+public.URL+"/.insteadOf", "open:")
	e.Git("config", "credential."+private.URL+".helper", e.Git("config", "credential.helper"))
	e.Git("config", "http."+private.URL+"/.extraHeader", "Authorization: Basic YWRhOmNvcnJlY3QtaG9yc2U=")
	withPassword := strings.Replace(private.URL, "://", "://"+gittest.User+":"+gittest.Password()+"@", 1)
	for _, address := range []string{private.URL, withPassword} {
		e.Git("ls-remote", address+"/remote.git")
	}
	tests := map[string]bool{
		public.URL + "/remote.git": true, "open:remote.git": true, daemon.URL + "/remote.git": true,
		private.URL + "/remote.git": false, withPassword + "/remote.git": false,
		ssh.URL + "/remote.git": false, "origin": false,
		e.remote: false, "file://" + e.remote: false, public.URL + "/none.git": false,
		"--upload-pack=x": false, "ext::sh -c true": false,
	}
	for address, want := range tests {
		if got := e.repo.ListsAnonymously(t.Context(), address); got != want {
			t.Errorf("ListsAnonymously(%q) = %v, want %v", address, got, want)
		}
	}
	e.Git("config", "url."+ssh.URL+"/.insteadOf", public.URL+"/")
	if !e.repo.ListsAnonymously(t.Context(), public.URL+"/remote.git") {
		t.Error("a server that answers everybody does not, because this person goes there by SSH")
	}
	e.Git("config", "--remove-section", "url."+ssh.URL+"/")
	e.Git("remote", "set-url", "origin", public.URL+"/remote.git")
	if !e.repo.ListsAnonymously(t.Context(), "origin") {
		t.Error("the name of a remote was not taken for its address")
	}
}

// TestRepo_ListsAnonymously_asks shows that a server is told nothing of who asks.
func TestRepo_ListsAnonymously_asks(t *testing.T) {
	t.Parallel()
	e := newExchange(t, gittest.Plain)
	told := make(chan http.Header, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		told <- r.Header
		w.WriteHeader(http.StatusNotFound)
	}))
	defer server.Close()
	e.Git("config", "http.extraHeader", "X-Told: everywhere")
	e.Git("config", "http."+server.URL+".extraHeader", "X-Told: here")
	env := append(slices.Clip(e.Env), "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http.extraHeader",
		"GIT_CONFIG_VALUE_0=X-Told: environment")
	repo := opened(t, e.Dir, env)
	if repo.ListsAnonymously(t.Context(), strings.Replace(server.URL, "://", "://ada:x@", 1)+"/none.git") {
		t.Error("a server that has nothing listed it")
	}
	select {
	case header := <-told:
		for _, name := range []string{"X-Told", "Authorization", "Cookie"} {
			if header.Get(name) != "" {
				t.Errorf("the server was told %s", name)
			}
		}
	default:
		t.Error("the server was not asked")
	}
}
