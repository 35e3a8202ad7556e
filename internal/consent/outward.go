package consent

import (
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
)

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
