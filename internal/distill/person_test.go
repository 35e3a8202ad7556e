package distill_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/distill"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// play is a session of lines: what the person says behind "u:", what the agent says behind "a:", a file
// that it writes behind "e:", a command that works behind "+:", one that fails behind "-:", with what it
// prints behind "=>", and a commit behind "c:".
func play(lines ...string) transcript.Session {
	var s transcript.Session
	for i, line := range lines {
		n := i + 1
		kind, text, _ := strings.Cut(line, ": ")
		switch kind {
		case "u":
			s.Prompts = append(s.Prompts, transcript.Said{Text: text, N: n})
		case "a":
			s.Words = append(s.Words, transcript.Word{Text: text, Changed: s.EditN > 0, N: n})
			s.Last, s.LastN = text, n
		case "e":
			s.Edited, s.EditN, s.WorkN = append(s.Edited, text), n, n
		case "c":
			s.Commits, s.WorkN = append(s.Commits, transcript.Commit{ID: "0badca5", Subject: text, N: n}), n
		default:
			c := transcript.Command{Failed: kind == "-", N: n}
			c.Text, c.Output, _ = strings.Cut(text, " => ")
			s.Commands, s.WorkN = append(s.Commands, c), n
		}
	}
	return s
}

// plainStep is the next step of a draft that says one, and none where it only quotes how the session
// ended.
func plainStep(p packet.Packet) string {
	if strings.HasPrefix(p.NextStep, "See whether anything is left. ") {
		return packet.NoNextStep
	}
	return p.NextStep
}

// sketch is the packet of such a session.
func sketch(t *testing.T, lines ...string) packet.Packet {
	t.Helper()
	return packetOf(t, distill.From(play(lines...), distill.Extra{}))
}

// TestFrom_closed: nothing is left only where that is certain. Else the draft says how the session ended,
// and that nobody said whether it is done.
func TestFrom_closed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end    []string
		closed bool
	}{
		"still missing":    {[]string{"a: I have moved p0 to p3; p4 is still missing."}, false},
		"remaining":        {[]string{"a: I updated p0 to p3. Remaining: p4 to p9."}, false},
		"some of all":      {[]string{"a: Two of the five modules are converted now."}, false},
		"it does not work": {[]string{"a: The migration does not work: it deadlocks."}, false},
		"a half":           {[]string{"a: The first half is in place."}, false},
		"next":             {[]string{"a: Fixed p0. Next I will look at p1."}, false},
		"nothing shows it": {[]string{"a: All ten modules count in cents now."}, false},
		"tests are green":  {[]string{"+: pytest -q", "a: All ten modules count in cents now."}, true},
		"and it is asked": {
			[]string{"+: pytest -q", "a: All ten modules count in cents now. Shall I push?"},
			false,
		},
		"and half is left": {[]string{"+: pytest -q", "a: The first half is in place."}, false},
		"and written since": {
			[]string{"+: pytest -q", "e: p9.py", "a: All ten modules count in cents now."},
			false,
		},
		"an open box": {[]string{"+: pytest -q", "a: Cents:\n- [x] read\n- [ ] written"}, false},
		"tests are red": {
			[]string{"-: pytest -q => 1 failed", "a: All ten modules count in cents now."},
			false,
		},
		"the last one fails": {[]string{
			"c: Cents", "-: ./ship => no quota",
			"a: All modules count in cents now.",
		}, false},
		"committed": {[]string{"c: Cents everywhere", "a: All ten modules count in cents now."}, true},
		"a crash":   {[]string{"a: I commit it.", "c: Cents everywhere"}, false},
		"the person says so": {
			[]string{"a: All ten modules count in cents now.", "u: great, that works now", "a: Fine."}, true,
		},
		"how it works": {[]string{
			"a: All ten modules count in cents now.", "u: explain how it works",
			"a: Cents are integers.",
		}, false},
		"nothing written": {[]string{"+: make", "a: Cents are integers."}, false},
		"all of them":     {[]string{"+: pytest -q", "a: 10 of 10 modules count in cents now."}, true},
	} {
		for _, bye := range []string{
			"", "thanks, that is it for today", "I have to go now", "good night",
			"ok, bye",
		} {
			lines := append([]string{"u: Move the prices of all ten modules to cents", "e: p0.py", "e: p1.py"},
				c.end...)
			if bye != "" && name != "a crash" {
				lines = append(lines, "u: "+bye, "a: See you tomorrow.")
			}
			if p := sketch(t, lines...); (p.NextStep == packet.NoNextStep) != c.closed ||
				strings.Contains(p.Outcome, "See you") {
				t.Errorf("%s, %q: next step %q, it ended %q", name, bye, p.NextStep, p.Outcome)
			}
		}
	}
}

