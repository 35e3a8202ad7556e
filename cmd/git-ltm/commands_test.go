package main

import (
	"bytes"
	"context"
	cryptorand "crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"net/http" //nolint:depguard // A script asks for pages as a browser does.
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/signer/keytest"
	"github.com/git-ltm/git-ltm/internal/trace"
)

// commands are what scripts can do beyond the built-in.
var commands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"secret":    secret,
	"capture":   capture,
	"exits":     exits,
	"git-ltm":   gitLtm,
	"newer-git": newerGit,
	"remember":  remember,
	"unchanged": unchanged,
	"unsaid":    unsaid,
	"json":      jsonValue,
	"jsonlines": jsonLines,
	"harmless":  harmless,
	"fenced":    fenced,
	"as":        as,
	"key":       key,
	"standing":  standing,
	"serve":     serve,
	"password":  password,
	"cut":       cut,
	"mend":      mend,
	"many":      plantMany,
	"strangers": plantStrangers,
	"events":    plantEvents,
	"fetch":     fetch,
	"moment":    moment,
	"drafted":   drafted,
	"team":      copyTeam,
}

// teamFolder is the key of the folder that team copies.
type teamFolder struct{}

// copyTeam puts what testdata/attack/team.sh makes into the current directory.
func copyTeam(ts *testscript.TestScript, _ bool, _ []string) {
	made, err := ts.Value(teamFolder{}).(func() (string, error))()
	ts.Check(err)
	here := ts.MkAbs(".")
	ts.Check(os.CopyFS(here, os.DirFS(made)))
	for _, who := range []string{"author/alice", "reader/bob", "evil/mallory"} {
		clone, key := filepath.Split(who)
		ts.Check(os.Chmod(filepath.Join(here, "keys", key), 0o600))
		config := filepath.Join(here, clone, ".git", "config")
		data, err := os.ReadFile(config)
		ts.Check(err)
		ts.Check(os.WriteFile(config, bytes.ReplaceAll(data, []byte(made), []byte(here)), 0o600))
	}
}

// makeTeam runs testdata/attack/team.sh: fifty attacks begin with what it makes by thirty programs.
func makeTeam(t *testing.T) (string, error) {
	script, err := filepath.Abs(filepath.Join("..", "..", "testdata", "attack", "team.sh"))
	if err != nil {
		return "", err
	}
	home, dir := t.TempDir(), t.TempDir()
	global := filepath.Join(home, ".gitconfig")
	if err := os.WriteFile(global, []byte(gitConfig), 0o600); err != nil {
		return "", err
	}
	cmd := exec.Command("sh", script)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_GLOBAL=" + global, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"TZ=UTC",
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", script, err, out)
	}
	return dir, nil
}

// secrets are strings that look like secrets, by kind. They are put together
// here, so that no file of this project holds one.
func secrets() map[string]string {
	return map[string]string{
		"github":   "gh" + "p_" + strings.Repeat("aB3dE5fG7h", 4)[:36],
		"aws":      "AK" + "IA" + "QX7ZT4MWN2RB6KLP",
		"slack":    "xo" + "xb-" + "274839201847-5839201746583-" + "Qm4Zt8Rk2Wv6Xb1Nc7Lp3Hd9",
		"gitlab":   "gl" + "pat-" + "k3q9t2mwx7lp5b8vn4zd",
		"url":      "postgres:/" + "/app:" + "k3QzT9mWx2Lp" + "@db.internal/app",
		"password": "Tr0ub4dor" + "-horse9",
	}
}

// secret KIND [FILE...] sets SECRET to a made-up secret of a kind, and puts it
// into the place of @SECRET@ in files.
func secret(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 1 {
		ts.Fatalf("usage: secret KIND [FILE...]")
	}
	value, ok := secrets()[args[0]]
	if !ok {
		ts.Fatalf("there is no secret of kind %q", args[0])
	}
	setenv(ts, "SECRET", value)
	for _, name := range args[1:] {
		file := ts.MkAbs(name)
		data, err := os.ReadFile(file)
		ts.Check(err)
		ts.Check(os.WriteFile(file, bytes.ReplaceAll(data, []byte("@SECRET@"), []byte(value)), 0o600))
	}
}

// capture NAME sets a variable to the standard output of the last command, and NAME8 to the end of an id as
// sessions are shown it.
func capture(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: capture NAME")
	}
	value := strings.TrimSpace(ts.ReadFile("stdout"))
	setenv(ts, args[0], value)
	if id, err := packet.ParseID(value); err == nil {
		setenv(ts, args[0]+"8", string(id[len(id)-8:]))
	}
}

