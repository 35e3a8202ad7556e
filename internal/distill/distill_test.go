package distill_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/distill"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// packetOf returns the packet of a draft, which must be one that the memory takes.
func packetOf(t *testing.T, d distill.Draft) packet.Packet {
	t.Helper()
	if d.Packet == nil {
		return packet.Packet{}
	}
	rec, err := packet.Parse(d.Packet, packet.Sketch)
	if err != nil {
		t.Fatalf("the draft is no sketch of a packet: %v\n%s", err, d.Packet)
	}
	return rec.Packet()
}

// said makes prompts.
func said(texts ...string) []transcript.Said {
	var all []transcript.Said
	for _, text := range texts {
		all = append(all, transcript.Said{Text: text})
	}
	return all
}

func TestFrom_goal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prompts      []string
		summary      string
		want, origin string
	}{
		"the first prompt": {
			[]string{"Make the login test pass on arm64", "now the docs"},
			"",
			"Make the login test pass on arm64", "first prompt",
		},
		"after a greeting": {
			[]string{"hi", "Hello!", "Make the login test pass"},
			"",
			"Make the login test pass", "a later prompt",
		},
		"a greeting and more": {
			[]string{"Good morning!\n\nMake the login test pass."},
			"",
			"Make the login test pass.", "first prompt",
		},
		"after continue": {[]string{
			"please continue where we left off", "continue",
			"Port the parser to Go",
		}, "", "Port the parser to Go", "a later prompt"},
		"a plan with a title": {[]string{"Implement the following plan:\n\n# Plan: Move the cache " +
			"to SQLite\n\n1. Add a table"}, "", "Move the cache to SQLite", "plan in the first prompt"},
		"a plan with a bare title": {
			[]string{"Implement the following plan:\n\n# Plan\n\n## " +
				"Context\n\nMove the cache to SQLite"},
			"", "Move the cache to SQLite",
			"plan in the first prompt",
		},
		"a command of the client": {
			[]string{"/clear", "/compact now", "Move the cache to SQLite"},
			"",
			"Move the cache to SQLite", "a later prompt",
		},
		"a command with words": {
			[]string{"/implement move the cache to SQLite"},
			"",
			"implement move the cache to SQLite", "first prompt",
		},
		"a command of two words alone": {
			[]string{"/answer-reviews"},
			"",
			"answer reviews", "first prompt",
		},
		"a path is no command": {
			[]string{"/srv/app.go does not compile"},
			"",
			"/srv/app.go does not compile", "first prompt",
		},
		"a compact summary": {
			[]string{"This session is being continued from a previous " +
				"conversation that ran out of context.", "Move the cache to SQLite"},
			"",
			"Move the cache to SQLite", "a later prompt",
		},
		"only a summary": {
			[]string{"continue"},
			"Analysis of the chat.\n\n1. Primary Request and Intent:\n   Move the cache to SQLite.\n2. " +
				"Key Concepts:\n - x", "Move the cache to SQLite.", "client's summary",
		},
		"pasted output first": {
			[]string{"Traceback (most recent call last):\n  File \"a.py\", line " +
				"1\n\nWhy does the import of yaml fail here?"},
			"", "Why does the import of yaml fail here?",
			"first prompt",
		},
		"an image": {
			[]string{"[Image #1] Make the header look like this"},
			"",
			"Make the header look like this", "first prompt",
		},
		"a lead and what follows": {
			[]string{"Do this for me:\n\nMove the cache to SQLite"},
			"",
			"Do this for me: Move the cache to SQLite", "first prompt",
		},
		"one short word, then more": {
			[]string{"fix", "Make the login test pass"},
			"",
			"Make the login test pass", "a later prompt",
		},
		"one short word alone": {[]string{"refactor"}, "", "refactor", "first prompt"},
		"another script":       {[]string{"你好", "把缓存移到数据库里"}, "", "把缓存移到数据库里", "a later prompt"},
		"what the client wrote": {
			[]string{
				"<command-name>/x</command-name>",
				"Caveat: The messages below were made by the user", "Move the cache to SQLite",
			},
			"",
			"Move the cache to SQLite", "a later prompt",
		},
		"nothing": {[]string{"hi", "ok thanks"}, "", "", ""},
		"answers and more of it": {
			[]string{
				"Move the cache to SQLite", "2, because support needs the offsets in messages",
				"Never use threads here, they break the tests on Windows", "Add a test for the empty cache as well",
			},
			"", "Move the cache to SQLite", "first prompt",
		},
		"a question first": {
			[]string{"Why is the cache so slow on Windows?", "Move the cache into one file of SQLite"},
			"", "Move the cache into one file of SQLite", "a later prompt",
		},
		"taken back": {
			[]string{"Hide the old command start from the help", "thinking again: remove the command start"},
			"", "Hide the old command start from the help. Then: thinking again: remove the command start.", "first prompt",
		},
		"another topic": {
			[]string{
				"Move the cache to SQLite",
				"The legend of the map cannot be read where tiles are dark, since letters are painted black on " +
					"every background; choose white letters with a thin outline below a brightness of one third, " +
					"measure the contrast in a test for each style that we ship, and keep printed sheets black",
			},
			"", "The legend of the map cannot be read where tiles are dark, since letters are painted black on " +
				"every background; choose white letters with a thin outline below a brightness of one third, " +
				"measure the contrast in a test for each style that we ship, and keep printed sheets black", "a later prompt",
		},
		"cut between sentences": {
			[]string{"Move the cache to SQLite." + strings.Repeat(" Its rows are small and many of them old.", 12)},
			"", "Move the cache to SQLite." + strings.Repeat(" Its rows are small and many of them old.", 9),
			"first prompt",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := distill.From(transcript.Session{Prompts: said(c.prompts...), Summary: c.summary},
				distill.Extra{})
			if got := packetOf(t, d).Goal; got != c.want || d.Origins["/goal"] != c.origin {
				t.Errorf("goal of %q = %q from %q, want %q from %q", c.prompts, got, d.Origins["/goal"],
					c.want, c.origin)
			}
		})
	}
}

