package upstream

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
)

// agreedFile holds sums of settings, by the place of the repository that they were accepted for. It is below the
// folder ltm of the person's configuration, and so outside of the repository.
const agreedFile = "agreed.json"

// maxAgreed bounds what is read of it.
const maxAgreed = 1 << 20

// Missing returns the settings of a repository under which git would run a program or go somewhere
// else, where this is not the very set that the person accepted. What was accepted for one place
// counts nowhere else.
func Missing(repo *git.Repo, config git.Config) []git.Line {
	lines := Outward(config)
	if len(lines) == 0 || isAgreed(repo, "", lines) {
		return nil
	}
	return lines
}

// Accept notes that the person has seen these settings of a repository and accepts them, in the
// place of what was accepted for it before. None are as if nothing had been accepted.
func Accept(repo *git.Repo, lines []git.Line) error {
	return keepAgreement(repo, "", lines)
}

// ofUpstream stands behind the place of a repository whose remote for memory the person fixed.
const ofUpstream = " upstream"

// isAgreed reports whether the person accepted these very settings, of one kind, for a repository. What cannot be
// read was not accepted.
func isAgreed(repo *git.Repo, kind string, lines []git.Line) bool {
	all, err := readAgreements(repo)
	place, placed := placeOf(repo)
	return err == nil && placed == nil && all[place+kind] == sumOf(lines)
}

// keepAgreement keeps what was accepted of one kind for a repository, in the place of what was before.
func keepAgreement(repo *git.Repo, kind string, lines []git.Line) error {
	all, err := readAgreements(repo)
	if err != nil {
		return err
	}
	place, err := placeOf(repo)
	if err != nil {
		return err
	}
	if delete(all, place+kind); len(lines) > 0 {
		all[place+kind] = sumOf(lines)
	}
	name := filepath.Join(repo.UserFolder(), agreedFile)
	if err = os.MkdirAll(filepath.Dir(name), 0o700); err == nil {
		err = local.At(name).WriteState(all)
	}
	if err != nil {
		return fmt.Errorf("keep what you accept: %w", err)
	}
	return nil
}

// placeOf is where a repository lies, in one form.
func placeOf(repo *git.Repo) (string, error) {
	place, err := filepath.EvalSymlinks(repo.CommonDir)
	if err != nil {
		return "", fmt.Errorf("find the place of the repository: %w", err)
	}
	return filepath.Abs(place)
}

// sumOf is the same for the same settings in the same order alone.
func sumOf(lines []git.Line) string {
	hash := sha256.New()
	for _, line := range lines {
		_, _ = fmt.Fprintf(hash, "%s\n%s\x00", line.Key, line.Value) // A hash takes everything.
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// readAgreements reads what was accepted. Where there is no file, that is nothing.
func readAgreements(repo *git.Repo) (map[string]string, error) {
	if repo.UserFolder() == "" {
		return nil, errors.New(
			"there is no home directory to keep what you accept in; set HOME or XDG_CONFIG_HOME")
	}
	name := filepath.Join(repo.UserFolder(), agreedFile)
	text, err := local.ReadFile(name, maxAgreed)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]string{}, nil
	}
	var all map[string]string
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err == nil && all == nil {
		err = errors.New("it holds nothing")
	}
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", name, err)
	}
	return all, nil
}

// Outward returns the settings of the repository under which git runs a program on its way to a
// remote, or reaches another place than the address says, in the order git reads them. Those of the
// person, of the machine and of one call are not among them: a repository brings none of those.
func Outward(config git.Config) []git.Line {
	return slices.DeleteFunc(config.OfRepository(), func(line git.Line) bool { return !isOutward(line) })
}

// isOutward judges one line. Git lists sections and names in lower case. A whole section is judged
// at once where most of it matters or where later versions of git may add to it.
func isOutward(line git.Line) bool {
	section, rest, _ := strings.Cut(line.Key, ".")
	name := rest[strings.LastIndexByte(rest, '.')+1:]
	switch section {
	case "core":
		return slices.Contains(
			[]string{"sshcommand", "gitproxy", "hookspath", "askpass", "alternaterefscommand"}, name)
	case "credential":
		return name != "username" && name != "usehttppath"
	case "http":
		return !slices.Contains(tameHTTP(), name)
	case "url", "bundle", "promisor":
		return true
	case "protocol":
		return name == "allow"
	case "fetch", "transfer":
		return name == "bundleuri"
	case "remote":
		switch name {
		case "proxy", "proxyauthmethod", "uploadpack", "receivepack", "vcs":
			return true
		case "url", "pushurl":
			return !isPlainAddress(line.Value)
		}
	}
	return false
}

// tameHTTP are the settings of http that neither run anything nor say where git goes or whom it
// believes.
func tameHTTP() []string {
	return []string{
		"extraheader", "lowspeedlimit", "lowspeedtime", "maxrequests", "maxretries", "maxretrytime",
		"minsessions", "postbuffer",
		"retryafter", "useragent", "version",
	}
}

// isPlainAddress reports whether git goes to an address itself, and starts no program that is called after
// its beginning. For an empty one, it looks elsewhere for another.
func isPlainAddress(address string) bool {
	word := len(address) - len(strings.TrimLeftFunc(address, isOfScheme))
	switch rest := address[word:]; {
	case address == "", strings.HasPrefix(rest, "::"):
		return false
	case !strings.HasPrefix(rest, "://"):
		return true
	default:
		return slices.Contains([]string{"http", "https", "ssh", "git+ssh", "ssh+git", "git", "file"},
			address[:word])
	}
}

// isOfScheme reports whether a character may stand in the name of a way to a server.
func isOfScheme(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '+' || r == '.' ||
		r == '-'
}
