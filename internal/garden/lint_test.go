package garden_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/garden"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// lintOf writes the advice on one item as "place rule".
func lintOf(item packet.Item) []string {
	var got []string
	for _, a := range garden.Lint(packet.Content{Kind: packet.KindNote, Items: []packet.Item{item}}) {
		got = append(got, a.Place+" "+a.Rule)
	}
	return got
}

// note makes the item of a note; what stands behind "::" is its reason.
func note(text string) packet.Item {
	kind, text, _ := strings.Cut(text, ": ")
	text, why, _ := strings.Cut(text, " :: ")
	return packet.Item{Kind: kind, Place: "/text", Text: text, Why: why}
}

func TestLint_good(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"decision: Use Postgres for the ledger. :: Transactions over two tables must hold.",
		"decision: Postgres stays the only store of the ledger. :: A second one was out of step for two " +
			"days in March 2026.",
		"decision: We keep the monolith until there are two teams, because every split so far cost a release.",
		"decision: Sessions are JWTs of five minutes :: Logging out must work within five minutes without a table.",
		"decision: Use pgbouncer in session mode. :: We tried transaction mode and prepared statements broke.",
		"procedure: Run `make docs` after a change to the help of a command, and commit the page with it.",
		"procedure: To release, tag the commit, push the tag and wait for the build; never push from a laptop.",
		"procedure: 1. Stop the workers\n2. Run the migration\n3. Start the workers again, and look at the queue",
		"procedure: Vendor the modules before a build without network, otherwise it hangs for a minute.",
		"procedure: Regenerate the client with `buf generate` when a .proto file changes. :: CI compares the two.",
		"procedure: When the cache is stale, flush it with `redis-cli -n 3 flushdb` and restart one " +
			"worker at a time.",
		"pitfall: Prepared statements break in the transaction mode of pgbouncer.",
		"pitfall: time.Parse without a zone gives UTC, so reports of the evening land on the wrong day.",
		"pitfall: The build fails with \"cannot find -lssl\" on Alpine unless openssl-dev is there.",
		"pitfall: Do not call Close twice on the pool: the second call panics.",
		"pitfall: Never log request bodies. :: They hold personal data.",
		"pitfall: `go test ./...` hangs on macOS when Docker is off, because the port is never refused.",
		"pitfall: Retrying a POST creates a second order; send an Idempotency-Key with every one.",
		"preference: Keep functions below 45 lines. :: Reviews find more in short ones.",
		"preference: Always write tests as tables; a single case hides what it is about.",
		"preference: Prefer plain words in comments and messages over terms of art in this project.",
		"learning: The gateway counts requests by key and not by user, so one user can have two limits.",
		"learning: Vacuum runs at night; queries between 02:00 and 03:00 UTC take three times as long.",
		"learning: Fixed costs are booked on the first day of a month, and that job must not run twice.",
		"learning: Added latency comes from the TLS handshake, which is repeated for each upstream call.",
		"learning: The report shows the last week of each month, counted from Monday to Sunday.",
		"learning: The button \"next week\" and the word `yesterday` are translated by the browser and not by us.",
		"learning: The job deletes caches that are older than 30 days; those made less than 2 days ago stay.",
		"learning: git reads ~/.gitconfig before .git/config, and the later value wins in all of our scripts.",
		"learning: In CI the checkout lies in /home/runner/work, which is the same on every hosted runner.",
		"learning: The route /home/ada renders the profile of a user, and /Users is the route of SCIM.",
		"learning: The service answers at https://example.com/home/alice/avatar with a redirect to the bucket.",
		"learning: C:\\Windows\\Temp is writable for services, so the socket of the tests lies below it.",
		"learning: The user must confirm the mail; the assistant role in the API is only a label of a message.",
		"learning: As discussed in docs/adr/0007.md, the ledger has one writer, and readers use the replica.",
		"learning: User: a person with an account. Tenant: a company. A user may be in several tenants.",
		"learning: We are on Go 1.26 because the tools need it; the last release of 1.25 does not build here.",
		"reference: docs/design.md",
		"reference: The API is described in docs/api.md.",
		"fact: The dev server listens on localhost:3000.",
		"fact: Port 8080 is the proxy.",
		"fact: The team has three people and one shared key.",
		"achievement: Added rate limiting to the gateway (commit 1a2b3c4).",
		"achievement: We shipped 2.0.",
		"identity: I review migrations first and tests last.",
		"task: Ship the importer :: make TestImport pass in internal/foreign",
		"task: Call the host about the certificate",
		"decision: Wir behalten Postgres als einzigen Speicher für das Hauptbuch und alle Berichte.",
		"decision: Nous gardons Postgres comme seule base du grand livre, même pour les rapports.",
		"procedure: デプロイの前に必ずマイグレーションを実行し、完了を待ってからワーカーを再起動すること。",
		"pitfall: error: cannot lock ref\nmeans that another git runs in the same repository; wait and try again.",
		"procedure: $ make build\n$ make test\n$ make release\nin this order, as each reads what the one " +
			"before wrote",
		"learning: The entry that was used least recently goes first, which is what the tests in " +
			"cache_test.go count on.",
		"fact: Files modified more than 7 days ago are moved to the archive.",
		"skip: Do not run make clean on the runner",
		"preference: No global state in any package of the project, and none in its tests.",
		"procedure: Before you hand over: read the whole diff once as a stranger, from top to bottom.",
		"fact: Paths such as `~/…` are refused by the scanner.",
		"constraint: No new dependency",
		"criterion: make check passes",
		"question: Did we try the new proxy?",
		"goal: Rate limiting for the gateway",
		"next_step: Continue with the parser: make TestNested pass in parse_test.go.",
		"next_step: Finish the importer for Lerim's files",
		"next_step: Review internal/garden/lint.go",
		"next_step: Run make check.",
	} {
		if got := lintOf(note(text)); got != nil {
			t.Errorf("%q: %q, want no advice", text, got)
		}
	}
}