// gitLtm ARG... [<FILE] runs a command line of the program in this process, as 'exec git-ltm' does in one of its own:
// to start one takes longer than what most commands do. Standard input is the file, or empty.
func gitLtm(ts *testscript.TestScript, neg bool, args []string) {
	if code := runHere(ts, ts.Stdout(), ts.Stderr(), args); (code == 0) == neg {
		ts.Fatalf("exit code %d", code)
	}
}

// runHere runs a command line of the program for a script, and returns its exit code.
func runHere(ts *testscript.TestScript, stdout, stderr io.Writer, args []string) int {
	if slices.Contains(args, "&") || slices.Contains(args, "--travel") || ts.Getenv("TZ") != "UTC" ||
		ts.Getenv(trace.Variable) != "" {
		ts.Fatalf("what goes on by itself, has a zone or counts what it does is a process: exec git-ltm")
	}
	input := ""
	if last := len(args) - 1; last >= 0 && strings.HasPrefix(args[last], "<") {
		input, args = ts.ReadFile(args[last][1:]), args[:last]
	}
	e := &env{
		dir: ts.MkAbs("."), stdin: strings.NewReader(input), stdout: stdout, stderr: stderr,
		now: time.Now, entropy: cryptorand.Reader, width: width, vars: environ(ts),
		self: func() (string, error) { return exec.LookPath("git-ltm") },
	}
	defer func() { // A command that thinks of its own memory alone is not alone here.
		debug.SetMemoryLimit(math.MaxInt64)
		debug.SetGCPercent(scriptGarbage)
	}()
	return runChecked(e, args)
}

// scriptGarbage is how many percent of what the tests hold may pile up.
const scriptGarbage = 400

// variables is the key of the names of what may be set in a script, and whether it is: testscript tells values alone.
type variables struct{}

// setenv sets a variable of a script.
func setenv(ts *testscript.TestScript, name, value string) {
	ts.Value(variables{}).(map[string]bool)[name] = true
	ts.Setenv(name, value)
}

// envLines are the lines of a script that set variables.
var envLines = regexp.MustCompile(`(?m)^(?:\[[^\]]*\] *)*env (.*)`)

// environ returns the environment of a script.
func environ(ts *testscript.TestScript) []string {
	names := ts.Value(variables{}).(map[string]bool)
	if !names["PWD"] {
		names["PWD"] = true
		script, err := os.ReadFile(filepath.Join(scripts, ts.Name()+".txtar"))
		ts.Check(err)
		for _, line := range envLines.FindAllStringSubmatch(string(script), -1) {
			for one := range strings.FieldsSeq(line[1]) {
				name, _, _ := strings.Cut(strings.Trim(one, "'"), "=")
				if !names[name] {
					names[name] = false
				}
			}
		}
	}
	var vars []string
	for name, isSet := range names {
		value := ts.Getenv(name)
		if name == "PWD" {
			value = ts.MkAbs(".")
		}
		if isSet || value != "" {
			vars = append(vars, name+"="+value)
		}
	}
	return vars
}

// exits CODE COMMAND... runs a command that must end with the code. One that
// fails and speaks of an error does so on one line. 'exits CODE git-ltm' runs in this process.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got, said := 0, new(bytes.Buffer)
	if args[1] == "git-ltm" {
		got = runHere(ts, ts.Stdout(), io.MultiWriter(ts.Stderr(), said), args[2:])
	} else {
		if args[1] == "exec" {
			args = args[1:]
		}
		err = ts.Exec(args[1], args[2:]...)
		said.WriteString(ts.ReadFile("stderr"))
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
	if n := strings.Count("\n"+said.String(), "\ngit-ltm: error: "); want != 0 &&
		args[1] == "git-ltm" && n != 1 {
		ts.Fatalf("%d lines of error, want 1", n)
	}
}

// newer-git lets the rest of the script use the git in the directory that
// LTM_TEST_GIT names.
func newerGit(ts *testscript.TestScript, _ bool, _ []string) {
	if other := os.Getenv("LTM_TEST_GIT"); other != "" {
		setenv(ts, "PATH", other+string(os.PathListSeparator)+ts.Getenv("PATH"))
	}
}

// remembered is the key of what remember noted.
type remembered struct{}

// remember [DIR] notes every file below a directory, for unchanged.
func remember(ts *testscript.TestScript, _ bool, args []string) {
	dir := directory(ts, args)
	notes := ts.Value(remembered{}).(map[string]string)
	for _, key := range slices.Collect(keysBelow(notes, dir)) {
		delete(notes, key)
	}
	for name, content := range files(ts, dir) {
		notes[filepath.Join(dir, name)] = content
	}
}