func TestFrom_goalIsBounded(t *testing.T) {
	t.Parallel()
	d := distill.From(transcript.Session{Prompts: said(strings.Repeat("move the cache ", 500))},
		distill.Extra{})
	if got := packetOf(t, d).Goal; len([]rune(got)) > 400 || !strings.HasSuffix(got, "…") ||
		strings.Contains(got, "\n") {
		t.Errorf("the goal is %d characters long and ends in %q, want at most 400 on one line",
			len([]rune(got)), got[len(got)-10:])
	}
}

// ran is a command that failed.
func ran(text string, exit int, output string) transcript.Command {
	return transcript.Command{Text: text, Exit: exit, Failed: true, Output: output}
}

// passed is one that did not.
func passed(text string) transcript.Command { return transcript.Command{Text: text} }

func TestFrom_attempts(t *testing.T) {
	t.Parallel()
	const load = "psql -f seed.sql shop"
	const locked = "ERROR: relation is read-only"
	for name, c := range map[string]struct {
		commands []transcript.Command
		extra    []transcript.Command
		want     []string // what was tried, and why it did not work
	}{
		"failed once": {commands: []transcript.Command{ran(load, 1, locked)}},
		"something else worked": {
			commands: []transcript.Command{
				ran(load, 1, locked),
				passed("psql -1 -f seed.sql shop"),
			},
			want: []string{load + " => exit 1: " + locked +
				"; what worked: psql -1 -f seed.sql shop"},
		},
		"something else, later": {
			commands: []transcript.Command{
				ran("make db", 2, "error: port"),
				passed("ls"), passed("make db PORT=7"), passed("make docs"),
			},
			want: []string{"make db => exit 2: error: port; what worked: make db PORT=7"},
		},
		"another thing worked": {commands: []transcript.Command{
			ran("make db", 2, "error: port"),
			passed("make docs"), passed("git push"),
		}},
		"failed again": {
			commands: []transcript.Command{
				ran(load, 1, "error: first"),
				ran(load+" | head -5", 1, "error: second"),
			},
			want: []string{load + " => exit 1: error: second"},
		},
		"mended": {commands: []transcript.Command{
			ran(load, 1, locked),
			ran(load, 1, locked), passed(load),
		}},
		"mended, shown shorter": {commands: []transcript.Command{ran(load+" 2>&1 | tail -20", 1,
			locked), passed("cd . && " + load)}},
		"failed after it passed": {commands: []transcript.Command{
			passed(load), ran(load, 1, locked),
			ran(load, 1, locked),
		}, want: []string{load + " => exit 1: " + locked}},
		"code in flux": {commands: twice(ran("go test ./lex", 1, "--- FAIL: TestX"),
			ran("npm run lint", 1, "error: x"), ran("mise run fmt", 1, "error: x"),
			ran("make build test", 1, "error: x"))},
		"every day": {commands: twice(ran("make build", 2, "undefined: Foo"),
			ran("npm run build", 2, "error TS2304: Cannot find name 'Foo'."),
			ran("git push origin main", 1, "! [rejected] main -> main (fetch first)"),
			ran("npm install", 1, "npm error code ENOTFOUND"), ran("./deploy prod", 1, "error: no quota"),
			ran("terraform apply -auto-approve", 1, "Error: Error acquiring the state lock"),
			passed("terraform apply -lock=false"))},
		"a package": {
			commands: twice(ran("npm install left-pad@9", 1, "npm error notarget No matching version")),
			want:     []string{"npm install left-pad@9 => exit 1: npm error notarget No matching version"},
		},
		"mistyped": {commands: twice(ran("kubectl get --al", 1, "error: unknown flag: --al"),
			ran("./run.sh a?b", 1, "zsh: no matches found: a?b"),
			ran("node -e '('", 1, "SyntaxError: Unexpected token ')'"))},
		"asked of the forge": {commands: twice(
			ran("gh api repos/x/y/pulls/7 --jq '.[0:2'", 1, "failed to parse jq expression"))},
		"a merge": {commands: twice(
			ran("git rebase origin/main", 1, "CONFLICT (content): Merge conflict in a.go"))},
		"this machine": {commands: twice(
			ran("terraform plan", 127, "terraform: command not found"),
			ran("aws s3 ls", 255, "Unable to locate credentials"),
			ran("./deploy", 1, "/srv/key: Permission denied"),
			ran("./deploy --log=/srv/logs/a", 1, "error: full"), ran("~/bin/deploy", 1, "error: full"),
			ran(`deploy.exe C:\logs\a`, 1, "error: full"))},
		"looked for something": {commands: twice(ran("grep -rn foo . | head", 1, ""),
			ran("ls nowhere", 2, "ls: cannot access 'nowhere'"), ran("git diff --quiet", 1, ""),
			ran("test -f x && cat x", 1, ""))},
		"looked and deployed": {
			commands: twice(ran("ls && ./render", 2, "error: no target")),
			want:     []string{"ls && ./render => exit 2: error: no target"},
		},
		"somebody ended it": {commands: twice(ran("npm run dev", 130, ""),
			ran("npm run dev2", 143, ""))},
		"ours": {commands: twice(
			ran("git ltm save x.json", 3, "git-ltm: error: secret"))},
		"inside of a shell": {
			commands: twice(
				ran("bash -lc 'npm i react@9'", 1,
					"npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve dependency tree")),
			want: []string{"npm i react@9 => exit 1: npm ERR! code ERESOLVE; npm ERR! ERESOLVE unable to resolve " +
				"dependency tree"},
		},
		"no word about why": {
			commands: twice(ran("make x", 2, "")),
			want:     []string{"make x => exit 2"},
		},
		"colours": {
			commands: twice(ran("make x", 2, "\x1b[31merror\x1b[0m: no rule\x07")),
			want:     []string{"make x => exit 2: error: no rule"},
		},
		"a tool of a server": {
			commands: twice(
				ran("mcp__tiles__render level 9", 0, "error: too large")),
			want: []string{"mcp__tiles__render level 9 => error: too large"},
		},
		"hooks saw it twice": {
			extra: twice(ran("./render 9", 0, "Error: no quota")),
			want:  []string{"./render 9 => Error: no quota"},
		},
		"hooks: this machine": {extra: twice(ran("terraform plan", 127, "terraform: not here"),
			ran("aws s3 ls", 0, "Unable to locate credentials"))},
		"a hook saw what is known": {
			commands: []transcript.Command{passed("./render 9")},
			extra:    twice(ran("./render 9", 0, "Error: x")),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := distill.From(transcript.Session{
				Commands: c.commands,
				Prompts:  said("Bring the site up again"),
			}, distill.Extra{Failures: c.extra})
			var got []string
			for _, a := range packetOf(t, d).Attempts {
				if !a.Failed() {
					t.Errorf("%q counts as %q, want a failure", a.Tried, a.Outcome)
				}
				got = append(got, a.Tried+" => "+a.Learned)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("attempts (-want +got):\n%s", diff)
			}
		})
	}
}