func TestLint_bad(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{
			"learning: I tried to cache the tokens and the gateway rejected them after a restart.",
			"/text log-not-instruction",
		},
		{
			"procedure: First we looked at the logs, then we ran the migration by hand because it hung.",
			"/text log-not-instruction",
		},
		{
			"pitfall: The workers were down, so we then ran the migration again. It breaks the queue.",
			"/text log-not-instruction",
		},
		{
			"learning: Fixed the login bug that made every second request fail on the staging system.",
			"/text log-not-instruction",
		},
		{
			"fact: Updated the config and restarted the workers, after which the queue was empty.",
			"/text log-not-instruction",
		},
		{
			"learning: The agent checked the docs and the option does not exist, so the flag is useless.",
			"/text log-not-instruction",
		},
		{
			"decision: Ran the tests with the race detector and it is slow on the small machines. :: Time",
			"/text log-not-instruction",
		},
		{
			"learning: User: why is the build red?\nAssistant: Because the cache is stale. Flush it.",
			"/text transcript",
		},
		{
			"learning: **Human:** please flush the cache of the gateway.\n**AI:** Done, it is empty now.",
			"/text transcript",
		},
		{
			"learning: Me: does it work with two workers? Claude: Yes, with a lock around the counter.",
			"/text transcript",
		},
		{"learning: Traceback (most recent call last):\n  File \"app.py\", line 3, in <module>\nKeyError: 'x'", "/text pasted-output"},
		{
			"pitfall: panic: boom\ngoroutine 1 [running]:\nmain.main()\n\tmain.go:5 +0x18\nthe server breaks",
			"/text pasted-output",
		},
		{"learning: java.lang.IllegalStateException\n  at a.B.c(B.java:12)\n  at " +
			"a.D.e(D.java:40)\nappears at start", "/text pasted-output"},
		{
			"learning: === RUN TestA\n--- FAIL: TestA (0.00s)\nFAIL\texample.com/a 0.003s\nis what it says",
			"/text pasted-output",
		},
		{
			"learning: 2026-01-02T10:00:00Z start\n2026-01-02T10:00:01Z stop\n2026-01-02T10:00:02Z gone\n",
			"/text pasted-output",
		},
		{
			"learning: diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\nmakes the difference for the workers here",
			"/text pasted-output",
		},
		{
			"learning: npm ERR! code E1\nnpm ERR! path x\nnpm ERR! errno 2\nshows when the lock file is stale",
			"/text pasted-output",
		},
		{"decision: Postgres as the only store of the ledger and of all reports", "/text missing-why"},
		{
			"pitfall: The build on ARM and the one on the old runner are red with the new image",
			"/text missing-why",
		},
		{
			"preference: Tables for tests, and short functions in every package of the project",
			"/text missing-why",
		},
		{
			"procedure: The deployment of the gateway with the new chart and the old values of March",
			"/text missing-why",
		},
		{"decision: Use Postgres.", "/text too-short"},
		{"pitfall: Redis eviction.", "/text too-short"},
		{"learning: Vacuum runs at night.", "/text too-short"},
		{"procedure: Run the tests. :: n/a", "/text too-short"},
		{
			"learning: The certificate was renewed yesterday and holds for ninety days; renew it in time.",
			"/text relative-date",
		},
		{
			"learning: The freeze begins next week, and nothing may be merged into main until it is over.",
			"/text relative-date",
		},
		{"fact: The API changed last month.", "/text relative-date"},
		{"fact: Today the queue is drained by hand.", "/text relative-date"},
		{"fact: The limit was raised 2 days ago.", "/text relative-date"},
		{
			"decision: Use Go 1.26. :: The tools need it since last Tuesday, and 1.25 does not build them.",
			"/why relative-date",
		},
		{"fact: The notes lie in /home/ada/notes/todo.md.", "/text absolute-path"},
		{"fact: See /Users/ada/Projects/x.", "/text absolute-path"},
		{"fact: The fixture is C:\\Users\\Ada\\fixture.json.", "/text absolute-path"},
		{"fact: The checkout is ~/projects/gateway.", "/text absolute-path"},
		{"fact: Open file:///home/ada/x/y.html.", "/text absolute-path"},
		{"fact: Cites. :: as in `/home/ada/src/x.go`", "/why absolute-path"},
		{"next_step: Continue.", "/text vague-next-step"},
		{"next_step: finish it", "/text vague-next-step"},
		{"next_step: Keep working on the remaining tasks", "/text vague-next-step"},
		{"next_step: Carry on where we left off.", "/text vague-next-step"},
		{"next_step: Fix the remaining issues", "/text vague-next-step"},
		{"next_step: TBD", "/text vague-next-step"},
		{"task: Importer :: continue with the work", "/next_action vague-next-step"},
	} {
		if diff := cmp.Diff([]string{test.want}, lintOf(note(test.text))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.text, diff)
		}
	}
}

