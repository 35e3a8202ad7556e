package main

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/redact"
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
		g.run(s.text, "check", "--file", "-", "--format", format)
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
		"show X", "show --as X @", "show X --json", "show X --raw", "show X --events", "resume X", "resume --format X",
		"resume --budget X", "log X",
		"log --limit X", "ls --since X", "ls --author X", "ls --branch X", "ls --tag X", "ls --format %(X)",
		"ls --limit X",
		"rm X", "rm @ --why X", "rm X --why X", "edit X --restore --why X", "edit @ --restore --why X", "init X",
		"init --undo X", "init --dry-run X",
		"allow X", "allow X --why X --until 90d", "allow v1:0123456789abcdef --why X --until 90d",
		"allow v1:0123456789abcdef --why y --until X",
		"allow --revoke X --why X", "check X", "check --remote X", "check --file X",
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
		"status", "status --json", "ls", "ls --all --json", "log", "log --json", "resume",
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

// A canary is a made-up secret, and what of it nobody may see again.
type canary struct {
	name   string
	text   string   // as it is written
	public string   // what a mask may show of it
	parts  []string // the secret pieces of it
}

// drawn returns letters and digits that are the same in every run and look as if they were drawn.
func drawn(seed string, size int) string {
	const digits = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
	return drawnFrom(digits, seed, size)
}

func drawnFrom(digits, seed string, size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		for _, c := range sha256.Sum256(fmt.Appendf(nil, "%s %d", seed, i)) {
			b.WriteByte(digits[int(c)%len(digits)])
		}
	}
	return b.String()[:size-1] + "7"
}

// canaries are put together here, so that no file of this project holds a secret.
func canaries() []canary {
	github := canary{name: "github token", public: "gh" + "p_", parts: []string{drawn("github", 36)}}
	github.text = github.public + github.parts[0]
	all := []canary{github}
	for _, kind := range []struct{ name, public, seed string }{
		{"gitlab token", "gl" + "pat-", drawn("gitlab", 20)},
		{"npm token", "np" + "m_", drawn("npm", 36)},
		{"google key", "AI" + "za", drawn("google", 35)},
		{"stripe key", "sk" + "_live_", drawn("stripe", 24)},
		{"anthropic key", "sk" + "-ant-api03-", drawn("anthropic", 93) + "AA"},
		{"pypi token", "py" + "pi-AgEIcHlwaS5vcmc", drawn("pypi", 80)},
		{"age key", "AGE" + "-SECRET-KEY-1", drawnFrom("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", "age", 58)},
		{"slack token", "xo" + "xb-", "274839201847-5839201746583-" + drawn("slack", 24)},
	} {
		all = append(all, canary{
			name: kind.name, text: kind.public + kind.seed, public: kind.public,
			parts: []string{kind.seed},
		})
	}
	all = append(all, carried()...)
	return append(all, disguised(github)...)
}

// carried are secrets that their surroundings give away.
func carried() []canary {
	word := func(seed string) string { return drawn(seed, 16) }
	of := func(name, before, seed, after string) canary {
		return canary{name: name, text: before + seed + after, parts: []string{seed}}
	}
	access, secret := drawnFrom("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "aws", 16), drawn("aws secret", 40)
	body := drawn("pem 1", 64) + "\n" + drawn("pem 2", 64)
	head := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`))
	payload := base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"` + drawn("subject", 20) + `"}`))
	return []canary{
		{
			name: "aws pair", text: "aws_access_key_id=AK" + "IA" + access + " aws_secret_access_key=" +
				secret,
			public: "AK" + "IA", parts: []string{access, secret},
		},
		{
			name: "pem", text: "-----BEGIN EC PRIV" + "ATE KEY-----\n" + body + "\n-----END EC PRIV" +
				"ATE KEY-----",
			parts: strings.Split(body, "\n"),
		},
		{
			name: "jwt", text: head + "." + payload + "." + drawn("signature", 43),
			parts: []string{payload[12:], drawn("signature", 43)},
		},
		of("database url", "postgres:/"+"/app:", word("url"), "@db.example.com/app"),
		of("url with signs", "https:/"+"/app:", "p~"+word("signs")+"%2F&x", "@host.example.com/x"),
		of("password assignment", "password=", word("assignment"), ""),
		of("quoted password", `"db_password": "`, word("quoted"), `"`),
		of("bearer", "Authorization: Bearer ", drawn("bearer", 40), ""),
		of("basic", "Authorization: Basic ", base64.StdEncoding.EncodeToString([]byte("ada:"+word("basic"))),
			""),
		of("command", "with mysql -u root -p", word("mysql"), " app"),
		of("jdbc", "jdbc:mysql:/"+"/db.example.com/app?user=app&password=", word("jdbc"), ""),
		of("account key", "DefaultEndpointsProtocol=https;AccountName=app;AccountKey=",
			base64.StdEncoding.EncodeToString([]byte(drawn("azure", 64))),
			";EndpointSuffix=core.windows.net"),
	}
}