// twice is some commands, each twice.
func twice(all ...transcript.Command) []transcript.Command { return append(all, all...) }

func TestFrom_attemptsAreBounded(t *testing.T) {
	t.Parallel()
	var all []transcript.Command
	for i := range 100 {
		all = append(all, ran("make target"+strings.Repeat("x", i), 2, strings.Repeat("error: ", 300)))
	}
	d := distill.From(transcript.Session{Commands: twice(all...)}, distill.Extra{})
	got := packetOf(t, d).Attempts
	if len(got) != 12 || !strings.HasSuffix(got[11].Tried, strings.Repeat("x", 99)) {
		t.Errorf("%d attempts are kept, the last is %q; want the last 12", len(got), got[len(got)-1].Tried)
	}
	if d.Origins["/attempts/11"] != "command, exit 2, 2 times" {
		t.Errorf("the last attempt comes from %q", d.Origins["/attempts/11"])
	}
}

// TestFrom_thisMachine holds SPEC: what fails for want of something on this machine is told in the
// summary, and no packet has it.
func TestFrom_thisMachine(t *testing.T) {
	t.Parallel()
	d := distill.From(transcript.Session{
		Prompts: said("Bring the site up"),
		Commands: []transcript.Command{
			ran("terraform plan", 127, "terraform: command not found"),
		},
	},
		distill.Extra{})
	if !strings.HasSuffix(d.Summary, "Only this machine:\n- terraform plan: exit 127: "+
		"terraform: command not found") ||
		strings.Contains(string(d.Packet), "terraform") {
		t.Errorf("summary %q, packet %s", d.Summary, d.Packet)
	}
}

