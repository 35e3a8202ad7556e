package main

import (
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCanary carries made-up secrets through every command, in every place where one can stand, and looks for
// them in everything that was written. Each secret takes a part of the ways, in turns, so that every way is
// gone by several. With LTM_TEST_CANARY=all each takes them all, which lasts a minute. SPEC.
func TestCanary(t *testing.T) {
	t.Parallel()
	for i, c := range canaries() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := newCage(t, c)
			g.turn = i
			g.saves()
			g.reports()
			g.arguments()
			g.names()
			g.settings()
			g.arrives()
			g.clean()
		})
	}
}

// turns yields the part of a list that is the turn of the canary.
func turns[T any](g *cage, list []T) iter.Seq2[int, T] {
	share := canaryShare
	if os.Getenv("LTM_TEST_CANARY") == "all" {
		share = 1
	}
	return func(yield func(int, T) bool) {
		for i, v := range list {
			if (i+g.turn)%share == 0 && !yield(i, v) {
				return
			}
		}
	}
}

// A nest is a place in a packet, and the packet with the canary there.
type nest struct {
	name string
	text string
	open bool // a packet that is valid but for its secret
}

// nests puts a text everywhere in a packet.
func nests(text string) []nest {
	q := func(s string) string {
		data, _ := json.Marshal(s)
		return string(data)
	} //nolint:errchkjson // A string.
	goal := `{"goal": "Fine", "next_step": "Go on"`
	with := func(rest string) string { return goal + ", " + rest + "}" }
	return []nest{
		{"goal", `{"goal": ` + q(text) + `, "next_step": "Go on"}`, true},
		{"unknown member", with(`"x_notes": [[{"a": ` + q(text) + `}]]`), true},
		{"member name", with(`"x_env": {` + q(text) + `: true}`), true},
		{"long member name", with(`"x_env": {` + q(strings.Repeat("long ", 4)+text) + `: true}`), true},
		{"tag", with(`"tags": [` + q(text) + `]`), false},
		{"provenance", with(`"provenance": {"author_human": ` + q(text) + `}`), false},
		{"own id", with(`"id": ` + q(text)), false},
		{"parent", with(`"parent_id": ` + q(text)), false},
		{"version", with(`"ltm_version": ` + q(text)), false},
		{"outcome", with(`"attempts": [{"tried": "It", "outcome": ` + q(text) + `}]`), false},
		{"scan", with(`"scan": {"overridden": [` + q(text) + `], "rules": ` + q(text) + `}`), false},
		{"doubled member", with(`"x": {` + q(text) + `: 1, ` + q(text) + `: 2}`), false},
		{"doubled below it", with(`"x": {` + q(text) + `: {"a": 1, "a": 2}}`), false},
		{
			"doubled below a long one",
			with(`"x": {` + q("tokens "+strings.Repeat("long ", 8)+text) + `: {"a": 1, "a": 2}}`), false,
		},
		{"wrong type", with(`"anchor": ` + q(text) + `, "attempts": {` + q(text) + `: 1}`), false},
		{"broken", with(`"x": ` + q(text) + ` oops ` + text), false},
		{"no JSON", text, false},
		{
			"too deep", with(`"x": ` + strings.Repeat(`{`+q(text)+`: `, 40) + "1" + strings.Repeat("}", 40)),
			false,
		},
		{"type", with(`"type": ` + q(text)), false},
		{"time", with(`"created_at": ` + q(text)), false},
		{"too large", with(`"x": {` + q(text) + `: "` + strings.Repeat("word ", 8000) + `"}`), false},
		{"no UTF-8", with(`"x": {` + q(text) + ": \"\xff\"}"), false},
		{"two cases", with(`"x": {` + q(text) + `: {"a": 1, "A": 2}, "a": 1, "A": ` + q(text) + `}`), false},
		{"escapes", `{"goal": "` + escaped(text) + `", "next_step": "Go on", "` + escaped(text) +
			`": {"a": 1, "a": 2}}`, false},
	}
}

