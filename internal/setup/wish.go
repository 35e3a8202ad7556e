package setup

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/settings"
)

// wish is one thing that an agent should find in one file. It is an addition, a block or a whole file.
type wish struct {
	path    string
	inside  bool // the file belongs to the work tree, and no link may lead out of it
	private bool // only its owner reads a file that is made
	hook    bool // it makes the agent call our hooks

	add   *settings.Addition
	own   settings.Own // tells an addition that somebody changed
	inner *inner       // where own finds nothing, what is looked for within the elements
	mere  bool         // the addition goes only with the last thing in the file, as a version does

	block *settings.Block
	table []string // which the block defines in TOML; nil for a block of plain lines

	whole []byte
}

// inner is what is taken out of an element that others wrote in.
type inner struct {
	name  string // the member that holds the list
	value json.RawMessage
	own   settings.Own
}

// hasWritten tells whether an addition is in the place of the wish. What is known by its value alone is told
// by that.
func (w wish) hasWritten(a settings.Added) bool {
	return w.add != nil && w.add.Name == a.Name && slices.Equal(w.add.Path, a.Path) &&
		(w.own != nil || w.mere || bytes.Equal(w.add.Value, a.Value))
}

// isTelling reports whether the agent is told of git ltm by this. A skill alone may belong to another scope,
// and so may what hides files from git.
func (w wish) isTelling() bool { return w.hook || w.add != nil && !w.mere || w.table != nil }

// presence is what stands in the place of a wish.
type presence int

// What may stand there.
const (
	missing presence = iota // missing is nothing.
	present                 // present is what the wish says.
	altered                 // altered is ours, with a change of somebody else's.
)

// lookAt says what stands in the place of a wish.
func (w wish) lookAt(f settings.File) (presence, error) {
	switch {
	case w.add != nil:
		return w.lookAddition(f.Text)
	case w.table != nil:
		return w.lookTable(f.Text)
	case w.block != nil:
		lines, ok := w.block.Within(f.Text)
		switch {
		case !ok:
			return missing, nil
		case slices.Equal(lines, w.block.Lines):
			return present, nil
		}
		return altered, nil
	case !f.Exists:
		return missing, nil
	case w.isWhole(f.Text):
		return present, nil
	}
	return altered, nil
}

// isWhole tells whether a text is the file that is wished for. Git may check out what was committed with
// other line endings.
func (w wish) isWhole(text []byte) bool {
	return w.whole != nil && bytes.Equal(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), w.whole)
}

// lookAddition looks for a member or an element. A member of somebody else's is a *settings.TakenError when
// it is put in.
func (w wish) lookAddition(text []byte) (presence, error) {
	path := w.add.Path
	if w.add.Name != "" {
		path = append(slices.Clip(path), w.add.Name)
	}
	value, ok, err := settings.Value(text, path...)
	if err != nil || !ok {
		return missing, err
	}
	if w.add.Name != "" {
		return w.judgeValue(value), nil
	}
	list, _ := value.([]any)
	found := missing
	for _, element := range list {
		switch w.judgeValue(element) {
		case present:
			return present, nil
		case altered:
			found = altered
		case missing:
			if w.inner.isWithin(element) {
				found = altered
			}
		}
	}
	return found, nil
}

// judgeValue compares a value with the one of the wish.
func (w wish) judgeValue(value any) presence {
	switch {
	case w.mere || isEqualJSON(value, w.add.Value):
		return present
	case w.own != nil && w.own(value):
		return altered
	}
	return missing
}

// isWithin tells whether the list of an element holds what is ours.
func (in *inner) isWithin(element any) bool {
	if in == nil {
		return false
	}
	m, _ := element.(map[string]any)
	list, _ := m[in.name].([]any)
	return slices.ContainsFunc(list, in.own)
}

// isEqualJSON compares a decoded value with one in JSON.
func isEqualJSON(value any, text json.RawMessage) bool {
	want, ok, err := settings.Value(text)
	return err == nil && ok && string(encodeJSON(value)) == string(encodeJSON(want))
}