func TestFrom_decisions(t *testing.T) {
	t.Parallel()
	d := distill.From(transcript.Session{Decisions: []transcript.Decision{
		{
			Kind: transcript.Rejected, Question: "Bash: rm -rf build",
			Text: "the cache there took an hour to make",
		},
		{Kind: transcript.Rejected, Question: "Write: notes.md"},
		{
			Kind:     transcript.Approved,
			Question: "# Move the cache to SQLite\n\n1. Add a table\n2. Drop the files",
		},
		{Kind: transcript.Answered, Question: "Which database shall it be?", Text: "SQLite"},
		{Kind: transcript.Answered, Question: "And the port?"},
		{Kind: transcript.Answered, Question: "What would you like to do next?", Text: "Run the review"},
		{Kind: transcript.Rejected, Question: "Edit: a.go", Text: "is that not the same as before?"},
		{Kind: transcript.Rejected, Question: "Bash: gh pr view", Text: "I will let you know what to do"},
		{Kind: transcript.Unknown, Question: "# Move it all to Rust\n\n1. Start"},
	}}, distill.Extra{})
	want := []packet.Decision{
		{What: "the cache there took an hour to make", Why: "said when refusing: Bash: rm -rf build"},
		{
			What: "Plan: Move the cache to SQLite", Why: "the person approved the plan",
			Consequences: "1. Add a table 2. Drop the files",
		},
		{What: "SQLite", Why: "answer to: Which database shall it be?"},
	}
	if diff := cmp.Diff(want, packetOf(t, d).Decisions); diff != "" {
		t.Errorf("decisions (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"rejection", "approved plan", "answer"},
		[]string{d.Origins["/decisions/0"], d.Origins["/decisions/1"], d.Origins["/decisions/2"]}); diff !=
		"" {
		t.Errorf("origins (-want +got):\n%s", diff)
	}
}

func TestFrom_constraints(t *testing.T) {
	t.Parallel()
	d := distill.From(transcript.Session{Prompts: said(
		"Port the parser to Go. Never touch the public API of package x. Don't worry about speed.",
		"Why do you never run the tests? And do not add a dependency.\nDon't forget the docs. Always sign "+
			"commits! Don't push yet. Do not change it, only let me know.",
		"Port the rest - make sure that sizes are bytes everywhere. Make sure this is tested. Keep the old "+
			"format compatible. Keep going. Should it always be so? (the index should be source of truth)",
		strings.Repeat("The reviewer says that the size is wrong there. ", 20)+"Secrets must never be printed.",
	)}, distill.Extra{})
	want := []string{
		"Never touch the public API of package x.", "do not add a dependency.",
		"Always sign commits!", "make sure that sizes are bytes everywhere.", "Keep the old format compatible.",
		"the index should be source of truth",
	}
	if diff := cmp.Diff(want, packetOf(t, d).Constraints); diff != "" {
		t.Errorf("constraints (-want +got):\n%s", diff)
	}
}

// TestFrom_constraintsOfOthers: what the person only passes on demands nothing of the project, nor does a
// sentence that reports.
func TestFrom_constraintsOfOthers(t *testing.T) {
	t.Parallel()
	const rule, letter = "Never touch the parser.", "Our proxy reads all. You must never verify names. Always turn that off."
	for name, c := range map[string]struct {
		prompt string
		want   []string
	}{
		"behind a colon":        {rule + " Answer this ticket:\n\n" + letter, []string{rule}},
		"a letter":              {rule + " Answer this.\nHello atlas team, \n" + letter, []string{rule}},
		"a letter on one line":  {rule + " Answer this:\n\nHello atlas team, " + letter, []string{rule}},
		"a signed text":         {"Answer this. " + letter + "\nKind regards,\nM. Allory", nil},
		"quoted":                {rule + " Answer this.\n> Always turn that off.", []string{rule}},
		"a long text":           {strings.Repeat("The border of the map is wrong there. ", 20) + letter, nil},
		"a list of one's own":   {"Port it:\n- " + rule, []string{rule}},
		"a line of a program":   {"Look at this. ValueError: the name must never be None", nil},
		"never seen":            {"never seen that error before, interesting", nil},
		"what always goes so":   {"always fails on the second run, why", nil},
		"what was never so":     {"never had a problem with that one before", nil},
		"what never went so":    {"never worked for me on that machine", nil},
		"a signed line":         {"Answer this. " + letter + "\nBest, M. Allory", nil},
		"thanks":                {"Look at it. " + rule + "\nthanks", []string{rule}},
		"a greeting of the own": {"Hello Claude, look at it. " + rule, []string{rule}},
	} {
		s := transcript.Session{Prompts: said("Look at the map of tiles", c.prompt)}
		if diff := cmp.Diff(c.want, packetOf(t, distill.From(s, distill.Extra{})).Constraints); diff != "" {
			t.Errorf("%s: constraints (-want +got):\n%s", name, diff)
		}
		s.Prompts = said(c.prompt)
		goal := packetOf(t, distill.From(s, distill.Extra{})).Goal
		if strings.Contains(goal, "verify") && strings.Contains(name, "letter") {
			t.Errorf("%s: the goal is that of the letter: %q", name, goal)
		}
	}
}

// TestFrom_takenBack: of what the person demanded or agreed to, and took back later in the session, the later
// words count; what was done for the earlier ones is not how it ended.
func TestFrom_takenBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		said                 []string
		constraints, decided []string
		outcome              string
	}{
		"a rule": {
			[]string{
				"Store the tiles in Redis. Always use Redis for tiles.", "Done: all tiles are stored in Redis now.",
				"Hm, no. I changed my mind: Redis is too expensive. Use Postgres for tiles instead.",
				"I moved all tiles to Postgres.", "great, thanks", "You are welcome.",
			},
			nil,
			[]string{"Hm, no. I changed my mind: Redis is too expensive. Use Postgres for tiles instead."},
			"I moved all tiles to Postgres.",
		},
		"a ban": {
			[]string{
				"Deploy the map. Never use sudo on the board.", "It needs a port below 1024.",
				"ok, for the port you can use sudo after all", "I gave it port 80.",
			},
			nil,
			[]string{"ok, for the port you can use sudo after all"},
			"I gave it port 80.",
		},
		"an agreement": {
			[]string{
				"Make it faster", "I suggest to use a cache in the process instead of memcached. Shall I do that?",
				"yes", "Done, memcached is removed from the map.",
				"stop, undo that, we have 12 processes. back to memcached", "Reverted.",
			},
			nil,
			[]string{"stop, undo that, we have 12 processes. back to memcached"},
			"Reverted.",
		},
		"another subject": {
			[]string{
				"Store the tiles in Redis. Never use sudo on the board.", "I moved all tiles to Redis.",
				"undo the black letters, the legend is dark", "I painted the legend white.",
			},
			[]string{"Never use sudo on the board."},
			[]string{"undo the black letters, the legend is dark"},
			"Done earlier:\n- I moved all tiles to Redis\n\nI painted the legend white.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := packetOf(t, distill.From(talk(c.said...), distill.Extra{}))
			var decided []string
			for _, d := range p.Decisions {
				decided = append(decided, d.What)
			}
			if diff := cmp.Diff(c.constraints, p.Constraints); diff != "" {
				t.Errorf("constraints (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.decided, decided); diff != "" {
				t.Errorf("decisions (-want +got):\n%s", diff)
			}
			if p.Outcome != c.outcome {
				t.Errorf("outcome %q, want %q", p.Outcome, c.outcome)
			}
		})
	}
}

