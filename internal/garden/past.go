package garden

import "strings"

// past returns the past form of a verb that often begins the subject of a
// commit, or "".
func past(verb string) string {
	switch verb {
	case "make":
		return "made"
	case "keep":
		return "kept"
	case "let", "set", "put", "cut", "split", "shut", "read":
		return verb
	case "run":
		return "ran"
	case "write":
		return "wrote"
	case "rewrite":
		return "rewrote"
	case "send":
		return "sent"
	case "build":
		return "built"
	case "rebuild":
		return "rebuilt"
	case "hide":
		return "hid"
	case "give":
		return "gave"
	case "take":
		return "took"
	case "speed":
		return "sped"
	case "hold":
		return "held"
	case "find":
		return "found"
	case "show":
		return "showed"
	case "stop", "drop", "skip", "wrap", "map", "log", "trim", "pin", "tag", "ship", "swap", "strip", "plug", "scan", "submit", "permit", "cap", "bump", "get":
		return doubled(verb)
	case "allow", "support", "prevent", "avoid", "handle", "use", "return", "reject", "accept", "remove", "reduce", "improve", "increase", "update", "change",
		"replace", "move", "rename", "enable", "disable", "ensure", "check", "validate", "verify", "limit", "cache", "load", "store", "parse", "render", "reuse",
		"expose", "extend", "extract", "export", "import", "merge", "migrate", "correct", "close", "open", "retry", "apply", "restore", "report", "respect",
		"preserve", "pass", "call", "clear", "clean", "create", "delete", "detect", "escape", "guard", "ignore", "include", "initialize", "initialise", "inject",
		"join", "lock", "unlock", "normalise", "normalize", "optimise", "optimize", "refuse", "release", "require", "reset", "resolve", "revoke", "rotate", "save",
		"share", "simplify", "sort", "start", "switch", "treat", "upgrade", "warn", "add", "introduce", "implement", "fix", "print", "quote", "sanitize", "encode",
		"decode", "propagate", "batch", "index", "compress", "precompute", "parallelise", "parallelize", "defer", "flush", "refresh", "sync", "track", "wait":
		return regular(verb)
	default:
		return ""
	}
}

// regular returns the past form of a regular verb.
func regular(verb string) string {
	switch {
	case verb == "reset":
		return verb
	case strings.HasSuffix(verb, "e"):
		return verb + "d"
	case strings.HasSuffix(verb, "ry"), strings.HasSuffix(verb, "ly"), strings.HasSuffix(verb, "fy"):
		return strings.TrimSuffix(verb, "y") + "ied"
	default:
		return verb + "ed"
	}
}

// doubled returns the past form of a verb that doubles its last letter, but
// for a few that look so.
func doubled(verb string) string {
	switch verb {
	case "get":
		return "got"
	case "bump":
		return "bumped"
	default:
		return verb + verb[len(verb)-1:] + "ed"
	}
}
