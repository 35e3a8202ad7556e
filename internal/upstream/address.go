package upstream

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/git"
)

// ChangedError says that git reaches another place by the name of the upstream than the one that the person
// fixed.
type ChangedError struct {
	Remote string
	Fixed  string // its address as it was fixed
	Now    string // what it is now; empty where there is no such remote any more
}

func (e *ChangedError) Error() string {
	if e.Now == "" {
		return fmt.Sprintf("there is no remote %s any more, which was %s when setup fixed it for memory",
			e.Remote, e.Fixed)
	}
	return fmt.Sprintf("%s is now %s, and was %s when setup fixed it for memory", e.Remote, e.Now, e.Fixed)
}

// At returns the upstream of that name as the configuration has it; not ok where it has no address there.
func At(config git.Config, name string) (u Upstream, ok bool) {
	fetch, push := config.Addresses(name)
	u.Remote, u.URL = name, Address(fetch)
	for i, address := range push {
		push[i] = Address(address)
	}
	if to := strings.Join(push, " "); to != u.URL {
		u.PushURL = to
	}
	return u, fetch != ""
}

// Changed returns a [ChangedError] where the configuration leads to another place, for a fetch or for a push.
func (u Upstream) Changed(config git.Config) error {
	now, _ := At(config, u.Remote)
	if now.URL == u.URL && now.PushURL == u.PushURL {
		return nil
	}
	return &ChangedError{Remote: u.Remote, Fixed: u.Places(), Now: now.Places()}
}

// Places are the addresses, as a person reads them.
func (u Upstream) Places() string {
	if u.PushURL == "" {
		return u.URL
	}
	return u.URL + " (push: " + u.PushURL + ")"
}

// Check returns what Changed does. It asks git for the configuration only where the files do not plainly say
// it.
func (u Upstream) Check(ctx context.Context, repo *git.Repo) error {
	config, sure := repo.Settings().PlainAddresses()
	if !sure {
		var err error
		if config, err = repo.Config(ctx); err != nil {
			return err
		}
	}
	return u.Changed(config)
}

// Address is an address as it is kept, compared and shown: without what only its owner may know.
func Address(address string) string {
	if u, err := url.Parse(address); err == nil && u.User != nil {
		u.User = url.User(u.User.Username())
		if strings.HasPrefix(u.Scheme, "http") {
			u.User = nil // A token may stand in the place of the name.
		}
		address = u.String()
	}
	return clean.Line(address)
}