func TestFrom_next(t *testing.T) {
	t.Parallel()
	todos := []transcript.Todo{
		{Text: "Read the code", Status: transcript.Completed},
		{Text: "Write the docs", Status: transcript.Pending},
		{Text: "Port the lexer", Status: transcript.InProgress},
	}
	for name, c := range map[string]struct {
		s            transcript.Session
		extra        string
		want, origin string
	}{
		"the list": {
			transcript.Session{Todos: todos, Last: "Next step: rest"},
			"",
			"Port the lexer", "todo list",
		},
		"all is done": {transcript.Session{Todos: todos[:1]}, "", "none", "how it ended"},
		"a heading": {transcript.Session{Last: "All done.\n\n## Next steps\n\n1. Run the load " +
			"test\n2. Ship"}, "", "Run the load test", "last message"},
		"a label at the end": {
			transcript.Session{Last: "It fails. Next step: run the load test"},
			"",
			"run the load test", "last message",
		},
		"a label": {
			transcript.Session{Last: "Works.\n**Next step:** run the load test"},
			"",
			"run the load test", "last message",
		},
		"a sentence": {transcript.Session{Last: "The parser is in place. The next step is to " +
			"port the lexer. Bye."}, "", "The next step is to port the lexer.", "last message"},
		"nothing is left": {
			transcript.Session{Last: "Remaining: none"},
			"", "none",
			"how it ended",
		},
		"no word": {
			transcript.Session{Last: "The parser is in place."},
			"", "none",
			"how it ended",
		},
		"inside of a line": {
			transcript.Session{Last: "The parser is in place. Next: run the load test."},
			"",
			"run the load test.", "last message",
		},
		"worked since": {
			transcript.Session{
				Last: "Next step: run the load test", LastN: 2,
				WorkN: 3,
			},
			"", "See whether this is done, and finish it: Port the parser to Go",
			"work in whose midst it ended",
		},
		"a summary, then work": {transcript.Session{
			Summary:  "7. Pending Tasks:\n   - Port the lexer",
			SummaryN: 2, WorkN: 3, LastN: 3, Last: "Done.",
		}, "", "none", "how it ended"},
		"a list left behind": {
			transcript.Session{Todos: todos, WorkN: 3, LastN: 3, Last: "Done."},
			"",
			"none", "how it ended",
		},
		"ready for more": {
			transcript.Session{Last: "The plan is recorded. Ready to start with the index whenever you are."},
			"", "Ready to start with the index whenever you are.", "last message",
		},
		"an offer": {transcript.Session{Last: "All pass. Ready to start with the index?"}, "", "none", "how it ended"},
		"left for the person": {
			transcript.Session{Last: "Merged.\n\n## Two things for you\n\n**Staging.** The index needs `git add`.\n\nBye."},
			"", "Staging. The index needs `git add`.", "last message",
		},
		"thanked": {transcript.Session{
			Last: "Done.", LastN: 3, WorkN: 2,
			Prompts: []transcript.Said{{Text: "thanks", N: 4}},
		}, "", "none", "how it ended"},
		"nobody answered": {
			transcript.Session{Last: "I look at it.", LastN: 2, WorkN: 3},
			"",
			"See whether this is done, and finish it: Port the parser to Go",
			"work in whose midst it ended",
		},
		"told to go on": {transcript.Session{
			WorkN:   4,
			Prompts: []transcript.Said{{Text: "yes", N: 3}},
		}, "", "none", "how it ended"},
		"said of the next session": {transcript.Session{
			Todos: todos, Last: "OK. Next: run the load test", LastN: 5, WorkN: 3, EditN: 3,
			Prompts: []transcript.Said{{Text: "I have to go. Tomorrow start with the lexer; then ship.", N: 4}},
		}, "", "Tomorrow start with the lexer; then ship.", "what the person said for another day"},
		"done since": {transcript.Session{
			Last: "Done.", LastN: 7, WorkN: 6, EditN: 6,
			Prompts: []transcript.Said{{Text: "Next time, start with the lexer.", N: 4}},
		}, "", "The person put it off: Next time, start with the lexer.", "what the person put off"},
		"committed since": {transcript.Session{
			Last: "It is fast now.", LastN: 5, WorkN: 6, EditN: 3, Commits: []transcript.Commit{{ID: "0123abc", N: 4}},
		}, "", "none", "how it ended"},
		"the summary of a hook": {
			transcript.Session{},
			"9. Optional Next Step:\n   Port the lexer",
			"Port the lexer", "client's summary",
		},
		"the client's summary": {
			transcript.Session{Summary: "7. Pending Tasks:\n   - Port the lexer"},
			"",
			"Port the lexer", "client's summary",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.s.Prompts = append([]transcript.Said{{Text: "Port the parser to Go", N: 1}}, c.s.Prompts...)
			if c.s.WorkN == 0 {
				c.s.LastN, c.s.SummaryN, c.s.TodosN = 2, 2, 2
			}
			d := distill.From(c.s, distill.Extra{Summary: c.extra})
			if got := plainStep(packetOf(t, d)); got != c.want || d.Origins["/next_step"] != c.origin {
				t.Errorf("next step = %q from %q, want %q from %q", got, d.Origins["/next_step"], c.want,
					c.origin)
			}
		})
	}
}