func TestLint_packet(t *testing.T) {
	t.Parallel()
	c := packet.Content{Kind: packet.KindPacket, Items: []packet.Item{
		{Kind: "goal", Place: "/goal", Text: "Move the checkout of /home/ada/src/app to containers"},
		{
			Kind: "decision", Place: "/decisions/0", Text: "Use podman.",
			Why: "It needs no daemon.\nThe host runs one service less.",
		},
		{Kind: "decision", Place: "/decisions/1", Text: "Use podman.", Why: "none"},
		{Kind: "attempt", Place: "/attempts/0", Text: "I tried rootless docker", Why: "failed", Failed: true},
		{
			Kind: "attempt", Place: "/attempts/1", Text: "I tried rootless docker",
			Why: "failed\nThe kernel lacks user namespaces.", Failed: true,
		},
		{Kind: "attempt", Place: "/attempts/2", Text: "Alpine as the base", Why: "succeeded"},
		{
			Kind: "attempt", Place: "/attempts/3", Text: "Debian as the base", Why: "too large for the runner",
			Failed: true,
		},
		{
			Kind: "method", Place: "/methods/0", Text: "prune\nwhen the disk is full",
			Why: "podman system prune",
		},
		{Kind: "question", Place: "/open_questions/0", Text: "What did the host say yesterday?"},
		{Kind: "next_step", Place: "/next_step", Text: "continue"},
	}}
	var got []string
	for _, a := range garden.Lint(c) {
		got = append(got, a.Place+" "+a.Rule)
	}
	want := []string{
		"/goal absolute-path", "/decisions/1 too-short", "/attempts/0 attempt-without-lesson",
		"/open_questions/0 relative-date", "/next_step vague-next-step",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Lint (-want +got):\n%s", diff)
	}
}

func TestLint_skip(t *testing.T) {
	t.Parallel()
	c := packet.Content{Kind: packet.KindSkip, Items: []packet.Item{
		{Kind: "skip", Place: "/item", Text: "npm audit fix", Why: "It broke the build yesterday."},
	}}
	got := garden.Lint(c)
	if len(got) != 1 || got[0].Place != "/reason" || got[0].Rule != garden.RuleDate ||
		!strings.Contains(got[0].Text, `"yesterday"`) {
		t.Errorf("Lint = %+v, want the relative date in /reason", got)
	}
}

// FuzzLint states that advice is bounded, points into the record, and carries
// nothing of it but words of the package's own lists.
func FuzzLint(f *testing.F) {
	f.Add("decision", "Use `x` \"y\" “z” ``` yesterday", "As discussed above, ~/x/y C:\\x")
	f.Add("pitfall", "\xff\xe2\x80 at a(b:1)\nat c(d:2)", "> a\n> b\n> c\n> d")
	f.Add("task", "“", "\"")
	f.Add("fact", "3 \x1b[2Jdays ago last week", "2 sprints ago")
	f.Fuzz(func(t *testing.T, kind, text, why string) {
		item := packet.Item{Kind: kind, Place: "/text", Text: text, Why: why}
		for _, a := range garden.Lint(packet.Content{Kind: packet.KindNote, Items: []packet.Item{item}}) {
			if a.Place != "/text" && a.Place != "/why" && a.Place != "/next_action" {
				t.Errorf("place %q", a.Place)
			}
			if a.Rule == "" || len(a.Text) > 200 ||
				strings.ContainsFunc(a.Text, func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Errorf("advice %q: %q", a.Rule, a.Text)
			}
		}
	})
}

