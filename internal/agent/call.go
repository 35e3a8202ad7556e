package agent

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// Call is the call of a tool: a command, or an edit of files. That of a tool which only looks has neither.
type Call struct {
	Tool    string
	Command string   // as a shell would read it
	Dir     string   // where it is made, if that is not where the session has its memory
	Paths   []string // of files that change, as the host writes them
	Added   string   // what an edit writes into them
	Removed string   // what it takes out of them
}

// maxPaths is how many files of one edit are looked at.
const maxPaths = 64

// readCall reads the call of a tool. Hosts name its parts alike, but for the case and the words of one.
func readCall(said gjson.Result) Call {
	c := Call{Tool: firstName(said, "tool_name", "toolName")}
	input := firstOf(said, "tool_input", "toolArgs", "tool_args")
	raw := ""
	if input.Type == gjson.String {
		raw = cutBytes(input.Str, maxText)
		input = gjson.Parse(input.Str) // Copilot writes the object as a text; what is none has no members.
	}
	typed := CommandOf(input)
	whole := typed + "\n"
	for _, name := range []string{"patch", "input"} { // A patch may have a member of its own.
		if v := input.Get(name); strings.HasPrefix(v.Str, patchBegins) {
			whole += cutBytes(v.Str, maxText) + "\n"
			break
		}
	}
	whole += raw
	if c.Paths = PatchedFiles(whole); len(c.Paths) > 0 {
		c.readPatch(whole)
		return c
	}
	// What the tool of an editor is told to do is no command line.
	edits := slices.Contains([]string{"view", "create", "str_replace", "insert", "undo_edit"}, typed)
	if typed != "" && !edits {
		c.Command = changeDir(firstName(said, "cwd"),
			firstName(input, "directory", "dir_path", "workdir", "working_directory")) + typed
		return c
	}
	if typed != "view" && !onlyLooks(c.Tool) {
		c.Paths = PathsOf(input)
		c.readEdit(input)
	}
	return c
}

func firstOf(said gjson.Result, paths ...string) gjson.Result {
	for _, path := range paths {
		if v := said.Get(path); v.Exists() {
			return v
		}
	}
	return gjson.Result{}
}

// CommandOf is the command line of a call. One in parts, as Codex writes it for its shell, is what the shell
// is handed.
func CommandOf(input gjson.Result) string {
	v := firstOf(input, "command", "cmd", "script")
	if !v.IsArray() {
		return cutBytes(v.Str, maxText)
	}
	var words []string
	for _, w := range v.Array() {
		words = append(words, w.Str)
	}
	if len(words) == 3 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") {
		return cutBytes(words[2], maxText)
	}
	return cutBytes(strings.Join(words, " "), maxText)
}

// patchBegins stands before a patch in the form that models write for Codex.
const patchBegins = "*** Begin Patch"

// PatchedFiles are the files that a patch changes; none for what is no patch.
func PatchedFiles(text string) []string {
	_, body, found := strings.Cut(text, patchBegins)
	if !found {
		return nil
	}
	var files []string
	for line := range strings.Lines(body) {
		for _, mark := range []string{
			"*** Add File: ", "*** Update File: ", "*** Delete File: ",
			"*** Move to: ",
		} {
			if file, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), mark); ok &&
				len(files) < maxPaths {
				files = append(files, cutBytes(file, maxName))
			}
		}
	}
	return files
}

// PathsOf are the files that the arguments of a call name.
func PathsOf(input gjson.Result) []string {
	var all []string
	for _, name := range []string{
		"file_path", "filePath", "notebook_path", "absolute_path", "path", "file",
		"filename",
	} {
		if v := input.Get(name); v.Type == gjson.String && v.Str != "" && len(v.Str) <= maxName {
			all = append(all, v.Str)
		}
	}
	for _, v := range input.Get("edits.#.file_path").Array() {
		if v.Type == gjson.String && len(v.Str) <= maxName && len(all) < maxPaths {
			all = append(all, v.Str)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