// unchanged [DIR] fails where a file below a directory is not as it was when
// remember noted it. The time stamp of the last healing does not count.
func unchanged(ts *testscript.TestScript, _ bool, args []string) {
	dir := directory(ts, args)
	notes := ts.Value(remembered{}).(map[string]string)
	now := files(ts, dir)
	var differ []string
	for name, content := range now {
		if was, ok := notes[filepath.Join(dir, name)]; !ok {
			differ = append(differ, "new: "+name)
		} else if was != content {
			differ = append(differ, "changed: "+name)
		}
	}
	for key := range keysBelow(notes, dir) {
		if name, err := filepath.Rel(dir, key); err == nil {
			if _, ok := now[name]; !ok {
				differ = append(differ, "gone: "+name)
			}
		}
	}
	slices.Sort(differ)
	if len(differ) > 0 {
		ts.Fatalf("not as remembered:\n%s", strings.Join(differ, "\n"))
	}
}

func directory(ts *testscript.TestScript, args []string) string {
	if len(args) == 0 {
		return ts.MkAbs(".")
	}
	return ts.MkAbs(args[0])
}

func keysBelow(notes map[string]string, dir string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range notes {
			if strings.HasPrefix(key, dir+string(filepath.Separator)) && !yield(key) {
				return
			}
		}
	}
}

func files(ts *testscript.TestScript, dir string) map[string]string {
	all := map[string]string{}
	ts.Check(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(filepath.ToSlash(path), "/ltm/healed") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		all[name] = string(data)
		return err
	}))
	return all
}

// unsaid [DIR] fails where SECRET stands in the output of the last command, in a
// file below a directory, or in an object of the repository there.
func unsaid(ts *testscript.TestScript, _ bool, args []string) {
	secret := ts.Getenv("SECRET")
	if secret == "" {
		ts.Fatalf("call secret first")
	}
	for _, stream := range []string{"stdout", "stderr"} {
		if strings.Contains(ts.ReadFile(stream), secret) {
			ts.Fatalf("%s says the secret", stream)
		}
	}
	dir := directory(ts, args)
	for name, content := range files(ts, dir) {
		if strings.Contains(content, secret) || strings.Contains(name, secret) {
			ts.Fatalf("%s holds the secret", name)
		}
	}
	git := exec.Command("git", "-C", dir, "cat-file", "--batch-all-objects", "--batch", "--unordered")
	objects, err := git.Output()
	ts.Check(err)
	if bytes.Contains(objects, []byte(secret)) {
		ts.Fatalf("an object holds the secret")
	}
}

// json [POINTER [WANT]] fails unless the last standard output is JSON that has the wanted text or JSON at a
// pointer, several values as an array of them. With "!" nothing may be there.
func jsonValue(ts *testscript.TestScript, neg bool, args []string) {
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	dec.UseNumber()
	var value any
	ts.Check(dec.Decode(&value))
	for all := []any{value}; dec.More(); value = all {
		var next any
		ts.Check(dec.Decode(&next))
		if all = append(all, next); strings.Contains(ts.ReadFile("stdout"), "\n ") {
			ts.Fatalf("several JSON values, and not each on a line")
		}
	}
	if len(args) == 0 {
		return
	}
	got, found := at(value, args[0])
	switch {
	case neg && found:
		ts.Fatalf("%s is %s, want nothing there", args[0], got)
	case neg:
	case !found:
		ts.Fatalf("there is nothing at %s", args[0])
	case len(args) > 1 && got != args[1]:
		ts.Fatalf("%s is %s, want %s", args[0], got, args[1])
	}
}

// jsonlines N fails unless the last standard output is that many JSON objects,
// one a line.
func jsonLines(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: jsonlines N")
	}
	n := 0
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			ts.Fatalf("line %d: %v", n+1, err)
		}
		n++
	}
	if strconv.Itoa(n) != args[0] {
		ts.Fatalf("%d lines, want %s", n, args[0])
	}
}

// at returns the text of a string, or the JSON of another value, at a pointer.
func at(value any, pointer string) (string, bool) {
	for _, part := range strings.Split(pointer, "/")[1:] {
		switch v := value.(type) {
		case map[string]any:
			next, ok := v[part]
			if !ok {
				return "", false
			}
			value = next
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i >= len(v) {
				return "", false
			}
			value = v[i]
		default:
			return "", false
		}
	}
	if text, ok := value.(string); ok {
		return text, true
	}
	data, err := json.Marshal(value)
	return string(data), err == nil
}

// harmless fails where the last command printed what acts on a terminal, turns
// text around or cannot be seen.
func harmless(ts *testscript.TestScript, _ bool, _ []string) {
	for _, stream := range []string{"stdout", "stderr"} {
		if err := checkHarmless(ts.ReadFile(stream)); err != nil {
			ts.Fatalf("%s: %v", stream, err)
		}
	}
}

func checkHarmless(text string) error {
	if !utf8.ValidString(text) {
		return errors.New("it is not UTF-8")
	}
	for i, r := range text {
		control := unicode.IsControl(r) && r != '\n' && r != '\t'
		if control || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) {
			return fmt.Errorf("%U at byte %d", r, i)
		}
	}
	return nil
}

