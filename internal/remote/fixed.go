package remote

import (
	"context"
	"fmt"
	"net"
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

// Judged returns an upstream with how far it is believed where nobody said it, and why. Only a remote of
// which git knows who answers, and that answers nobody without an account, is believed itself.
func Judged(ctx context.Context, repo *git.Repo, config git.Config,
	u upstream.Upstream,
) (upstream.Upstream, error) {
	u.Trust = upstream.Signed
	way, _ := wayTo(u.URL)
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
		u.Why = "it was not asked whether everybody can read it, as nobody has accepted " +
			strings.Join(missing, ", ") + again
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

// wayTo is how git reaches an address: by ssh, by what stands before "://", by a program of its own, or, as "", in
// this machine; and where that leads.
func wayTo(address string) (way string, to *url.URL) {
	if helper, _, ok := strings.Cut(address, "::"); ok && !strings.ContainsAny(helper, "/:[") {
		return "a program of its own", nil
	}
	if u, err := url.Parse(address); err == nil && strings.Contains(address, "://") {
		switch scheme := strings.ToLower(u.Scheme); scheme {
		case "file":
			return "", u
		case "ssh", "git+ssh", "ssh+git":
			return "ssh", u
		default:
			return scheme, u
		}
	}
	// The short form for ssh is no URL, although the host before its colon looks like a scheme.
	host, path, short := strings.Cut(address, ":")
	switch {
	case strings.HasPrefix(address, "["): // The number of a host, or a host and its port.
		return "ssh", &url.URL{}
	case !short || strings.Contains(host, "/") || len(host) == 1: // One letter is a drive.
		return "", nil
	}
	host = host[strings.LastIndexByte(host, '@')+1:]
	return "ssh", &url.URL{Host: host, Path: "/" + strings.TrimPrefix(path, "/")}
}

// LearnStore keeps the id of the store that records are signed for which the upstream holds: the first that
// is seen there. One that a trusted key signs for later is noted, and not followed. The names are full names
// of refs that are here.
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
	return now.Keep(m.Repo())
}

// LearnStoreOf does so for what a remote is known to hold, when it is fixed.
func LearnStoreOf(ctx context.Context, m *memory.Memory, u upstream.Upstream) error {
	held, err := m.Remote(u.Remote).Holds(ctx)
	if err != nil {
		return err
	}
	var names []string
	for name := range held.All() {
		names = append(names, name)
	}
	return LearnStore(ctx, m, u, names)
}

// otherStore is the store of which the upstream has become one, as far as trusted keys say, and which nobody
// accepted here; else "".
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

// Ignored says that ltm.remote names another remote than the one that setup fixed, and which command takes
// that one; "" where it does not.
func Ignored(repo *git.Repo, config git.Config) (what, mend string) {
	u, fixed, err := upstream.Of(repo)
	said, ok := config.Get("ltm.remote")
	if err != nil || !fixed || !ok || said == u.Remote {
		return "", ""
	}
	return fmt.Sprintf("ltm.remote is %s, and memory goes to %s, which setup fixed", said, u.Remote),
		"git ltm setup --remote " + said
}

// StoreChanged says that the remote delivers what is signed for another store, and which command accepts
// that; "" where it does not.
func (x Exchange) StoreChanged() (what, mend string) {
	if x.Other == "" {
		return "", ""
	}
	return fmt.Sprintf("%s delivers what a trusted key signed for another store than this one, %s, so it "+
			"is not trusted", x.Remote, x.Other),
		"git config --add ltm.store " + x.Other
}

// PublicError is a remote that everybody can read, to which memory would go for the first time.
type PublicError struct {
	Remote string
	At     string // the address at which it was read without any account
}

func (e *PublicError) Error() string {
	return "everybody can read " + e.Remote + ": " + e.At + " answers without an account"
}

// mayGo refuses to send the first memory to a remote that everybody can read, unless the user said yes. A
// host gives no ref to some readers only, so whoever reads the repository reads the memory. What a place holds that
// is pushed to and not read from nobody sees, so that it is asked each time.
func (x *exchange) mayGo(ctx context.Context, p parcel) error {
	fetch, push := x.config.Addresses(x.request.Remote)
	elsewhere := slices.ContainsFunc(push, func(address string) bool { return address != fetch })
	if x.theirs.refs.Len() > 0 && !elsewhere || x.request.Public || len(p.stones)+len(p.rest) == 0 {
		return nil
	}
	said, err := x.config.Bool("ltm.public", false)
	if err != nil || said {
		return err
	}
	if at := openAt(ctx, x.repo, x.config, x.request.Remote); at != "" {
		return &PublicError{Remote: x.request.Remote, At: at}
	}
	return nil
}

// openAt asks where a remote answers without an account; "" where it does not.
func openAt(ctx context.Context, repo *git.Repo, config git.Config, remote string) string {
	fetch, push := config.Addresses(remote)
	asked := map[string]bool{"": true}
	for _, address := range append([]string{fetch}, push...) {
		at := openAddress(address)
		if !asked[at] && repo.ListsAnonymously(ctx, at) {
			return at
		}
		asked[at] = true
	}
	return ""
}

// openAddress is where everybody would read a repository, without an account: the address itself, or the one
// that hosts serve beside that for ssh. It is empty where there is none.
func openAddress(address string) string {
	switch way, u := wayTo(address); way {
	case "http", "https", "git":
		u.User = nil
		return u.String()
	case "ssh":
		if onTheNet(u.Hostname()) {
			return "https://" + u.Hostname() + u.EscapedPath()
		}
	}
	return ""
}

// onTheNet tells names that somebody elsewhere could ask for.
func onTheNet(host string) bool {
	return strings.Contains(host, ".") && net.ParseIP(host) == nil && !strings.HasSuffix(host, ".local")
}