// TestFrom_endQuoted: what is not known to be done is told with the last words of the agent that say
// something.
func TestFrom_endQuoted(t *testing.T) {
	t.Parallel()
	p := sketch(t, "u: Measure the sums on arm64", "e: a.go",
		"a: I moved the sums; measuring them takes another board.",
		"u: thanks", "a: You are welcome.", "u: bye")
	const want = "See whether anything is left. Said last: I moved the sums; measuring them takes another board."
	if p.NextStep != want || p.Outcome != "I moved the sums; measuring them takes another board." {
		t.Errorf("next step %q, it ended %q", p.NextStep, p.Outcome)
	}
}

// TestFrom_remembered: what the person says for good or for later is kept in their words, whether the
// agent went on with work or not.
func TestFrom_remembered(t *testing.T) {
	t.Parallel()
	work := []string{"e: cart.py", "+: pytest -q", "a: Done, cart.py uses cents now."}
	for _, rule := range []string{
		"Please remember: money is always Decimal.", "From now on, use Decimal for money.",
		"No floats for money please!", "Use Decimal for money everywhere, never float.",
		"We don't use floats for money, ever.", "we must support Python 3.8, so no zoneinfo",
		"Note for later: the API of Acme returns 200 on errors, too.", "we never touch the folder legacy",
	} {
		for _, then := range [][]string{{"a: Understood."}, work} {
			p := sketch(t, append([]string{
				"u: Fix the delivery date", "e: a.py", "a: Fixed it in Berlin.",
				"u: Good. " + rule,
			}, then...)...)
			if !slices.Contains(p.Constraints, rule) {
				t.Errorf("%q, then %q: constraints %q", rule, then, p.Constraints)
			}
		}
	}
	for _, later := range []string{
		"The discount we do tomorrow.", "Let's do the discount tomorrow.", "We'll fix the discount next week.",
		"leave the discount for now, I'll do it on Monday", "remember to rename the module next time",
		"ok, next time try the other solver for c",
	} {
		for _, then := range [][]string{{"a: Will do."}, work} {
			p := sketch(t, append([]string{
				"u: Fix the delivery date", "e: a.py", "a: Fixed it in Berlin.",
				"u: " + later,
			}, then...)...)
			if !strings.Contains(p.NextStep, strings.TrimPrefix(later, "ok, ")) || len(p.Constraints) > 0 {
				t.Errorf("%q, then %q: next step %q, constraints %q", later, then, p.NextStep, p.Constraints)
			}
		}
	}
	for said, want := range map[string]string{
		"always the same error, hm": "", "always nice to see green tests": "", "don't delete it, rename it": "",
		"You should never have touched main.py": "", "don't use sed for this edit, use the editor": "",
		"Never rename it. Sorry, I meant: never remove it.": "never remove it.",
	} {
		got := sketch(t, append([]string{"u: Rework the footer", "e: a.py", "a: It is in.", "u: " + said}, work...)...)
		if strings.Join(got.Constraints, "|") != want {
			t.Errorf("%q: constraints %q, want %q", said, got.Constraints, want)
		}
	}
	for _, none := range []string{"The demo is tomorrow, fix the date", "Guten Morgen, mach bitte weiter"} {
		if p := sketch(t, append([]string{"u: " + none}, work...)...); p.NextStep != packet.NoNextStep {
			t.Errorf("%q: next step %q", none, p.NextStep)
		}
	}
}

// TestFrom_saidLast: what the person said last, and nothing was done about, is for whoever goes on,
// before a command that failed.
func TestFrom_saidLast(t *testing.T) {
	t.Parallel()
	begin := []string{
		"u: Release 1.4.0", "e: CHANGELOG.md", "-: make check => 1 failed",
		"a: Only the robot may upload.",
	}
	for said, want := range map[string]string{
		"ok. then wait for Bob's review of #77. when it's merged, move the tag": "The person said last: ok. then " +
			"wait for Bob's review of #77. when it's merged, move the tag",
		"it is to be public only after that":              "The person said last: it is to be public only after that",
		"why only the robot?":                             "See why this fails: `make check`: 1 failed",
		"thanks, the index of Acme returns 200 on errors": "The person said last: thanks, the index of Acme returns 200 on errors",
		"great, thank you":                                "See why this fails: `make check`: 1 failed",
	} {
		for _, noted := range []string{"Understood.", "Understood. Waiting for the review, then I move the tag."} {
			if p := sketch(t, append(begin, "u: "+said, "a: "+noted)...); p.NextStep != want {
				t.Errorf("%q: next step %q, want %q", said, p.NextStep, want)
			}
		}
	}
}