// fenced fails unless the last standard output is a briefing whose data cannot
// be taken for anything else.
func fenced(ts *testscript.TestScript, _ bool, _ []string) {
	text := ts.ReadFile("stdout")
	if err := checkHarmless(text); err != nil {
		ts.Fatalf("%v", err)
	}
	if err := checkFence(text); err != nil {
		ts.Fatalf("%v", err)
	}
}

// checkFence tells whether a briefing has one opening and one closing mark with
// one nonce, and marks each line between them as data.
func checkFence(text string) error {
	nonce := ""
	opened, closed := 0, 0
	for i, line := range strings.Split(text, "\n") {
		inside := opened == 1 && closed == 0
		switch {
		case strings.HasPrefix(line, "<ltm-packet "):
			_, rest, _ := strings.Cut(line, `nonce="`)
			nonce, _, _ = strings.Cut(rest, `"`)
			opened++
		case line == `</ltm-packet nonce="`+nonce+`">`:
			closed++
		case inside && line != "|" && !strings.HasPrefix(line, "| "):
			return fmt.Errorf("line %d is not marked as data: %q", i+1, line)
		case !inside && strings.HasPrefix(line, "|"):
			return fmt.Errorf("line %d is outside of the marks: %q", i+1, line)
		}
	}
	marks := strings.Count(strings.ToLower(text), "<ltm-packet") +
		strings.Count(strings.ToLower(text), "</ltm-packet")
	if opened != 1 || closed != 1 || marks != 2 || len(nonce) != 16 {
		return fmt.Errorf("%d opening and %d closing of %d marks, nonce %q", opened, closed, marks, nonce)
	}
	return nil
}

// plantStrangers plants three notes, three skips and three packets that nobody signed.
func plantStrangers(ts *testscript.TestScript, _ bool, _ []string) {
	texts := map[string]string{}
	for i := range 3 {
		const at = `"created_at":"2026-01-01T00:00:00Z"`
		note, skip, goal := stranger("notes", i), stranger("skips", i), stranger("packets", i)
		texts["refs/ltm/notes/"+
			note] = fmt.Sprintf(`{"type":"note","id":%q,%s,"kind":"fact","text":"Fact %d of the records"}`,
			note, at, i)
		texts["refs/ltm/skips/"+skip] = fmt.Sprintf(
			`{"type":"skip","id":%q,%s,"item":"Skip %d of the records","reason":"r","expires_at":"2026-12-31T00:00:00Z"}`, skip, at, i)
		texts["refs/ltm/packets/"+
			goal] = fmt.Sprintf(
			`{"ltm_version":"0.3","id":%q,%s,"goal":"Goal %d","next_step":"Look at the records"}`, goal, at,
			i)
	}
	plantTexts(ts, texts)
}

// stranger is the id of a record that nobody signed.
func stranger(kind string, i int) string {
	return fmt.Sprintf("01JDMB4W1YNJZQR7K8F3A2H5%s%d", strings.ToUpper(kind[:1]), i)
}

// signedIDs are the notes of the scripts that a trusted key signed.
func signedIDs() []string {
	return []string{"01JDMB4W1YNJZQR7K8F3A2H5Q1", "01JDMB4W1YNJZQR7K8F3A2H5Q2", "01JDMB4W1YNJZQR7K8F3A2H5Q3"}
}

// plantEvents N WRITER plants events of all kinds but purges that nobody signed, about those records and each
// other. The writer is a digit, which stands in their ids.
func plantEvents(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: events N WRITER")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	writer, err := strconv.ParseUint(args[1], 10, 4)
	ts.Check(err)
	records := signedIDs()
	for _, kind := range []string{"notes", "skips", "packets"} {
		for i := range 3 {
			records = append(records, stranger(kind, i))
		}
	}
	random := rand.New(rand.NewPCG(writer, 500))
	texts := map[string]string{}
	for i := range n {
		id := eventID(writer, i)
		text, err := json.Marshal(randomEvent(random, id, records))
		ts.Check(err)
		texts["refs/ltm/events/"+id] = string(text)
	}
	plantTexts(ts, texts)
}

func eventID(writer uint64, i int) string { return fmt.Sprintf("01JDMX%d%019d", writer, i) }