// disguised are forms of one token that a scanner has to undo.
func disguised(token canary) []canary {
	half := len(token.text) / 2
	first, second := token.text[:half], token.text[half:]
	coded := base64.StdEncoding.EncodeToString([]byte("token " + token.text))
	digits := hex.EncodeToString([]byte(token.text))
	var signs, numbers []byte
	for _, c := range []byte(token.text) {
		signs, numbers = fmt.Appendf(signs, "%%%02X", c), fmt.Appendf(numbers, "&#%d;", c)
	}
	percent, refs := string(signs), string(numbers)
	return []canary{
		{name: "base64", text: coded, parts: []string{token.parts[0], coded[12:]}},
		{name: "hexadecimal", text: digits, parts: []string{token.parts[0], digits[8:]}},
		{name: "percent signs", text: percent, parts: []string{token.parts[0], percent[12:]}},
		{name: "references", text: refs, parts: []string{token.parts[0], refs[24:]}},
		{name: "hidden sign", text: first + "\u200b" + second, public: token.public, parts: token.parts},
		{
			name: "split over lines", text: first + "\n" + second, public: token.public,
			parts: []string{first[4:], second, token.parts[0]},
		},
		{
			name: "split literal", text: `"` + first + `" + "` + second + `"`, public: token.public,
			parts: []string{first[4:], second, token.parts[0]},
		},
		{name: "look-alike", text: strings.Replace(token.text, "p_", "\u0440_", 1), parts: token.parts},
	}
}

// Bounds of what may be seen of a canary.
const (
	canaryWindow = 8 // so many bytes of a secret in a row are a leak
	canaryBeyond = 3 // so many characters may be seen behind a public prefix
)

// seen returns what stands of the canary in text, in whatever form text writes it.
func (c canary) seen(text []byte) (string, bool) {
	needles := c.needles()
	for _, view := range views(text) {
		for _, n := range needles {
			if bytes.Contains(view, n) {
				return string(n), true
			}
		}
	}
	return "", false
}

// needles are the pieces of a canary that must not be seen, also in base64.
func (c canary) needles() [][]byte {
	var all [][]byte
	for _, part := range c.parts {
		pieces := []string{part}
		for skip := range 3 {
			coded := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("x", skip) + part))
			pieces = append(pieces, coded[4:len(coded)-2])
		}
		for i, piece := range pieces {
			size := canaryWindow
			if i > 0 {
				size = canaryWindow * 4 / 3
			}
			for at := 0; at+size <= len(piece); at++ {
				all = append(all, []byte(piece[at:at+size]))
			}
		}
	}
	if c.public != "" {
		all = append(all, []byte(c.public+c.parts[0][:canaryBeyond+1]))
	}
	return all
}

