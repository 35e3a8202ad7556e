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
	start, sure := pathStart(text, keyword.start)
	if !isHome(text, keyword, sure && !isRouted(text, start)) {
		return span{}, false
	}
	return span{start, pathEnd(text, keyword.end)}, true
}

// isHome says whether the names after the keyword are those of a home. When
// the path is not sure to be one of a file system they must be typical.
func isHome(text string, keyword span, sure bool) bool {
	word, name := keyword.of(text), segment(text, keyword.end)
	switch {
	case !isNameStart(byteAt(text, name.start)):
		return false
	case word == "/root/":
		return sure
	case isHomeless(name.of(text)):
		return false
	}
	child := ""
	if byteAt(text, name.end) == '/' {
		child = segment(text, name.end+1).of(text)
	}
	switch word {
	case "/Users/":
		return sure || homeChild(child)
	case "/home/":
		return homeChild(child) || sure && child != "" && isNameStart(child[0])
	default: // In small letters /users/ is a route more often than a directory.
		return homeChild(child) && !isLower(child[0])
	}
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
		"AppData", "OneDrive", "src", "code", "dev", "work", "workspace", "projects", "repos", "git", "go", "bin":
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
	from := run(text, keyword.end, min(len(text), keyword.end+3), func(c byte) bool { return c == '/' })
	path := text[from:]
	if !isNameStart(byteAt(text, from)) || strings.HasPrefix(path, "path/to") || strings.HasPrefix(path, "...") {
		return span{}, false
	}
	return span{keyword.start, pathEnd(text, from)}, true
}

// findHomeRelative finds a path that begins with a sign for a home.
func findHomeRelative(text string, keyword span) (span, bool) {
	before := byteBefore(text, keyword.start)
	if isWord(before) || before == '/' || before == '.' || before == '~' || before == '\\' {
		return span{}, false
	}
	from := keyword.end
	if text[from-1] != '/' {
		if c := byteAt(text, from); c != '\\' && c != '/' {
			return span{}, false
		}
		from++
	}
	if !isNameStart(byteAt(text, from)) {
		return span{}, false
	}
	return span{keyword.start, pathEnd(text, from)}, true
}