// escaped writes each character as an escape of JSON.
func escaped(text string) string {
	var b strings.Builder
	for _, r := range text {
		fmt.Fprintf(&b, `\u%04x`, r)
	}
	return b.String()
}

// saves tries to store the canary.
func (g *cage) saves() {
	g.t.Helper()
	modes := [][]string{
		{},
		{"--json"},
		{"--redact"},
		{"--dry-run", "--json", "--redact"},
		{"--as-is"},
		{"--redact", "--json", "--new-id"},
	}
	for i, s := range turns(g, nests(g.canary.text)) {
		code := g.run(s.text, append([]string{"save", "-"}, modes[(i+g.turn)%len(modes)]...)...)
		if s.open && (code != codeDone && code != codeSecret && code != codeInvalid) {
			g.t.Errorf("%s: a save with it in %s ends with %d", g.canary.name, s.name, code)
		}
	}
	if code := g.run(nests(g.canary.text)[0].text, "save", "-"); code != codeSecret {
		g.t.Errorf("%s: a save ends with %d, want %d", g.canary.name, code, codeSecret)
	}
	name := filepath.Join(g.dir, "packet.json")
	g.write(name, nests(g.canary.text)[1].text)
	g.run("", "save", name)
	text := g.canary.text
	g.run("", "save", "--goal", text, "--next", "n", "--attempt", text+" :: "+text, "--decision", text,
		"--cite", text+":x", "--tag", text)
	g.run("", "save", "--goal", "g", "--next", "n", "--cite", text+":1", "--method", text, "--redact")
	g.edits(name)
}

// edits lets an editor write the canary.
func (g *cage) edits(packet string) {
	g.t.Helper()
	g.editor = true
	defer func() { g.editor = false }()
	vars := g.with("EDITOR=cp "+packet, "VISUAL=")
	g.own[filepath.Join(g.repo, ".git", "ltm", "EDIT_PACKET")] = true // What a person wrote is kept for them.
	// It repeats lines of the configuration that lies beside it.
	g.own[filepath.Join(g.repo, ".git", "ltm", "init.json")] = true
	if code, _ := g.runAs(vars, "", "save"); code != codeSecret {
		g.t.Errorf("%s: a save from the editor ends with %d, want %d", g.canary.name, code, codeSecret)
	}
	g.runAs(vars, "", "save", "--redact")
}

// reports checks and scans texts with the canary, in every format.
func (g *cage) reports() {
	g.t.Helper()
	formats := []string{"text", "json", "sarif", "junit", "github", "gitlab"}
	for i, s := range turns(g, nests(g.canary.text)) {
		format := formats[(i+g.turn)%len(formats)]
		g.run(s.text, "check", "--stdin", "--strict", "--format", format)
		g.run(s.text, "scan", "--format", format, "-")
	}
	name := filepath.Join(g.dir, "notes.md")
	g.write(name, "# Notes\n\n"+g.canary.text+"\n")
	for _, format := range turns(g, formats) {
		if code := g.run("", "scan", "--format", format, name); code != codeSecret {
			g.t.Errorf("%s: a scan ends with %d, want %d", g.canary.name, code, codeSecret)
		}
		g.run("", "scan", "--format", format, "--output", filepath.Join(g.dir, "report."+format), name)
		g.run("", "check", "--format", format, "--file", name, "--output",
			filepath.Join(g.dir, "check."+format))
	}
	g.run("", "scan", "--format", "json", "--output", filepath.Join(g.dir, "report.json"), name)
	g.run("", "scan", "--baseline", filepath.Join(g.dir, "report.json"), name)
	g.run("", "scan", "--baseline", name, name)
	g.write(filepath.Join(g.dir, "baseline.json"),
		`{"results": [{"fingerprint": "`+strings.ReplaceAll(g.canary.text, `"`, "")+`"`)
	g.run("", "scan", "--baseline", filepath.Join(g.dir, "baseline.json"), name)
}