// randomEvent makes an event at one of few moments, so that those of two writers meet.
func randomEvent(random *rand.Rand, id string, records []string) map[string]any {
	kinds := []string{
		"supersede", "expire", "archive", "restore", "restore", "confirm", "contradict", "impact", "link",
		"consolidate", "close",
		"reopen", "set", "retract", "undo", "undo", "digest",
	}
	kind := kinds[random.IntN(len(kinds))]
	at := time.Date(2026, 1, 1+random.IntN(20), 0, 0, 0, 0, time.UTC)
	e := map[string]any{
		"type": "event", "id": id, "created_at": at.Format(time.RFC3339), "event": kind,
		"targets": []string{records[random.IntN(len(records))]},
		"by":      []string{records[random.IntN(len(records))]},
	}
	switch kind {
	case "expire":
		e["expires_at"] = at.AddDate(5*random.IntN(2), 0, 1).Format(time.RFC3339)
	case "impact":
		e["value"] = []string{"low", "medium", "high", "critical"}[random.IntN(4)]
	case "set":
		e["value"] = fmt.Sprintf(`{"priority":%d}`, random.IntN(12))
	case "digest", "link":
		e["value"] = fmt.Sprintf("Text %d", random.IntN(9))
	case "undo":
		e["targets"] = []string{eventID(1+random.Uint64N(2), random.IntN(500))}
	}
	return e
}

// plantTexts stores texts under refs with git alone.
func plantTexts(ts *testscript.TestScript, texts map[string]string) {
	dir, err := os.MkdirTemp(ts.Getenv("WORK"), "texts")
	ts.Check(err)
	defer func() { _ = os.RemoveAll(dir) }()
	var refs []string
	for ref := range texts {
		refs = append(refs, ref)
	}
	slices.Sort(refs)
	var paths, script strings.Builder
	for i, ref := range refs {
		path := filepath.Join(dir, strconv.Itoa(i))
		record, err := packet.Parse([]byte(texts[ref]), packet.Stored)
		ts.Check(err)
		ts.Check(os.WriteFile(path, record.Encode(), 0o600))
		paths.WriteString(path + "\n")
	}
	for i, oid := range strings.Fields(
		plainGit(ts, paths.String(), "hash-object", "-w", "--no-filters", "--stdin-paths")) {
		fmt.Fprintf(&script, "create %s %s\n", refs[i], oid)
	}
	plainGit(ts, script.String(), "update-ref", "--stdin")
}

// many N FROM plants that many records of about 8 KB, whose text hardly gets
// smaller, in the repository of the script's directory. The last digits of their
// ids count from FROM on.
func plantMany(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: many N FROM")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	from, err := strconv.Atoi(args[1])
	ts.Check(err)
	dir, err := os.MkdirTemp(ts.Getenv("WORK"), "many")
	ts.Check(err)
	defer func() { _ = os.RemoveAll(dir) }()
	var paths, script strings.Builder
	for i := from; i < from+n; i++ {
		path := filepath.Join(dir, manyID(i))
		ts.Check(os.WriteFile(path, []byte(manyPacket(i)), 0o600))
		paths.WriteString(path + "\n")
	}
	oids := strings.Fields(plainGit(ts, paths.String(), "hash-object", "-w", "--no-filters", "--stdin-paths"))
	for i, oid := range oids {
		fmt.Fprintf(&script, "create refs/ltm/packets/%s %s\n", manyID(from+i), oid)
	}
	plainGit(ts, script.String(), "update-ref", "--stdin")
}

// manyID is the id of a planted record.
func manyID(i int) string { return fmt.Sprintf("01JDMB4W1YNJZQR7K8F3%06d", i) }

// manyPacket is a planted record. Its words are no words, and always the same.
func manyPacket(i int) string {
	state := uint64(i)*2 + 1
	word := func() string {
		letters := make([]byte, 7)
		for k := range letters {
			state = state*6364136223846793005 + 1442695040888963407
			letters[k] = 'a' + byte(state>>56)%26
		}
		return string(letters)
	}
	var lines []string
	for range 8 {
		words := make([]string, 120)
		for k := range words {
			words[k] = word()
		}
		lines = append(lines, `    "`+strings.Join(words, " ")+`"`)
	}
	return fmt.Sprintf("{\n  \"ltm_version\": \"0.3\",\n  \"id\": %q,\n  \"created_at\": \"2026-01-02T03:04:05Z\",\n  \"goal\": \"Packet %d\",\n"+
		"  \"constraints\": [\n%s\n  ],\n  \"next_step\": \"Go on\"\n}\n", manyID(i), i,
		strings.Join(lines, ",\n"))
}