// views are the text as it stands, and with the escapes undone that formats write.
func views(text []byte) [][]byte {
	plain := string(text)
	all := [][]byte{text, []byte(html.UnescapeString(plain)), []byte(strings.Join(strings.Fields(plain), ""))}
	if !strings.ContainsAny(plain, `\%~`) {
		return all
	}
	undone := strings.NewReplacer(
		`\u003c`, "<", `\u003e`, ">", `\u0026`, "&", `\u200b`, "", `\"`, `"`, `\\`, `\`, `\/`, "/", `\n`,
		"\n", "~1", "/", "~0", "~",
	).Replace(plain)
	all = append(all, []byte(undone))
	if percent, err := url.PathUnescape(keepPercent(plain)); err == nil {
		all = append(all, []byte(percent))
	}
	return all
}

// keepPercent makes every percent sign that begins no escape one that does.
func keepPercent(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteByte(text[i])
		if text[i] != '%' {
			continue
		}
		if _, err := hex.DecodeString(text[i+1 : min(len(text), i+3)]); err != nil || i+3 > len(text) {
			b.WriteString("25")
		}
	}
	return b.String()
}

// A cage is a folder with a repository, in which one canary is carried through commands.
type cage struct {
	t      *testing.T
	canary canary
	turn   int    // which part of the ways it goes
	dir    string // a folder of its own
	repo   string
	vars   []string
	editor bool            // standard input is a terminal
	own    map[string]bool // files and objects that the test wrote, and the record that was stored by wish
}

func newCage(t *testing.T, c canary) *cage {
	t.Helper()
	dir := t.TempDir()
	g := &cage{t: t, canary: c, dir: dir, repo: filepath.Join(dir, "repo"), own: map[string]bool{}}
	g.write(filepath.Join(dir, "gitconfig"), gitConfig)
	g.vars = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"TZ=UTC", "TERM=dumb",
		"GIT_CONFIG_GLOBAL=" + filepath.Join(dir, "gitconfig"), "GIT_TERMINAL_PROMPT=0",
		"GORACE=atexit_sleep_ms=0",
	}
	g.git("init", "-q", g.repo)
	return g
}

// git runs git in the repository and returns what it printed.
func (g *cage) git(args ...string) []byte {
	g.t.Helper()
	cmd := exec.CommandContext(g.t.Context(), "git", args...)
	cmd.Dir, cmd.Env = g.dir, g.vars
	if _, err := os.Stat(g.repo); err == nil {
		cmd.Dir = g.repo
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		g.t.Fatalf("git %s of %s: %v", args[0], g.canary.name, err)
	}
	return out
}

// write makes a file that is the test's own.
func (g *cage) write(name, text string) {
	g.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		g.t.Fatalf("make the folder of a file: %v", strip(err))
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		g.t.Fatalf("write a file: %v", strip(err))
	}
	g.own[name] = true
}

// strip takes the name of the file out of an error.
func strip(err error) error {
	if path, ok := err.(*fs.PathError); ok { //nolint:errorlint // It is what the package os returns.
		return path.Err
	}
	return err
}

// plant makes a loose blob of a text, and returns its name.
func (g *cage) plant(text string) string { return g.plantAs("blob", text) }

func (g *cage) plantAs(kind, text string) string {
	g.t.Helper()
	object := fmt.Appendf(nil, "%s %d\x00%s", kind, len(text), text)
	sum := sha1.Sum(object)
	oid := hex.EncodeToString(sum[:])
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	_, _ = w.Write(object)
	_ = w.Close()
	g.write(filepath.Join(g.repo, ".git", "objects", oid[:2], oid[2:]), packed.String())
	g.own[oid] = true
	return oid
}

// seen fails the test where the canary stands in what a command wrote.
func (g *cage) seen(what, where string, text []byte) {
	g.t.Helper()
	if piece, ok := g.canary.seen(text); ok {
		g.t.Errorf("%s: %s of %q holds %d characters of the canary: %.300q", g.canary.name, where, what,
			len(piece), around(text, piece))
	}
}

// around returns the line in which a piece stands, for the person who mends it: all canaries are made up.
func around(text []byte, piece string) string {
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, piece) {
			return line
		}
	}
	return string(text)
}

// run runs one command in the process, and looks for the canary in what it writes.
func (g *cage) run(stdin string, args ...string) int {
	g.t.Helper()
	code, _ := g.runAs(g.vars, stdin, args...)
	return code
}

func (g *cage) runAs(vars []string, stdin string, args ...string) (int, string) {
	g.t.Helper()
	var stdout, stderr bytes.Buffer
	what := strings.ReplaceAll(strings.Join(args, " "), g.canary.text, "CANARY")
	defer func() {
		if p := recover(); p != nil {
			g.t.Errorf("%s: %q panics", g.canary.name, what)
		}
	}()
	code := run(g.t.Context(), &env{
		dir: g.repo, vars: vars, stdin: strings.NewReader(stdin), stdout: &stdout, stderr: &stderr,
		now: time.Now, entropy: strings.NewReader(drawn(g.t.Name()+what, 64)),
		width: func(stream any) (int, bool) { _, in := stream.(*strings.Reader); return 80, in && g.editor },
	}, args)
	g.seen(what, "standard output", stdout.Bytes())
	g.seen(what, "standard error", stderr.Bytes())
	return code, stdout.String()
}

// clean walks over everything in the cage, objects too, and looks for the canary in what the test did not
// write itself.
func (g *cage) clean() {
	g.t.Helper()
	err := filepath.WalkDir(g.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || g.own[path] {
			return err
		}
		name, err := filepath.Rel(g.dir, path)
		if err != nil {
			return err
		}
		if !g.owns(path) {
			g.seen(filepath.Dir(filepath.Dir(name)), "the name of a file", []byte(filepath.Base(name)))
		}
		if d.IsDir() || strings.Contains(path, "/objects/") {
			return nil
		}
		data, err := os.ReadFile(path)
		if err == nil && !g.own[filepath.Base(path)] {
			g.seen(filepath.Dir(name), "a file", data)
		}
		return err
	})
	if err != nil {
		g.t.Errorf("walk the cage: %v", strip(err))
	}
	g.objects()
}

// owns tells whether the test made something below a folder.
func (g *cage) owns(dir string) bool {
	for name := range g.own {
		if strings.HasPrefix(name, dir+"/") {
			return true
		}
	}
	return false
}

// objects looks into every object of the repository but those of the test.
func (g *cage) objects() {
	g.t.Helper()
	rest := g.git("cat-file", "--batch-all-objects", "--batch", "--unordered")
	for len(rest) > 0 {
		head, body, _ := bytes.Cut(rest, []byte("\n"))
		var oid, kind string
		var size int
		if _, err := fmt.Sscan(string(head), &oid, &kind, &size); err != nil || size >= len(body) {
			g.t.Fatalf("git cat-file prints %q", head)
		}
		if !g.own[oid] {
			g.seen(oid, "an object", body[:size])
		}
		rest = body[size+1:]
	}
}

// idOf returns the nth name for a record.
func idOf(n int) packet.ID { return packet.ID(fmt.Sprintf("01JDMB4W1YNJZQR7K8F3%06d", n)) }

// TestSecurityPage holds the number of rules that docs/security.md tells, and its table, to the rules that
// there are. New rules may be more than the page says.
func TestSecurityPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, r := range redact.BuiltIn().Rules() {
		counts[map[redact.Severity]string{redact.Block: "blocks", redact.Warn: "warns"}[r.Severity]]++
	}
	told := regexp.MustCompile(`more than ([0-9]+) rules that block, and ([0-9]+) that warn`).FindSubmatch(
		page)
	if told == nil {
		t.Fatal("the page does not say how many rules there are")
	}
	for i, answer := range []string{"blocks", "warns"} {
		if n, err := strconv.Atoi(string(told[i+1])); err != nil || counts[answer] < n ||
			counts[answer] > n+100 {
			t.Errorf("the page says %s rules: %s; there are %d", answer, told[i+1], counts[answer])
		}
	}
	rows := map[string]int{}
	for _, row := range regexp.MustCompile(`(?m)^\|.*\| ([0-9]+) \| (blocks|warns) \|$`).FindAllSubmatch(page,
		-1) {
		n, err := strconv.Atoi(string(row[1]))
		if err != nil {
			t.Fatal(err)
		}
		rows[string(row[2])] += n
	}
	for answer, n := range rows {
		if n == 0 || n > counts[answer] {
			t.Errorf("the table of the page has %d rules of which it says %s; there are %d", n, answer,
				counts[answer])
		}
	}
	if len(rows) != len(counts) {
		t.Errorf("the table has %d answers, want %d", len(rows), len(counts))
	}
}