// arguments gives the canary to every command as an argument and as the value of every flag.
func (g *cage) arguments() {
	g.t.Helper()
	text := g.canary.text
	for _, line := range turns(g, []string{
		"X", "help X", "--X", "-X", "-C X status", "completion X", "version X", "example X", "demo X",
		"status X", "status --X",
		"show X", "show --as X @", "show X --json", "show X --events", "resume X", "resume --format X",
		"resume --budget X", "log X",
		"log --limit X", "ls --since X", "ls --author X", "ls --branch X", "ls --tag X", "ls --format %(X)",
		"ls --limit X",
		"rm X", "rm @ --why X", "rm X --why X", "restore X --why X", "restore @ --why X", "init X",
		"init --undo X", "init --dry-run X",
		"allow X", "allow X --why X --until 90d", "allow v1:0123456789abcdef --why X --until 90d",
		"allow v1:0123456789abcdef --why y --until X",
		"allow --revoke X --why X", "check X", "check --remote X", "check --since X", "check --file X",
		"check --config X", "check --baseline X",
		"check --format X", "scan X", "scan --config X", "scan --X", "scan --format X", "scan --baseline X",
		"check --output /dev/null/X",
		"save X", "save --continue X --goal g --next n", "save --continue X --root", "save --goal X",
		"save --lock=X", "save --X=X", "save --goal g --next n --cite X",
		"hook X", "hook install X", "hook uninstall X", "hook pre-push X X", "hook pre-receive X", "hook --X",
		"__complete show X", "__complete X", "__complete ls --branch X", "__completeNoDesc rm X",
		"__complete save --X",
	}) {
		var args []string
		for word := range strings.FieldsSeq(line) {
			args = append(args, strings.ReplaceAll(word, "X", text))
		}
		g.run("", args...)
	}
}

