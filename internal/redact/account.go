package redact

import "strings"

// isHomeless says whether the name after /home or /Users is no user: a page
// of a site, a directory that all share, or a word that stands for a name.
func isHomeless(name string) bool {
	name = strings.ToLower(name)
	return homeless.has(name) || pages.has(name) || strings.HasPrefix(name, "your") || strings.HasPrefix(name, "...") || strings.HasPrefix(name, "…") ||
		run(name, 0, len(name), isDigit) == len(name)
}

// isImageHome says whether name is the account of an image or a hosted
// runner. A path in its home only warns: it still is no path that a reader
// with another machine has.
func isImageHome(name string) bool { return imageHomes.has(strings.ToLower(name)) }
