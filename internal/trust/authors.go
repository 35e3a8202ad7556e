package trust

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

// The bounds of what is learned of authors.
const (
	mostCommits   = 50_000 // the newest that are looked at where none of the history is known
	mostAuthors   = 20_000
	authorsBytes  = 8 << 20
	learnPatience = 5 * time.Second // Whoever waits for a command does not wait longer for it.
	mostName      = 60              // characters
)

// authors are the names under which somebody committed to the default branch of a remote, as this clone last
// saw that branch. They are claims: a name says who somebody says to be, and no more.
type authors struct {
	Remote, Tip string
	Addresses   map[string][]string // by name
	Shallow     bool                // the clone had the newest commits alone
}

// Look is a name as it looks: letters and digits, in one case, those that look like others as these. Names of
// one look are taken for one another.
func Look(name string) string {
	return strings.Map(func(r rune) rune {
		switch r = unicode.ToLower(r); {
		case r == 'l' || r == '1':
			return 'i'
		case r == '0':
			return 'o'
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			return r
		default:
			return -1
		}
	}, redact.Plain(clean.Line(name)))
}

// ourWords are what labels and instructions say, and no name does.
const ourWords = " trusted untrusted unsigned signed verified rejected says local locked policy system assistant "

// isName tells a name from what says something in the place of one, where it is shown to an agent.
func isName(name string) bool {
	if Look(name) == "" || clean.Count(name) > 0 || utf8.RuneCountInString(name) > mostName ||
		strings.ContainsAny(redact.Plain(name), "()[]{}<>,;:\n\t") {
		return false
	}
	words := strings.FieldsFunc(strings.ToLower(redact.Plain(name)), func(r rune) bool {
		return !unicode.IsLetter(r)
	})
	return !slices.ContainsFunc(words, func(word string) bool {
		return strings.Contains(ourWords, " "+word+" ")
	})
}

// authorsFile is where the authors are kept. It belongs to one user.
func authorsFile(repo *git.Repo) local.File { return repo.Local().OwnFile("authors") }

// readAuthors returns the authors of a remote, as [Judge.LearnAuthors] left them. Nothing known is no author.
func readAuthors(repo *git.Repo, remote string) (a authors, err error) {
	text, err := authorsFile(repo).ReadKept(authorsBytes)
	if err != nil || json.Unmarshal(text, &a) != nil || a.Remote != remote || a.Addresses == nil {
		a = authors{Remote: remote, Addresses: map[string][]string{}}
	}
	return a, err
}

// LearnAuthors brings the authors of the upstream up to its default branch as this clone knows it. What is known
// already is not read again. Where the remote has no default branch here, nobody is known. It is for whoever just
// exchanged records or fixed the upstream: questions only read what it left.
func (j *Judge) LearnAuthors(ctx context.Context) error {
	repo := j.repo
	u, fixed, err := upstream.Of(repo)
	if err != nil || !fixed {
		return err
	}
	j.claims = nil
	known, err := readAuthors(repo, u.Remote)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, learnPatience)
	defer cancel()
	tip, err := defaultTip(ctx, repo, u.Remote)
	_, missing := os.Stat(filepath.Join(repo.CommonDir, "shallow"))
	deepened := known.Shallow && missing != nil
	if err != nil || tip == known.Tip && !deepened {
		return err
	}
	before := known.Tip
	if known.Shallow = missing == nil; deepened {
		before = ""
	}
	if before != "" {
		ahead, err := repo.History().IsAncestor(ctx, before, tip)
		if err != nil && !errors.Is(err, git.ErrMissing) {
			return err
		}
		if !ahead { // The branch was written anew, and so are its authors.
			before, known.Addresses = "", map[string][]string{}
		}
	}
	if tip != "" {
		made, err := repo.History().Authors(ctx, tip, before, mostCommits)
		if err != nil {
			return err
		}
		for _, c := range made {
			if isName(c.Author) {
				name, address := clean.Line(c.Author), clean.Line(c.Email)
				addresses, old := known.Addresses[name]
				if name != "" && (old || len(known.Addresses) < mostAuthors) &&
					!slices.Contains(addresses, address) {
					known.Addresses[name] = append(addresses, address)
				}
			}
		}
	}
	known.Tip = tip
	text, err := json.Marshal(known)
	return errors.Join(err, authorsFile(repo).Replace(text, local.Unsynced))
}

// defaultTip is the commit of the default branch of a remote as this clone knows it; "" where it knows none.
// Where nothing says which branch that is, it is main or master. A branch that is called HEAD says nothing.
func defaultTip(ctx context.Context, repo *git.Repo, remote string) (string, error) {
	folder := "refs/remotes/" + remote + "/"
	branch, err := repo.DefaultBranch(ctx, folder+"HEAD")
	names := []string{branch}
	if errors.Is(err, git.ErrMissing) {
		names, err = []string{folder + "main", folder + "master"}, nil
	}
	if _, plain := errors.AsType[*git.PlainHeadError](err); plain {
		return "", nil
	}
	for _, name := range names {
		commit := ""
		if err == nil {
			commit, err = repo.CommitOf(ctx, name)
		}
		if !errors.Is(err, git.ErrMissing) {
			return commit, err
		}
		err = nil
	}
	return "", err
}

// mutedFile is where the muted names are kept. It belongs to one user.
func mutedFile(repo *git.Repo) local.File { return repo.Local().OwnFile("muted.json") }

// Muted returns the names whose unsigned records are not shown automatically in this clone, because its user
// said so.
func Muted(repo *git.Repo) (names []string, err error) {
	_, err = mutedFile(repo).ReadState(&names)
	return names, err
}

// Mute keeps the unsigned records of a name, and of those that look like it, from being shown automatically,
// or lets them, and reports whether that was new.
func Mute(repo *git.Repo, name string, muted bool) (changed bool, err error) {
	name = clean.Line(name)
	names, err := Muted(repo)
	at := slices.IndexFunc(names, func(n string) bool { return Look(n) == Look(name) })
	switch {
	case err != nil || muted == (at >= 0):
		return false, err
	case muted:
		names = append(names, name)
	default:
		names = slices.Delete(names, at, at+1)
	}
	return true, mutedFile(repo).WriteState(names)
}