// lookTable looks for the table that the block defines, wherever it stands: an agent writes its file anew as
// it likes, and notes below our server what a person allowed.
func (w wish) lookTable(text []byte) (presence, error) {
	value, ok, err := settings.TableValue(text, w.table...)
	if err != nil || !ok {
		return missing, err
	}
	if !isServer(value) {
		return missing, &settings.TakenError{Path: w.table}
	}
	wanted, _, err := settings.TableValue([]byte(strings.Join(w.block.Lines, "\n")), w.table...)
	want, _ := wanted.(map[string]any)
	got, _ := value.(map[string]any)
	for name := range want {
		if string(encodeJSON(got[name])) != string(encodeJSON(want[name])) {
			return altered, err
		}
	}
	return present, err
}

// encodeJSON writes a value as JSON in which members are sorted.
func encodeJSON(value any) json.RawMessage {
	data, _ := clean.JSON(value, "") // All values are made of plain types.
	return bytes.TrimSuffix(data, []byte("\n"))
}

// call is a hook that an agent is to call.
type call struct {
	native  string // the agent's name of the event
	matcher string // which tools or sources are meant; "" for all
	event   agent.Event
	seconds int // how long the agent waits; more than the hook ever takes
}

// The seconds that agents wait. A start may have to bring the index up to date.
const (
	atStart = 10
	atTurn  = 5
	atEnd   = 3 // Codex allows no more.
)

// handler is one command of a hook, in the form of Claude Code that several agents share; Cursor has no type.
type handler struct {
	Name    string `json:"name,omitempty"`
	Type    string `json:"type,omitempty"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"`
}

// group is a list of commands for the same tools.
type group struct {
	Matcher string    `json:"matcher,omitempty"`
	Hooks   []handler `json:"hooks"`
}

// form is how an agent writes hooks.
type form struct {
	host   agent.Host
	name   string // of each handler; "" where they have none
	second int    // in units of the timeouts
}

// wishHooks are the wishes for hooks in the form of Claude Code.
func (s Site) wishHooks(at wish, f form, calls []call) []wish {
	wishes := make([]wish, 0, len(calls))
	for _, c := range calls {
		h := handler{f.name, "command", s.hookCommand(f.host, c.event), c.seconds * f.second}
		w := at.wishHook(c, group{c.matcher, []handler{h}}, isGroup)
		w.inner = &inner{name: "hooks", value: encodeJSON(h), own: isHandler}
		wishes = append(wishes, w)
	}
	return wishes
}

// wishHook is the wish for an element of the list of hooks of an event.
func (w wish) wishHook(c call, value any, own settings.Own) wish {
	w.hook, w.own = true, own
	w.add = &settings.Addition{Path: []string{"hooks", c.native}, Value: encodeJSON(value)}
	return w
}

// wishMember is the wish for a member of an object.
func (w wish) wishMember(value any, own settings.Own, path ...string) wish {
	w.add = &settings.Addition{Path: path[:len(path)-1], Name: path[len(path)-1], Value: encodeJSON(value)}
	w.own = own
	return w
}

// server is how most agents write a server of tools.
type server struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Tools   []string `json:"tools,omitempty"`
}

// serverName is what agents call our server of tools.
const serverName = "ltm"

// mcp is the entry of our server.
func (s Site) mcp(kind string) server {
	return server{Type: kind, Command: s.Program, Args: []string{"mcp"}}
}

// hookCommand is the command line of a hook.
func (s Site) hookCommand(host agent.Host, event agent.Event) string {
	return quoteProgram(s.hookProgram(event)) + hookWords(host, event)
}

// hookProgram is the program that answers hooks of an event. The small one would hand on all but those of
// tools, and those of a tool that failed.
func (s Site) hookProgram(event agent.Event) string {
	if event.OfTool() && event != agent.ToolFailure {
		return cmp.Or(s.Quick, s.Program)
	}
	return s.Program
}

// hookWords are the words behind the program.
func hookWords(host agent.Host, event agent.Event) string {
	return " hook " + string(host) + " " + string(event)
}

