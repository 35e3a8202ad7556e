package redact

// systemRules are directories whose content differs from machine to machine.
func systemRules() []Rule {
	return []Rule{{
		ID: "system-path", Severity: Warn,
		Why:    "looks like an absolute path that another machine may not have",
		Advice: "write the path relative to the repository, or name what it holds",
		keywords: []string{
			"/etc/", "/opt/", "/var/", "/tmp/", "/srv/", "/mnt/", "/usr/", "/volumes/", "/private/", "/nix/",
			"/workspace/", "/workspaces/", "/data/", "/library/", "/proc/", "/root",
		},
		find:   findSystem,
		public: []string{"/etc/", "/opt/", "/var/", "/tmp/", "/srv/", "/mnt/", "/usr/", "/Volumes/", "/private/", "/nix/", "/root"},
	}}
}

func findSystem(text string, keyword span) (span, bool) {
	start, sure := pathStart(text, keyword.start)
	if !sure || start != keyword.start || byteBefore(text, start) == ':' || isRouted(text, start) {
		return span{}, false
	}
	switch word := keyword.of(text); word {
	case "/root":
		c := byteAt(text, keyword.end)
		return keyword, !isURLSafe(c) && c != '/' && c != '.' && !isBeyond(c)
	case "/volumes/", "/library/":
		return span{}, false // Written in small letters these are routes.
	}
	if !isNameStart(byteAt(text, keyword.end)) {
		return span{}, false
	}
	path := span{start, pathEnd(text, keyword.end)}
	return path, !isCommonPath(path.of(text))
}

// isCommonPath says whether path is the same on every machine that has it.
func isCommonPath(path string) bool {
	switch path {
	case "/etc/hosts", "/etc/passwd", "/etc/resolv.conf", "/etc/os-release", "/etc/fstab",
		"/usr/bin/env", "/usr/bin/bash", "/usr/bin/sh", "/usr/bin/git", "/usr/bin/python3", "/usr/local/bin", "/usr/bin",
		"/var/run/docker.sock", "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/var/log", "/usr/local", "/usr/lib", "/usr/share":
		return true
	default:
		return false
	}
}
