package remote

import (
	"context"
	"net"
	"net/url"
	"regexp"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
)

// PublicError is a remote that everybody can read, to which memory would go for the first time.
type PublicError struct {
	Remote string
	At     string // the address at which it was read without any account
}

func (e *PublicError) Error() string {
	return "everybody can read " + e.Remote + ": " + e.At + " answers without an account"
}

// mayGo refuses to send the first memory to a remote that everybody can read, unless the user said yes. A host gives no ref
// to some readers only, so whoever reads the repository reads the memory.
func (x *exchange) mayGo(ctx context.Context, p parcel) error {
	if len(x.theirs.refs) > 0 || x.request.Public || len(p.stones)+len(p.rest) == 0 {
		return nil
	}
	said, err := x.config.Bool("ltm.public", false)
	if err != nil || said {
		return err
	}
	at, err := openAt(ctx, x.repo, x.request.Remote)
	if err == nil && at != "" {
		err = &PublicError{Remote: x.request.Remote, At: at}
	}
	return err
}

// openAt asks where a remote answers without an account; "" where it does not.
func openAt(ctx context.Context, repo *git.Repo, remote string) (string, error) {
	places, err := repo.Places(ctx, remote)
	if err != nil {
		return "", err
	}
	for _, address := range places {
		if at := openAddress(address); at != "" && repo.ListsAnonymously(ctx, at) {
			return at, nil
		}
	}
	return "", nil
}

// openAddress is where everybody would read a repository, without an account: the address itself, or the one that hosts
// serve beside that for ssh. It is empty where there is none.
func openAddress(address string) string {
	if strings.Contains(address, "://") {
		return openURL(address)
	}
	short := regexp.MustCompile(`^(?:[^@/]+@)?([^:/@]+):([^:].*)$`).FindStringSubmatch(address)
	if short == nil || !onTheNet(short[1]) {
		return ""
	}
	return "https://" + short[1] + "/" + strings.TrimPrefix(short[2], "/")
}

// openURL is openAddress of a URL. The short form for ssh is none, although the host before its colon looks like a scheme.
func openURL(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	switch u.Scheme {
	case "http", "https", "git":
		u.User = nil
		return u.String()
	case "ssh", "git+ssh", "ssh+git":
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
