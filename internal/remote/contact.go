package remote

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/refs"
)

const (
	contactPatience = 3 * time.Second // contactPatience is how long a remote may take to answer.
	contactAge      = 24 * time.Hour  // contactAge is how long an answer counts.
	silenceAge      = time.Minute     // silenceAge is how long a remote that did not answer is left alone.
)

// contact is what a remote answered the clone that had never looked at it. It is as old as its file.
type contact struct {
	Held   int  `json:"held"`
	Silent bool `json:"silent,omitempty"` // it did not answer
}

// counts reports whether the answer is young enough.
func (c contact) counts(repo *git.Repo, name string) bool {
	info, err := os.Stat(filepath.Join(stateDir(repo), name))
	if err != nil {
		return false
	}
	age := time.Since(info.ModTime())
	return age >= 0 && (age < silenceAge || age < contactAge && !c.Silent)
}

// Contact tells how many records a remote holds while this clone has none and never looked for any; an archive counts as
// one. It asks the remote at most once a day and for a short time, asks no person for anything, and asks nobody where memory
// is silenced. Of a clone that has looked before it returns 0.
func Contact(ctx context.Context, repo *git.Repo, config git.Config, remote string) (held int, err error) {
	if silenced, _ := repo.Env("GIT_LTM_DISABLE"); silenced != "" && silenced != "0" || !refs.SafeRemote(remote) {
		return 0, nil
	}
	looked, err := repo.Refs(ctx, []string{"refs/ltm/", "refs/ltm-remotes/" + remote + "/"}, git.ListOptions{NamesOnly: true, Limit: 1})
	if err != nil || len(looked) > 0 {
		return 0, err
	}
	name := "contact-" + url.PathEscape(remote)
	var before contact
	if ok, err := readState(repo, name, &before); ok && err == nil && before.counts(repo, name) {
		return before.Held, nil
	}
	held, err = ask(ctx, repo.Unattended(config), remote)
	_ = writeState(repo, name, contact{Held: held, Silent: err != nil}) // Where nothing can be kept, the remote is asked again.
	return held, err
}

// ask counts what a remote holds.
func ask(ctx context.Context, repo *git.Repo, remote string) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, contactPatience)
	defer cancel()
	theirs, err := repo.LsRemote(ctx, remote, "refs/ltm/*")
	held := 0
	for _, ref := range theirs {
		_, record := refs.ParseName(ref.Name)
		if record || strings.HasPrefix(ref.Name, "refs/ltm/archive/") {
			held++
		}
	}
	return held, err
}