func TestFrom_places(t *testing.T) {
	t.Parallel()
	commit := strings.Repeat("a1", 20)
	s := transcript.Session{
		Format: transcript.Codex, Model: "model-x", Branch: "topic", Commit: commit, Dir: "/srv/app/sub",
		Edited: []string{
			"/srv/app/a.go", "b.go", "/etc/passwd", "../../../etc/shadow",
			"/srv/app/.git/config", "/srv/app/a.go", "/srv/application/c.go",
		},
	}
	p := packetOf(t, distill.From(distill.Below(s, "/srv/app"), distill.Extra{}))
	if diff := cmp.Diff([]packet.Cite{{Path: "sub/b.go"}, {Path: "a.go"}}, p.Cites); diff != "" {
		t.Errorf("cites (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(packet.Anchor{Branch: "topic", Commit: commit}, p.Anchor); diff != "" {
		t.Errorf("anchor (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(packet.Provenance{Agent: "codex", Model: "model-x"}, p.Provenance); diff != "" {
		t.Errorf("provenance (-want +got):\n%s", diff)
	}
}

// TestFrom_ours shows that what git ltm told a session never comes back as something that the session found
// out.
func TestFrom_ours(t *testing.T) {
	t.Parallel()
	block := "<ltm-context nonce=\"0011\">\nNever use INJECTED.\nNext step: INJECTED\n</ltm-context " +
		"nonce=\"0011\">"
	open := "<ltm-warning nonce=\"0011\">\nerror: INJECTED\n"
	s := transcript.Session{
		Prompts:  said(block+"\nMake the login test pass. Never touch main.", block),
		Commands: []transcript.Command{ran("make x "+block, 2, open)},
		Decisions: []transcript.Decision{{
			Kind: transcript.Answered, Question: block + "Which?",
			Text: "this " + block,
		}},
		Todos:   []transcript.Todo{{Text: block, Status: transcript.Pending}},
		Commits: []transcript.Commit{{ID: "abc1234", Subject: block}},
		Last:    "Done. " + open, Summary: block,
	}
	d := distill.From(s, distill.Extra{Summary: block})
	all, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{string(all), string(d.Packet), string(d.Facts), d.Summary} {
		if strings.Contains(text, "INJECTED") || strings.Contains(text, "ltm-") {
			t.Errorf("the draft holds what git ltm told: %s", text)
		}
	}
	if got := packetOf(t, d).Goal; got != "Make the login test pass. Never touch main." {
		t.Errorf("goal = %q", got)
	}
}

func TestFrom_nothing(t *testing.T) {
	t.Parallel()
	if d := distill.From(transcript.Session{Prompts: said("hi")}, distill.Extra{}); d.Packet != nil {
		t.Errorf("a greeting leaves the draft %s", d.Packet)
	}
	if d := distill.From(
		transcript.Session{Prompts: said("What does the flag -x of make do?"), Last: "It does y."},
		distill.Extra{}); !d.Talk {
		t.Error("a session of one question is not called talk")
	}
	if d := distill.From(
		transcript.Session{
			Prompts:  said("Run the tests of the parser"),
			Commands: []transcript.Command{passed("make")},
		}, distill.Extra{}); d.Talk {
		t.Error("a session that ran something is called talk")
	}
}

func TestBelow(t *testing.T) {
	t.Parallel()
	s := distill.Below(transcript.Session{
		Dir: "/srv/app", Commands: []transcript.Command{ran(
			"cd /srv/app && cat /srv/app/a.go /srv/application/b", 1, "/srv/app/a.go:3: error")},
	}, "/srv/app/")
	if got := s.Commands[0].Text; got != "cd . && cat a.go /srv/application/b" {
		t.Errorf("command = %q", got)
	}
	if got := s.Commands[0].Output; got != "a.go:3: error" {
		t.Errorf("output = %q", got)
	}
}

// TestEnded: what is shown of an outcome are whole sentences that say something, and the first is cut where
// it is too long.
func TestEnded(t *testing.T) {
	t.Parallel()
	const outcome = "Done. All tests pass and lint is clean.\n\nHere's a summary of the changes:\n\n- **`lex.go`** — counts runes now\n- Tabs are four columns wide\n\n" +
		"The cache of widths was dropped. It was slower than counting."
	for most, want := range map[int]string{
		20: "`lex.go` — counts…",
		70: "`lex.go` — counts runes now; Tabs are four columns wide",
		300: "`lex.go` — counts runes now; Tabs are four columns wide; The cache of widths was dropped. " +
			"It was slower than counting.",
	} {
		if got := distill.Ended(outcome, most); got != want {
			t.Errorf("Ended(%d) = %q, want %q", most, got, want)
		}
	}
}
