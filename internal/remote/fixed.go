package remote

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

// askLimit is how long setup waits for a remote that it asks.
const askLimit = 10 * time.Second

// Judged returns an upstream with how far it is believed where nobody said it, and why. Only a remote of which git knows who answers,
// and that answers nobody without an account, is believed itself.
func Judged(ctx context.Context, repo *git.Repo, config git.Config, u upstream.Upstream) (upstream.Upstream, error) {
	u.Trust = upstream.Signed
	way := wayTo(u.URL)
	switch way {
	case "":
		u.Trust, u.Why = upstream.Remote, "it is a folder of this machine"
		return u, nil
	case "ssh":
	case "https":
		if checked, err := repo.VerifiesTLS(ctx, u.URL); err != nil || !checked {
			u.Why = "http.sslVerify is off, so git does not check who answers"
			return u, err
		}
	default:
		u.Why = "git cannot check who answers over " + way
		return u, nil
	}
	again := " (git ltm setup --remote " + u.Remote + " asks again)"
	if missing := HeldBack(repo, config); len(missing) > 0 {
		u.Why = "it was not asked whether everybody can read it, as nobody has accepted " + strings.Join(missing, ", ") + again
		return u, nil
	}
	limited, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	if _, err := repo.Unattended(config).LsRemote(limited, u.Remote, refs.FormatRef); err != nil {
		u.Why = "it did not answer when it was asked whether everybody can read it" + again
		return u, nil //nolint:nilerr // It is why.
	}
	if at := openAddress(u.URL); at != "" && repo.ListsAnonymously(ctx, at) {
		u.Why = "everybody can read it: " + at + " answers without an account"
		return u, nil
	}
	u.Trust, u.Why = upstream.Remote, "it is reached by "+way+", and answers nobody without an account"
	return u, nil
}

// wayTo is how git reaches an address: by ssh, by what stands before "://", by a program of its own, or, as "", in this machine.
func wayTo(address string) string {
	if helper, _, ok := strings.Cut(address, "::"); ok && !strings.ContainsAny(helper, "/:[") {
		return "a program of its own"
	}
	if u, err := url.Parse(address); err == nil && strings.Contains(address, "://") {
		switch scheme := strings.ToLower(u.Scheme); scheme {
		case "file":
			return ""
		case "ssh", "git+ssh", "ssh+git":
			return "ssh"
		default:
			return scheme
		}
	}
	colon, slash := strings.IndexByte(address, ':'), strings.IndexByte(address, '/')
	if colon < 0 || slash >= 0 && slash < colon || colon == 1 { // One letter is a drive.
		return ""
	}
	return "ssh"
}

// LearnStore keeps the id of the store that records are signed for which the upstream holds: the first that is seen there. One that a
// trusted key signs for later is noted, and not followed. The names are full names of refs that are here.
func LearnStore(ctx context.Context, m *memory.Memory, u upstream.Upstream, names []string) error {
	trusted, all, err := m.Signer().StoresOf(ctx, names)
	if err != nil {
		return err
	}
	t, err := m.Judge().Trust(ctx)
	if err != nil {
		return err
	}
	before := u
	if len(trusted) == 0 && u.Store == "" {
		trusted = all // Later, anybody could sign for any store.
	}
	isKnown := func(id string) bool { return slices.Contains(t.Stores(), id) }
	other := slices.DeleteFunc(slices.Clone(trusted), isKnown)
	switch at := slices.IndexFunc(trusted, isKnown); {
	case u.Store == "" && at >= 0:
		u.Store = trusted[at]
	case u.Store == "" && len(other) == 1:
		u.Store, other = other[0], nil
	}
	if u.Store != "" && len(other) > 0 {
		u.Other = other[0]
	}
	if u == before {
		return nil
	}
	now, _, err := upstream.Of(m.Repo()) // The person may have said something meanwhile.
	if err != nil || now.Remote != u.Remote || now.URL != u.URL {
		return err
	}
	now.Store, now.Other = u.Store, u.Other
	m.Judge().Reload()
	return now.Fix(m.Repo())
}

// LearnStoreOf does so for what a remote is known to hold, when it is fixed.
func LearnStoreOf(ctx context.Context, m *memory.Memory, u upstream.Upstream) error {
	store, err := refs.Open(ctx, m.Repo())
	if err != nil {
		return err
	}
	held, err := store.HeldBy(ctx, u.Remote)
	_ = store.Close() // It only read.
	if err != nil {
		return err
	}
	return LearnStore(ctx, m, u, slices.Sorted(maps.Keys(held)))
}

// otherStore is the store of which the upstream has become one, as far as trusted keys say, and which nobody accepted here; else "".
func otherStore(ctx context.Context, m *memory.Memory, u upstream.Upstream) (string, error) {
	if u.Other == "" {
		return "", nil
	}
	t, err := m.Judge().Trust(ctx)
	if err != nil || slices.Contains(t.Stores(), u.Other) {
		return "", err
	}
	return u.Other, nil
}

// Ignored says that ltm.remote names another remote than the one that setup fixed, and which command takes that one; "" where it does not.
func Ignored(repo *git.Repo, config git.Config) (what, mend string) {
	u, fixed, err := upstream.Of(repo)
	said, ok := config.Get("ltm.remote")
	if err != nil || !fixed || !ok || said == u.Remote {
		return "", ""
	}
	return fmt.Sprintf("ltm.remote is %s, and memory goes to %s, which setup fixed", said, u.Remote), "git ltm setup --remote " + said
}

// StoreChanged says that the remote delivers what is signed for another store, and which command accepts that; "" where it does not.
func (x Exchange) StoreChanged() (what, mend string) {
	if x.Other == "" {
		return "", ""
	}
	return fmt.Sprintf("%s delivers what a trusted key signed for another store than this one, %s, so it is not trusted", x.Remote, x.Other),
		"git config --add ltm.store " + x.Other
}