// names lets files, refs, remotes and branches have the canary as their name.
func (g *cage) names() {
	g.t.Helper()
	text := g.canary.text
	file := filepath.Join(g.dir, "named", text)
	g.write(file, "nothing here")
	for _, format := range turns(g, []string{"text", "json", "sarif", "junit", "github", "gitlab"}) {
		g.run("", "scan", "--format", format, file)
		g.run("", "check", "--format", format, "--file", file)
	}
	g.run("", "save", file)
	for _, place := range []string{"/home/ada/", "file:///", `C:\Users\ada\`, "~/"} {
		g.run("", "scan", place+text)
		g.run("", "show", "see "+place+text)
	}
	null := strings.Repeat("0", 40)
	oid := g.plant(nests(text)[0].text)
	g.run(fmt.Sprintf("refs/heads/x %s refs/ltm/%s %s\n", oid, text, null), "hook", "pre-push", text, text)
	g.run(fmt.Sprintf("%s %s refs/ltm/packets/%s\n", null, oid, text), "hook", "pre-receive")
	g.run(text+" "+text+" "+text+"\n", "hook", "pre-receive")
	g.run(text, "hook", "pre-push")

	config := filepath.Join(g.repo, ".git", "config")
	kept, err := os.ReadFile(config)
	if err != nil {
		g.t.Fatal(err)
	}
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text)
	title := strings.ReplaceAll(quoted, `\n`, "")
	g.write(config, string(kept)+"[remote \""+title+"\"]\n\turl = \""+quoted+"\"\n[ltm]\n\tremote = \""+
		quoted+"\"\n")
	g.looks()
	for _, address := range turns(g, []string{
		quoted, "file:///" + quoted, "https://host.invalid/" + quoted,
		"https://app:" + quoted + "@host.invalid/r.git", quoted + "@host.invalid:r.git",
	}) {
		g.write(config, string(kept)+"[remote \"origin\"]\n\turl = \""+address+
			"\"\n[protocol]\n\tallow = never\n")
		g.run("", "check", "--remote", "origin")
		g.run("", "status")
		g.run("", "status", "--json")
	}
	g.write(config, string(kept))
	g.refs(oid)
}

// refs names a branch and refs by the canary, where git allows it.
func (g *cage) refs(oid string) {
	g.t.Helper()
	text := g.canary.text
	ref := exec.CommandContext(g.t.Context(), "git", "check-ref-format", "refs/heads/"+text)
	if ref.Run() != nil {
		return
	}
	head, packed := filepath.Join(g.repo, ".git", "HEAD"), filepath.Join(g.repo, ".git", "packed-refs")
	g.write(head, "ref: refs/heads/"+text+"\n")
	g.write(packed, "# pack-refs with: peeled fully-peeled sorted \n"+oid+" refs/ltm/packets/"+text+"\n"+oid+
		" refs/ltm/"+text+"\n")
	g.looks()
	g.run("", "save", "--goal", "g", "--next", "n")
	g.run("", "save", "--goal", "g", "--next", "n", "--redact", "--json")
	g.write(head, "ref: refs/heads/main\n")
	g.write(packed, "")
}

// looks runs every command that only looks.
func (g *cage) looks() {
	g.t.Helper()
	for _, line := range turns(g, []string{
		"status", "status --json", "ls", "ls --all --json", "log", "log --graph", "log --json", "resume",
		"resume --format json", "show @",
		"check", "check --format json", "check --format sarif", "check --format junit",
		"check --format github", "check --format gitlab",
		"allow", "allow --json", "init", "init --undo", "__complete show ''", "__complete ls --branch ''",
	}) {
		g.run("", strings.Fields(line)...)
	}
}

// settings puts the canary into rule files, into the configuration and into variables.
func (g *cage) settings() {
	g.t.Helper()
	text := g.canary.text
	g.rules()
	file := filepath.Join(g.dir, "setting")
	for i, name := range turns(g,
		[]string{"ltm.scanConfig", "ltm.remote", "ltm.budget", "core.editor", "user.name", "core.bare"}) {
		for _, value := range []string{text, "HEAD:" + text, "/" + text} {
			args := [][]string{
				{"check"},
				{"resume"},
				{"save", "--goal", "g", "--next", "n", "--dry-run"},
			}[(i+g.turn)%3]
			g.runAs(g.with("GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0="+name, "GIT_CONFIG_VALUE_0="+value), "",
				args...)
			section, key, _ := strings.Cut(name, ".")
			quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(value)
			g.write(file, gitConfig+"["+section+"]\n\t"+key+" = \""+quoted+"\"\n")
			g.runAs(g.with("GIT_CONFIG_GLOBAL="+file), "", args...)
		}
	}
	for _, name := range turns(g,
		[]string{
			"GIT_DIR", "GIT_LTM_DISABLE", "GIT_LTM_X", "GIT_AUTHOR_NAME", "GIT_CONFIG_GLOBAL",
			"GIT_OBJECT_DIRECTORY",
		}) {
		g.runAs(g.with(name+"="+text), "", "status")
		g.runAs(g.with(name+"="+text), "", "save", "--goal", "g", "--next", "n", "--dry-run")
	}
}

// with returns the variables of the cage and more.
func (g *cage) with(more ...string) []string { return slices.Concat(g.vars, more) }

// rules puts the canary into rule files, of which most are wrong.
func (g *cage) rules() {
	g.t.Helper()
	text := g.canary.text
	own := filepath.Join(g.repo, ".gitleaks.toml")
	for i, rules := range turns(g, []string{
		text, "[[rules]]\nid = '''" + text + "'''\nregex = '''" + text + "('''\n", "[" + text + "]\na = 1\n",
		"[[rules]]\nid = \"house\"\n'''" + text + "''' = 1\nregex = '''(" + text + "'''\n",
		"[extend]\npath = '''" + text + "'''\ndisabledRules = ['''" + text + "''']\n",
		"[[rules]]\nid = \"house\"\ndescription = '''" + text +
			"'''\nregex = '''HOUSE-[0-9]+'''\n[[rules.allowlists]]\nregexes = ['''" + text +
			"''', '''(''']\n",
	}) {
		g.write(own, rules)
		g.run("HOUSE-12", []string{"scan", "check"}[i%2], "--format", "sarif")
		g.run("", "save", "--goal", "g HOUSE-12", "--next", "n", "--dry-run")
		g.run("", "scan", "--config", own, own)
	}
	if err := os.RemoveAll(own); err != nil {
		g.t.Fatal(strip(err))
	}
}

// arrives plants records with the canary as if git had fetched and stored them, and one that was saved by
// wish.
func (g *cage) arrives() {
	g.t.Helper()
	_, wished := g.runAs(g.vars, nests(g.canary.text)[0].text, "save", "-", "--allow-unredacted")
	if id := strings.TrimSpace(wished); id != "" {
		oid := strings.TrimSpace(string(g.git("rev-parse", "refs/ltm/packets/"+id)))
		g.own[oid] = true
		g.run("", "check", id)
		g.run("", "check", id, "--format", "json")
		g.run("", "allow")
		g.git("update-ref", "-d", "refs/ltm/packets/"+id)
		if err := os.RemoveAll(filepath.Join(g.repo, ".git", "ltm", "spool")); err != nil {
			g.t.Fatal(strip(err))
		}
	}
	var local, fetched strings.Builder
	for i, s := range nests(g.canary.text) {
		text := s.text
		if !strings.Contains(text, `"id"`) && strings.HasPrefix(text, "{") {
			text = `{"ltm_version": "0.3", "id": "` + string(idOf(i)) +
				`", "created_at": "2026-01-02T03:04:05Z", ` + text[1:]
		}
		oid := g.plant(text)
		fmt.Fprintf(&fetched, "%s refs/ltm-remotes/origin/packets/%s\n", oid, idOf(i))
		if i > 0 && !s.open {
			fmt.Fprintf(&local, "%s refs/ltm/packets/%s\n", oid, idOf(100+i))
		}
	}
	packed := filepath.Join(g.repo, ".git", "packed-refs")
	g.write(packed, "# pack-refs with: peeled fully-peeled sorted \n"+g.events()+fetched.String()+
		local.String())
	g.looks()
	for i := range turns(g, nests("")) {
		id := string(idOf(i))
		g.run("", "show", id)
		g.run("", []string{"show", "resume", "show"}[i%3], id,
			[]string{"--json", "--latest", "--events"}[i%3])
		g.run("", "rm", string(idOf(100+i)), "--why", "It is broken")
	}
}