// isOurs tells whether a program is git ltm, by its name.
func isOurs(program string) bool {
	name := path.Base(strings.ReplaceAll(program, `\`, "/"))
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".exe"), "-hook")
	return name == programName || program == "git ltm"
}

// isHook tells whether a command line is one of our hooks, of whatever host.
func isHook(command string) bool {
	program, words, ok := splitHook(command)
	if !ok || len(words) != 2 || !isOurs(program) {
		return false
	}
	_, known := agent.ParseEvent(words[1])
	return known
}

// isHandler tells a value that calls one of our hooks.
func isHandler(value any) bool {
	m, _ := value.(map[string]any)
	command, _ := m["command"].(string)
	return isHook(command)
}

// isGroup tells a value all of whose handlers are ours.
func isGroup(value any) bool {
	m, _ := value.(map[string]any)
	list, _ := m["hooks"].([]any)
	return len(list) > 0 && !slices.ContainsFunc(list, func(h any) bool { return !isHandler(h) })
}

// isServer tells a value that starts our server of tools, in any of the forms in which agents write it.
func isServer(value any) bool {
	m, _ := value.(map[string]any)
	var words []string
	for _, member := range []string{"command", "args"} {
		switch v := m[member].(type) {
		case string:
			words = append(words, v)
		case []any:
			for _, word := range v {
				text, _ := word.(string)
				words = append(words, text)
			}
		}
	}
	switch len(words) {
	case 2:
		return isOurs(words[0]) && words[1] == "mcp"
	case 3:
		return path.Base(words[0]) == "git" && words[1] == "ltm" && words[2] == "mcp"
	}
	return false
}

// quoteProgram writes the path of a program as shells take it, and as it is where no shell reads anything
// into it.
func quoteProgram(program string) string {
	if !strings.ContainsFunc(program, isShellSign) {
		return program
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`").Replace(program) + `"`
}

// quotedPowerShell is a call of a program as PowerShell takes it.
func quotedPowerShell(program string) string {
	if !strings.ContainsFunc(program, isShellSign) {
		return program
	}
	return "& '" + strings.ReplaceAll(program, "'", "''") + "'"
}

// isShellSign tells whether a shell may read something into a character.
func isShellSign(c rune) bool {
	return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("/._-+:@,", c)
}

// splitHook splits the command line of a hook into the program, without quotes, and the words behind "hook". A
// text whose quotes do not end has none.
func splitHook(command string) (program string, words []string, ok bool) {
	command = strings.TrimSpace(command)
	program, rest, ok := strings.Cut(command, " hook ")
	if command == "" || !strings.ContainsRune(`"'`, rune(command[0])) {
		return program, strings.Fields(rest), ok
	}
	var out strings.Builder
	for i := 1; i < len(command); i++ {
		switch c := command[i]; {
		case c == command[0]:
			rest, ok = strings.CutPrefix(command[i+1:], " hook ")
			return out.String(), strings.Fields(rest), ok
		case c == '\\' && command[0] == '"' && i+1 < len(command) &&
			strings.IndexByte("\\\"$`", command[i+1]) >= 0:
			i++
		}
		out.WriteByte(command[i])
	}
	return "", nil, false
}

// isPlugin tells our plugin by the name under which agents list it.
func isPlugin(name string) bool { return name == "git-ltm" || strings.HasPrefix(name, "git-ltm@") }

// enabledPlugin looks for our plugin in settings of Claude's form. A later file counts more.
func enabledPlugin(paths ...string) string {
	on := map[string]string{}
	for _, path := range paths {
		f, err := settings.Read(path)
		if err != nil {
			continue
		}
		list, _, err := settings.Value(f.Text, "enabledPlugins")
		all, _ := list.(map[string]any)
		for name, value := range all {
			enabled, ok := value.(bool)
			switch {
			case err != nil || !ok || !isPlugin(name):
			case enabled:
				on[name] = name + " in " + path
			default:
				delete(on, name)
			}
		}
	}
	if len(on) == 0 {
		return ""
	}
	return on[slices.Min(slices.Collect(maps.Keys(on)))]
}