// plainGit runs git in the directory of a script and returns what it printed.
func plainGit(ts *testscript.TestScript, input string, args ...string) string {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = ts.MkAbs("."), strings.NewReader(input)
	for _, name := range []string{"PATH", "HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "LC_ALL"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	out, err := cmd.Output()
	ts.Check(err)
	return string(out)
}

// owned is the key of the rings of GnuPG of a script.
type owned struct{}

// rings are the rings of GnuPG by the home directory of their owner.
type rings map[string]*keytest.Ring

// as NAME lets the rest of a script be another person, with a home directory, a configuration of git and keys
// of their own. A script begins as ada.
func as(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 || args[0] == "" {
		ts.Fatalf("usage: as NAME")
	}
	name, home := args[0], filepath.Join(ts.Getenv("WORK"), "home")
	if name != "ada" {
		home += "-" + name
	}
	global := filepath.Join(home, ".gitconfig")
	if _, err := os.Stat(global); err != nil {
		config := strings.NewReplacer("Ada Tester", fullName(name), "ada@", name+"@").Replace(gitConfig)
		ts.Check(os.MkdirAll(home, 0o700))
		ts.Check(os.WriteFile(global, []byte(config), 0o600))
	}
	gnupg := filepath.Join(home, ".gnupg")
	if ring := ts.Value(owned{}).(rings)[home]; ring != nil {
		gnupg = ring.Dir
	}
	for k, v := range map[string]string{
		"HOME": home, "USERPROFILE": home, "XDG_CONFIG_HOME": filepath.Join(home, ".config"),
		"XDG_DATA_HOME":     filepath.Join(home, ".data"),
		"GIT_CONFIG_GLOBAL": global, "GNUPGHOME": gnupg, "SSH_AUTH_SOCK": "",
	} {
		setenv(ts, k, v)
	}
}

// fullName is the name of a person, or of another holder of a key.
func fullName(name string) string {
	if name == "ada" {
		return "Ada Tester"
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// ring returns the ring of the person that a script is. It is made when it is first asked for.
func ring(ts *testscript.TestScript) *keytest.Ring {
	all, home := ts.Value(owned{}).(rings), ts.Getenv("HOME")
	if all[home] == nil {
		made, err := keytest.NewRing()
		ts.Check(err)
		ts.Defer(func() { ts.Check(made.Close()) })
		all[home] = made
		setenv(ts, "GNUPGHOME", made.Dir)
	}
	return all[home]
}

// key KIND ... makes a key with the real programs, or changes one. The variable NAME in capitals holds the
// fingerprint of a key of GnuPG, or the file of a private key of SSH, beside which NAME_PUB is the public
// key.
//
//	key gpg ALGORITHM NAME           a key of OpenPGP for NAME@example.com
//	key locked ALGORITHM NAME        one with a passphrase that nobody knows
//	key subkey ALGORITHM OF NAME     a subkey that signs
//	key expire NAME                  it ended two seconds ago
//	key revoke NAME                  it is taken back
//	key past SECONDS                 GPG_PAST is a gpg that lives in the past
//	key ssh TYPE NAME [PASSPHRASE]   a key in .ssh of the home directory
//	key cert AUTHORITY NAME MAIL     a certificate beside the key of SSH
//	key agent NAME...                an agent that alone holds the private keys of SSH from then on
//	key smime NAME                   a certificate of x509 for NAME@example.com
func key(ts *testscript.TestScript, _ bool, args []string) {
	kinds := map[string]struct {
		arguments int
		do        func(ts *testscript.TestScript, args []string)
	}{
		"gpg": {2, keyGPG}, "locked": {2, keyLocked}, "subkey": {3, keySub}, "expire": {1, keyExpire},
		"revoke": {1, keyRevoke}, "past": {1, keyPast},
		"ssh": {2, keySSH}, "cert": {3, keyCert}, "agent": {1, keyAgent}, "smime": {1, keySMIME},
	}
	if len(args) == 0 || kinds[args[0]].do == nil || len(args[1:]) < kinds[args[0]].arguments {
		ts.Fatalf("usage: key KIND ARGUMENT...")
	}
	kinds[args[0]].do(ts, args[1:])
}

// named sets the variable of a key.
func named(ts *testscript.TestScript, name, value string, err error) {
	ts.Check(err)
	setenv(ts, strings.ToUpper(name), value)
}

// keyed returns what the variable of a key holds.
func keyed(ts *testscript.TestScript, name string) string {
	value := ts.Getenv(strings.ToUpper(name))
	if value == "" {
		ts.Fatalf("there is no key %s", name)
	}
	return value
}

func keyGPG(ts *testscript.TestScript, args []string) {
	fingerprint, err := ring(ts).Generate(userID(args[1]), args[0], "never")
	named(ts, args[1], fingerprint, err)
}

func keyLocked(ts *testscript.TestScript, args []string) {
	fingerprint, err := ring(ts).GenerateLocked(userID(args[1]), args[0], "correct horse")
	named(ts, args[1], fingerprint, err)
}

func userID(name string) string { return fullName(name) + " <" + name + "@example.com>" }

func keySub(ts *testscript.TestScript, args []string) {
	fingerprint, err := ring(ts).AddSubkey(keyed(ts, args[1]), args[0], "never")
	named(ts, args[2], fingerprint, err)
}

func keyExpire(ts *testscript.TestScript, args []string) {
	ts.Check(ring(ts).ExpireAt(keyed(ts, args[0]), time.Now().Add(-2*time.Second)))
}

func keyRevoke(ts *testscript.TestScript, args []string) {
	ts.Check(ring(ts).Revoke(keyed(ts, args[0])))
}

func keyPast(ts *testscript.TestScript, args []string) {
	seconds, err := strconv.Atoi(args[0])
	ts.Check(err)
	program, err := ring(ts).FakedProgram(time.Now().Add(-time.Duration(seconds) * time.Second))
	named(ts, "GPG_PAST", program, err)
}

func keySSH(ts *testscript.TestScript, args []string) {
	folder := filepath.Join(ts.Getenv("HOME"), ".ssh")
	ts.Check(os.MkdirAll(folder, 0o700))
	path := filepath.Join(folder, args[1])
	public, err := keytest.NewSSHKey(path, args[0], strings.Join(args[2:], ""))
	named(ts, args[1], path, err)
	fields := append(strings.Fields(public), "", "")
	setenv(ts, strings.ToUpper(args[1])+"_PUB", fields[0]+" "+fields[1])
}

func keyCert(ts *testscript.TestScript, args []string) {
	path, err := keytest.NewCertificate(keyed(ts, args[0]), keyed(ts, args[1]), "", args[2:]...)
	named(ts, args[1]+"_CERT", path, err)
}

func keyAgent(ts *testscript.TestScript, args []string) {
	var paths []string
	for _, name := range args {
		paths = append(paths, keyed(ts, name))
	}
	agent, err := keytest.NewSSHAgent(paths...)
	ts.Check(err)
	ts.Defer(func() { ts.Check(agent.Close()) })
	for _, path := range paths {
		ts.Check(os.Remove(path))
	}
	setenv(ts, "SSH_AUTH_SOCK", agent.Socket)
}

func keySMIME(ts *testscript.TestScript, args []string) {
	fingerprint, err := keytest.NewSMIME(ring(ts), fullName(args[0]), args[0]+"@example.com")
	named(ts, args[0], fingerprint, err)
}

// standing ID STANDING [stricter] fails unless verify and ls call a packet by its standing, and stock git
// agrees: it accepts the tag where the standing is good, and no other. With "stricter" it accepts what is not
// good.
func standing(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: standing ID STANDING [stricter]")
	}
	id, word := args[0], args[1]
	// Its code says whether policy is met, which is another question.
	_ = ts.Exec("git-ltm", "verify", id, "--json")
	jsonValue(ts, false, []string{"/items/0/standing", word})
	verified := ts.ReadFile("stdout")
	ts.Check(ts.Exec("git-ltm", "ls", "--all", "--format", "%(id) %(trust)"))
	if listed := ts.ReadFile("stdout"); !strings.Contains(listed, id+" "+word+"\n") {
		ts.Fatalf("ls says otherwise than verify, want %s %s", id, word)
	}
	ref, _, _ := strings.Cut(verified[strings.Index(verified, `"ref": "`)+8:], `"`)
	err := ts.Exec("git", "verify-tag", ref)
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		ts.Fatalf("%v", err)
	}
	if want := word == "good" || len(args) == 3; want != (err == nil) {
		ts.Fatalf("git verify-tag ends with %v, and the packet is %s here", err, word)
	}
}

// serving is the key of the servers of a script, by their names.
type serving struct{}

// serve SERVICE DIR NAME starts a server for the bare repositories below a
// directory and sets NAME to its address. It ends with the script. The services
// are http, http-public, ssh and daemon. For ssh, NAME_CONFIG is the file for
// ssh -F, and the user's core.sshCommand names it.
func serve(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: serve SERVICE DIR NAME")
	}
	service, name := gittest.Service(args[0]), args[2]
	server, err := gittest.Serve(service, ts.MkAbs(args[1]), []string{"PATH=" + ts.Getenv("PATH")})
	ts.Check(err)
	ts.Defer(func() { ts.Check(server.Close()) })
	ts.Value(serving{}).(map[string]*gittest.Server)[name] = server
	setenv(ts, name, server.URL)
	if service == gittest.SSH {
		setenv(ts, name+"_CONFIG", server.SSHConfig)
		ts.Check(ts.Exec("git", "config", "--global", "core.sshCommand", "ssh -F "+server.SSHConfig))
	}
}

