package redact

import "strings"

// isHomeless says whether the name after /home or /Users is no user: a page
// of a site, a directory that all share, or a word that stands for a name.
func isHomeless(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "shared", "public", "all", "default", "guest", ".", "..", "...", "__w":
		return true
	case "user", "username", "users", "name", "you", "me", "myself", "self", "myuser", "myname", "someone", "someuser", "somebody",
		"user_name", "user-name", "userid", "user_id", "my-user", "foo", "test", "testuser", "xxx", "example", "path", "placeholder":
		return true
	}
	return isPage(name) || strings.HasPrefix(name, "your") || strings.HasPrefix(name, "...") || strings.HasPrefix(name, "…") ||
		run(name, 0, len(name), isDigit) == len(name)
}

// isPage says whether name is one that pages and routes of sites have.
func isPage(name string) bool {
	switch name {
	case "feed", "page", "pages", "index", "index.html", "dashboard", "settings", "about", "timeline", "latest", "news", "products",
		"search", "login", "logout", "signin", "signup", "register", "banner", "hero", "api", "v1", "v2", "v3", "id", "profile", "profiles",
		"account", "accounts", "overview", "explore", "posts", "post", "articles", "blog", "help", "contact", "home", "main", "menu",
		"notifications", "messages", "inbox", "orders", "cart", "checkout", "billing", "categories", "category", "tags", "trending",
		"popular", "recent", "welcome", "onboarding", "landing", "features", "pricing", "faq", "terms", "privacy", "widgets", "sections",
		"components", "new", "edit", "list", "all-posts", "create", "update", "delete", "detail", "details", "bulk", "export", "import",
		"count", "current", "active", "admin", "invite", "invitations", "roles", "permissions", "groups", "password", "reset-password",
		"verify", "sessions", "preferences", "avatar", "stats", "favorites", "favourites", "bookmarks", "assets", "images", "static", "events",
		"content", "layout", "header", "footer", "slider", "carousel", "tabs", "tab", "videos", "music", "photos", "library", "calendar",
		"tasks", "projects", "teams", "reports", "analytics", "activity", "history", "friends", "followers", "following", "discover":
		return true
	default:
		return false
	}
}

// isImageHome says whether name is the account of an image or a hosted
// runner. Its home is the same on every machine that runs the image, and it
// tells nothing of the person, so a path in it only warns: it still is no
// path that a reader with another machine has.
func isImageHome(name string) bool {
	switch strings.ToLower(name) {
	case "runner", "runneradmin", "vsts", "vsts_azpcontainer", "vssadministrator", "circleci", "travis", "semaphore", "builder", "build",
		"jenkins", "buildkite-agent", "gitlab-runner", "containeradministrator", "containeruser":
		return true // Hosted builds.
	case "node", "app", "appuser", "nonroot", "vscode", "gitpod", "codespace", "jovyan", "coder", "devcontainer", "airflow", "spack", "rust",
		"python", "deno", "bun", "pptruser", "pwuser", "seluser", "sbx_user1051", "webapp", "oracle", "elasticsearch", "gradle", "frappe":
		return true // Images of containers.
	case "ubuntu", "debian", "ec2-user", "centos", "fedora", "core", "admin", "azureuser", "opc", "alpine", "vagrant", "pi", "linuxbrew",
		"git", "postgres", "steam", "deck", "www-data", "cloudshell-user", "cloud-user", "rocky", "almalinux", "opensuse", "arch":
		return true // Images of machines, and accounts that packages make.
	default:
		return false
	}
}

// isCache says whether name is a directory below /root that builds of images
// name on purpose. There is no other way to write them.
func isCache(name string) bool {
	switch name {
	case ".cache", ".npm", ".m2", ".cargo", ".rustup", ".gradle", ".local", ".nuget", ".ivy2", ".sbt", ".yarn", ".composer", ".bundle",
		".gem", ".pnpm-store", ".bun", ".deno", ".pyenv", ".nvm", "go":
		return true
	default:
		return false
	}
}

// isExtension says whether word ends names of files and not names of people
// or hosts.
func isExtension(word string) bool {
	switch strings.ToLower(word) {
	case "png", "jpg", "jpeg", "gif", "svg", "webp", "ico", "tgz", "zip", "tar", "html", "htm", "css", "scss", "js", "jsx", "tsx", "ts", "mjs",
		"json", "yaml", "yml", "toml", "xml", "txt", "md", "py", "rb", "php", "java", "go", "lock", "log", "local", "jar", "war", "whl", "deb",
		"rpm", "apk", "exe", "dll", "pdf", "csv", "sql", "vue", "svelte", "conf", "ini", "env", "bak", "old", "orig", "patch", "diff",
		"service", "socket", "timer", "target", "slice", "mount", "scope", "path", "device", "swap", "automount":
		return true
	default:
		return false
	}
}
