package redact

import "strings"

// homeRules are the directories of users, which name a person or at least an
// account, and which no other machine has.
func homeRules() []Rule {
	const advice = "write the path relative to the repository"
	return []Rule{
		{
			ID: "home-path", Severity: Block,
			Why: "looks like a path in the home directory of a user", Advice: advice,
			keywords: []string{"/users/", "/home/", "/root/"}, find: findHome,
			public: []string{"/Users/", "/home/", "/root/"},
		},
		{
			ID: "file-url", Severity: Block,
			Why: "looks like the URL of a file on one machine", Advice: advice,
			keywords: []string{"file://"}, find: findFileURL,
			public: []string{"file://"},
		},
		{
			ID: "home-relative-path", Severity: Warn,
			Why: "looks like a path in the home directory of whoever reads it", Advice: advice,
			keywords: []string{"~/", "$home/", "${home}/", "$env:userprofile", "%userprofile%", "%appdata%", "%localappdata%", "%homepath%"},
			find:     findHomeRelative,
			public:   []string{"~/", "$HOME/", "${HOME}/", "%USERPROFILE%"},
		},
	}
}

// findHome finds "/home/<name>/<more>", "/Users/<name>" and "/root/<more>".
// Where a word stands in front, or where the form is that of a route, the
// directory after the name must be one that homes have.
func findHome(text string, keyword span) (span, bool) {
	word := keyword.of(text)
	start, sure := pathStart(text, keyword.start)
	if word == "/root/" {
		return homePath(text, start, keyword.end, sure && !isRouted(text, start))
	}
	name := segment(text, keyword.end)
	if name.start == name.end || !isNameStart(text[name.start]) || isHomeless(name.of(text)) {
		return span{}, false
	}
	if homeChild(segment(text, name.end+1).of(text)) && byteAt(text, name.end) == '/' {
		return homePath(text, start, name.start, true)
	}
	switch {
	case !sure || isRouted(text, start):
		return span{}, false
	case word == "/Users/":
		return homePath(text, start, name.start, true)
	case word == "/home/":
		more := byteAt(text, name.end) == '/' && isNameStart(byteAt(text, name.end+1))
		return homePath(text, start, name.start, more)
	default: // In small letters /users/ is a route more often than a directory.
		return span{}, false
	}
}

// homePath returns the path from start, which has a segment at from.
func homePath(text string, start, from int, ok bool) (span, bool) {
	if !ok || !isNameStart(byteAt(text, from)) {
		return span{}, false
	}
	return span{start, pathEnd(text, from)}, true
}

// isNameStart says whether c can begin the name of a file.
func isNameStart(c byte) bool { return isWord(c) || isBeyond(c) || c == '.' || c == '@' }

// isHomeless says whether the segment after /home or /Users is no user.
func isHomeless(name string) bool {
	switch strings.ToLower(name) {
	case "shared", "feed", "page", "pages", "index", "index.html", "dashboard", "settings", "about", "timeline",
		"latest", "news", "products", "search", "login", "banner", "hero", "api", "v1", "v2", "me", "id", ".", "..", "...":
		return true
	default:
		return run(name, 0, len(name), isDigit) == len(name) || strings.HasPrefix(name, "...") || strings.HasPrefix(name, "…")
	}
}

// homeChild says whether name is a directory that home directories have.
func homeChild(name string) bool {
	if len(name) > 1 && name[0] == '.' && isLetter(name[1]) {
		return true
	}
	switch name {
	case "Documents", "Desktop", "Downloads", "Library", "Pictures", "Projects", "Developer", "Code", "Sites", "Dropbox",
		"AppData", "OneDrive", "src", "code", "dev", "work", "workspace", "projects", "repos", "git", "go", "bin", "documents":
		return true
	default:
		return false
	}
}

// findFileURL finds a file URL with a path.
func findFileURL(text string, keyword span) (span, bool) {
	if isAlnum(byteBefore(text, keyword.start)) {
		return span{}, false
	}
	end := pathEnd(text, keyword.end)
	path := strings.TrimLeft(text[keyword.end:end], "/")
	if path == "" || !isNameStart(path[0]) || strings.HasPrefix(path, "path/to") || strings.HasPrefix(path, "...") {
		return span{}, false
	}
	return span{keyword.start, end}, true
}

// findHomeRelative finds a path that begins with a sign for a home.
func findHomeRelative(text string, keyword span) (span, bool) {
	before := byteBefore(text, keyword.start)
	if isWord(before) || before == '/' || before == '.' || before == '~' || before == '\\' {
		return span{}, false
	}
	end := pathEnd(text, keyword.end)
	if last := text[keyword.end-1]; last != '/' {
		c := byteAt(text, keyword.end)
		return span{keyword.start, end}, (c == '\\' || c == '/') && end > keyword.end+1
	}
	return span{keyword.start, end}, isNameStart(byteAt(text, keyword.end))
}