// password right|wrong lets a credential helper of the user answer with the
// password of the servers over http, or with another one.
func password(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 || (args[0] != "right" && args[0] != "wrong") {
		ts.Fatalf("usage: password right|wrong")
	}
	word := gittest.Password()
	if args[0] == "wrong" {
		word = "not-" + word
	}
	helper := filepath.Join(ts.Getenv("HOME"), "credential-helper")
	script := "#!/bin/sh\n[ \"$1\" != get ] || printf 'username=%s\\npassword=%s\\n' " + gittest.User + " " +
		word + "\n"
	ts.Check(os.WriteFile(helper, []byte(script), 0o700))
	ts.Check(ts.Exec("git", "config", "--global", "--replace-all", "credential.helper", helper))
}

// cut NAME up|down|answer BYTES breaks the network to a server after so many
// bytes from now on: up to the server, down to the client, or at the first byte
// that the server says after it was told so many.
func cut(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: cut NAME up|down|answer BYTES")
	}
	direction, ok := map[string]gittest.Direction{
		"up": gittest.Up, "down": gittest.Down,
		"answer": gittest.Answer,
	}[args[1]]
	after, err := strconv.ParseInt(args[2], 10, 64)
	if !ok || err != nil {
		ts.Fatalf("usage: cut NAME up|down|answer BYTES")
	}
	server(ts, args[0]).Cut(direction, after)
}