// TestFrom_changedCourse: where the person changes what they asked for, the goal does not tell the first
// wish alone, and their words are a decision.
func TestFrom_changedCourse(t *testing.T) {
	t.Parallel()
	for _, turn := range []string{
		"Hmm, SQLAlchemy is overkill for one table. Let's go with plain sqlite3 instead, I don't want another dependency.",
		"Actually, let's use plain sqlite3 instead of SQLAlchemy.", "No SQLAlchemy please, use sqlite3.",
		"I changed my mind: use plain sqlite3, SQLAlchemy is too much.", "Actually no, revert that. Use sqlite3.",
		"on second thought, plain sqlite3 is enough", "scrap that, sqlite3",
		"can you redo it with sqlite3? SQLAlchemy is too heavy",
	} {
		p := sketch(t, "u: Store the carts in a database with SQLAlchemy.", "e: repo.py",
			"a: The repository is in place.",
			"u: "+turn, "e: repo.py", "a: The repository uses plain sqlite3 now.", "u: thanks", "a: You are welcome.")
		kept := slices.Contains(p.Constraints, turn) || slices.ContainsFunc(p.Decisions,
			func(d packet.Decision) bool { return d.What == turn })
		if !kept || !strings.HasPrefix(p.Goal, "Store the carts in a database with SQLAlchemy. Then: "+turn[:18]) {
			t.Errorf("%q: goal %q, decisions %+v", turn, p.Goal, p.Decisions)
		}
	}
}

// TestFrom_lostFailures: what failed in a session that nobody called a success is kept with the sentence
// of the agent that says why, calls of one program with other arguments count together, and only what
// does the same to the same thing worked in the place of what failed.
func TestFrom_lostFailures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"told by the agent": {
			[]string{
				"-: qemu-bench --board arm64 sums => the emulator gives up", "e: a.go",
				"a: The emulator gives up.",
			},
			"qemu-bench --board arm64 sums => the emulator gives up; the agent: The emulator gives up.",
		},
		"what a project needs every day": {
			[]string{
				"-: python3 scripts/migrate.py --all => deadlock detected",
				"a: The migration deadlocks with running workers.",
			},
			"python3 scripts/migrate.py --all => deadlock detected; the agent: The migration deadlocks with running workers.",
		},
		"told of something else": {[]string{
			"-: ./render sums => no quota", "e: a.go",
			"a: I moved the legend.",
		}, ""},
		"other arguments": {
			[]string{
				"-: solve-c --try 0 => error: no end", "-: solve-c --try 1 => error: no end",
				"a: I could not finish it.",
			},
			"solve-c --try 1 => error: no end",
		},
		"other arguments worked": {
			[]string{
				"-: curl -sf https://api.acme.example/v1/orders => 410",
				"+: curl -sf https://api.acme.example/v2/orders", "a: v2 works.",
			},
			"curl -sf https://api.acme.example/v1/orders => 410; what worked: curl -sf https://api.acme.example/v2/orders",
		},
		"another thing worked": {
			[]string{
				"-: pip install pytz => externally-managed-environment",
				"+: pip install -r requirements.txt --break-system-packages", "+: pytest", "a: All is well.",
			}, "",
		},
		"it only pretended": {
			[]string{"-: bin/repair orders => locked", "+: bin/repair --dry-run orders", "a: I looked into it."}, "",
		},
		"it only looked": {
			[]string{
				"-: docker compose exec db repair-orders => locked", "+: docker compose exec db ls", "a: I looked into it.",
			}, "",
		},
		"another package": {[]string{"-: pip install pytz => no", "+: pip install tzdata", "a: I looked into it."}, ""},
		"a reason that stays": {
			[]string{
				"-: git push origin main => remote: error: GH006: Protected branch update failed",
				"+: git push origin HEAD:release",
				"+: pytest", "a: It is out.",
			},
			"git push origin main => remote: error: GH006: Protected branch update failed",
		},
		"not allowed": {
			[]string{"-: python -m build && twine upload dist/* => 403 Forbidden; User 'ada' is not allowed to upload", "a: Refused."},
			"python -m build && twine upload dist/* => 403 Forbidden; User 'ada' is not allowed to upload",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, a := range sketch(t, append([]string{"u: Measure the sums on arm64"}, c.lines...)...).Attempts {
				got = append(got, a.Tried+" => "+a.Learned)
			}
			if strings.Join(got, "|") != c.want {
				t.Errorf("attempts %q, want %q", got, c.want)
			}
		})
	}
}