// A line of a log is one, and what looks like one and says what holds is none. Half of these were written
// down before the rule and shown to it only when it was done: of those it found 8 of 10, and nothing wrong
// in 20.
func TestLint_logLine(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"fact: Checked aurora, Kp was 2.33, quiet",
		"fact: API returned 404 on /v1/users",
		"decision: Discussed auth approach with team",
		"fact: Read Lena by qntm, interesting",
		"learning: Looked into the flaky test, nothing conclusive",
		"fact: Ran the migration on staging, worked fine",
		"learning: Talked to Ben about the queue",
		"fact: Build failed with exit code 2",
		"learning: Investigated memory usage of the indexer",
		"fact: Deployed version 2.3 to production",
		"fact: Tested the new endpoint, all good",
		"learning: Met with the platform team about quotas",
		"fact: Server returned 500 on POST /orders",
		"learning: Reviewed the pull request of Ann",
		"fact: Tests passed after the third try",
		"learning: Read through the docs of the gateway",
		"fact: Fixed typo in README",
		"fact: Request timed out after 30 seconds",
	} {
		if got := lintOf(note(text)); !slices.Contains(got, "/text log-not-instruction") {
			t.Errorf("%q: %q, want that it is a line of a log", text, got)
		}
	}
	for _, text := range []string{
		"fact: The CI runner has 4 GB, so run the linter with -j1.",
		"learning: API moved to /v2: update all calls.",
		"decision: Use JWT with 1hr expiry, refresh via /token",
		"preference: Skip aurora until Kp > 4 or Feb 20",
		"fact: Already read Lena: skip it if it comes up again.",
		"learning: The staging database is reset every Monday at 04:00 UTC.",
		"pitfall: curl returned 404 for every user without a plan until the vendor added one; call " +
			"/v2/users instead.",
		"learning: Checked exceptions are wrapped by the retry helper, so catch RetryError.",
		"learning: The old token endpoint returned 401 whenever the clock was more than 30 s off.",
		"learning: Discussed options are listed in docs/adr/0007.md; option B won because of its licence.",
		"fact: Read replicas lag by up to two seconds behind the primary.",
		"procedure: Read docs/release.md before you tag.",
		"learning: Merged branches are deleted by the bot after a day.",
		"learning: The vendor's support said that the limit of 50 connections cannot be raised before " +
			"March 2027.",
		"pitfall: Tests passed locally and failed in CI because the fixture needs TZ=UTC.",
		"decision: Reviewed by two people: every migration.",
		"learning: Updated rows keep their old version for a week, which is why the view filters by it.",
		"fact: The importer was written for Lerim 2; files of Lerim 3 have another header.",
		"learning: Cached responses carry an Age header; the ones without it come from the origin.",
		"pitfall: The second request after a deploy timed out each time: warm the pool first.",
		"fact: The load balancer returned 502 on deploys until the drain time was raised to 30 s; keep it there.",
		"learning: Signed commits are required on release branches.",
		"decision: Tested backups are the only ones that count: restore one a month.",
		"fact: Failed logins are limited to five in a minute.",
		"pitfall: Started containers keep the old environment; recreate them after a change of .env.",
		"learning: The exporter crashed on names with a slash, so they are escaped now in names.go.",
		"fact: Ben owns the queue; ask him before the schema changes.",
		"learning: Installed packages land in /opt/venv in the image, not in the home of the user.",
		"preference: Short commit subjects, in the imperative.",
		"fact: Measured with 10,000 records the index takes 40 ms to open.",
		"decision: The team agreed on two approvals for each migration.",
		"learning: Called from a hook, the program has no terminal and must not prompt.",
		"fact: The nightly job has failed on the first day of each month since the calendar changed.",
		"procedure: Check the queue length before you restart a worker.",
		"learning: Deleted users stay in the search index for an hour.",
		"pitfall: Updated fixtures must be committed with the test that reads them.",
		"fact: Looked-up hosts are cached for 60 s by the resolver.",
		"learning: It was the proxy that cut the uploads, not the bucket: its timeout is 60 s.",
		"decision: Postponed until 2027: the move to the new region.",
		"fact: Written in 2019, the parser knows nothing of time zones.",
	} {
		if got := lintOf(note(text)); slices.Contains(got, "/text log-not-instruction") {
			t.Errorf("%q is taken for a line of a log", text)
		}
	}
}