// mend NAME lets a network work again. It fails where the network did not break.
func mend(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: mend NAME")
	}
	s := server(ts, args[0])
	up, down := s.Passed()
	ts.Logf("%d bytes went up and %d bytes came down so far", up, down)
	ts.Check(s.Mend())
}

// server finds a server of the script.
func server(ts *testscript.TestScript, name string) *gittest.Server {
	s, ok := ts.Value(serving{}).(map[string]*gittest.Server)[name]
	if !ok {
		ts.Fatalf("there is no server named %s", name)
	}
	return s
}

// servable tells whether this machine has what a service needs. In CI it must.
func servable(service gittest.Service) bool {
	missing := gittest.MissingFor(service)
	if missing != "" && os.Getenv("CI") == "true" {
		panic("CI has no " + missing)
	}
	return missing == ""
}

// moment writes what an agent says of an event to $WORK/moment.json, for the standard input of a hook: the
// session and the directory, and NAME=VALUE for each other member, where NAME may go into an object with a
// dot.
func moment(ts *testscript.TestScript, _ bool, args []string) {
	said := map[string]any{"session_id": "one", "cwd": ts.MkAbs(".")}
	for _, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		if !ok {
			ts.Fatalf("usage: moment NAME=VALUE...")
		}
		within := said
		for {
			first, rest, deeper := strings.Cut(name, ".")
			if !deeper {
				break
			}
			inner, ok := within[first].(map[string]any)
			if !ok {
				inner = map[string]any{}
				within[first] = inner
			}
			within, name = inner, rest
		}
		within[name] = value
	}
	data, err := json.Marshal(said)
	ts.Check(err)
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("WORK"), "moment.json"), data, 0o600))
}

// drafted waits until the process that writes drafts has ended: until a draft lies in the current repository
// that was not there when drafted was called last.
func drafted(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) > 0 {
		ts.Fatalf("usage: drafted")
	}
	seen, _ := ts.Value(remembered{}).(map[string]string)
	for range 600 {
		cmd := exec.Command("git", "for-each-ref", "refs/ltm-local/drafts")
		cmd.Dir = ts.MkAbs(".")
		out, err := cmd.Output()
		ts.Check(err)
		if len(out) > 0 && string(out) != seen["drafts"] {
			seen["drafts"] = string(out)
			// The ref comes first: the process that makes it notes the draft, and then ends.
			repo, err := git.Find(context.Background(), cmd.Dir, os.Environ())
			ts.Check(err)
			release, err := repo.Local().OwnFile("draft.lock").Lock(context.Background(), time.Minute)
			ts.Check(err)
			ts.Check(release())
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	ts.Fatalf("no draft appeared")
}

// fetch STATUS URL FILE [NAME:VALUE...] asks for a page with the headers, expects a status, and writes the
// page to a file. The name Method stands for the method, and Host for the name of the server.
func fetch(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 3 {
		ts.Fatalf("usage: fetch STATUS URL FILE [NAME:VALUE...]")
	}
	r, err := http.NewRequest(http.MethodGet, args[1], nil)
	ts.Check(err)
	for _, header := range args[3:] {
		name, value, _ := strings.Cut(header, ":")
		switch name {
		case "Method":
			r.Method = value
		case "Host":
			r.Host = value
		default:
			r.Header.Set(name, value)
		}
	}
	transport := &http.Transport{DisableKeepAlives: true}
	answer, err := transport.RoundTrip(r)
	ts.Check(err)
	body, err := io.ReadAll(answer.Body)
	ts.Check(errors.Join(err, answer.Body.Close(), os.WriteFile(ts.MkAbs(args[2]), body, 0o600)))
	if got := strconv.Itoa(answer.StatusCode); got != args[0] {
		ts.Fatalf("%s: status %s, want %s", args[1], got, args[0])
	}
}
