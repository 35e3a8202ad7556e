package git

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
)

// Addresses returns where git goes by the name of a remote, as the configuration rewrites it: the address that a fetch would use,
// and those that a push would go to. There are none where the configuration gives it no address.
func (c Config) Addresses(remote string) (fetch string, push []string) {
	urls, pushes := c.list("remote."+remote+".url"), c.list("remote."+remote+".pushurl")
	if len(urls) == 0 {
		return "", nil
	}
	for i, url := range pushes {
		pushes[i], _ = c.rewritten(url, ".insteadof")
	}
	given := len(pushes) > 0
	for i, url := range urls {
		if other, ok := c.rewritten(url, ".pushinsteadof"); ok && !given {
			pushes = append(pushes, other)
		}
		urls[i], _ = c.rewritten(url, ".insteadof")
	}
	if len(pushes) == 0 {
		pushes = urls
	}
	return urls[0], pushes
}

// list returns the values of a key that git takes as a list. An empty one begins it anew.
func (c Config) list(key string) []string {
	all := c.All(key)
	for i, value := range slices.Backward(all) {
		if value == "" {
			return all[i+1:]
		}
	}
	return all
}

// rewritten replaces the longest beginning of an address for which the configuration has another, and the first of equal ones.
func (c Config) rewritten(address, by string) (string, bool) {
	longest, found := configEntry{}, false
	for _, entry := range c.entries {
		ok := strings.HasPrefix(entry.key, "url.") && strings.HasSuffix(entry.key, by) && len(entry.key) >= len("url."+by)
		if ok && strings.HasPrefix(address, entry.value) && (!found || len(entry.value) > len(longest.value)) {
			longest, found = entry, true
		}
	}
	if !found {
		return address, false
	}
	return longest.key[len("url."):len(longest.key)-len(by)] + address[len(longest.value):], true
}

// PlainAddresses returns the lines of the configuration that [Config.Addresses] reads, without a process. It is sure only where
// every file that git reads was read, none leads to another, and each such line stands there as it is.
func (r *Repo) PlainAddresses() (c Config, sure bool) {
	for _, entry := range r.run.env {
		if variable, text, _ := strings.Cut(entry, "="); strings.HasPrefix(variable, "GIT_CONFIG") && mentions([]byte(text), "url") {
			return Config{}, false
		}
	}
	files, ok := r.configFiles()
	for i, file := range files {
		text, err := r.run.texts.read(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		before := len(c.entries)
		plain := err == nil && plainLines(string(text), func(section, name, said string, set bool) bool {
			kind, of, quoted := strings.Cut(strings.TrimSuffix(section, `"`), ` "`)
			kind, name = strings.ToLower(kind), strings.ToLower(name)
			if !slices.Contains([]string{"url", "pushurl", "insteadof", "pushinsteadof"}, name) {
				return true
			}
			c.entries = append(c.entries, configEntry{key: kind + "." + of + "." + name, value: strings.TrimSpace(said), set: set})
			return quoted && set && !strings.ContainsAny(of, `"\`) && !strings.ContainsAny(said, "\"\\#;")
		})
		if !plain || i == len(files)-1 && len(c.entries) > before { // Those of a work tree count where an extension says so.
			return Config{}, false
		}
	}
	return c, ok
}

// Nowhere returns an environment that says nothing of repositories, so that the directory alone tells which is meant.
func Nowhere(env []string) []string { return apart(env) }