// events plants events of a remote, and a tag before a record, and returns their refs.
func (g *cage) events() string {
	g.t.Helper()
	text, _ := json.Marshal(g.canary.text) //nolint:errchkjson // A string.
	var all strings.Builder
	for i, rest := range []string{
		`"event": "retract", "why": %s`, `"event": %s, "why": "No"`,
		`"event": "allow", "value": %s, "why": "It is none", "expires_at": "2027-01-01T00:00:00Z"`,
		`"event": "retract", "provenance": {"author_human": %s}, "why": "No"`,
		`"event": "retract", "by": [%s], "why": "No"`,
	} {
		id := idOf(200 + i)
		event := fmt.Sprintf(
			`{"type": "event", "id": "%s", "created_at": "2026-01-02T03:04:05Z", "targets": ["%s"], `+rest+
				"}\n", id, idOf(0), text)
		fmt.Fprintf(&all, "%s refs/ltm-remotes/origin/events/%s\n", g.plant(event), id)
	}
	blob := g.plant(`{"goal": "Fine", "next_step": "Go on"}`)
	tag := fmt.Sprintf("object %s\ntype blob\ntag %s\ntagger %s <ada@example.com> 1767323045 +0000\n\n%[3]s\n", blob, idOf(300), g.canary.text)
	fmt.Fprintf(&all, "%s refs/ltm-remotes/origin/packets/%s\n", g.plantAs("tag", tag), idOf(300))
	return all.String()
}
