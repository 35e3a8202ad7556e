package garden_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/garden"
)

const ada = "ada@example.com"

// hashOf makes a hash of a letter.
func hashOf(letter string) string { return strings.Repeat(letter, 40) }

func commit(subject, body string, tags ...string) garden.Commit {
	return garden.Commit{
		Hash: hashOf("a"), Subject: subject, Body: body, Author: "Ada Tester", Email: ada,
		At: time.Unix(1767323045, 0), Tags: tags,
	}
}

func TestAchievements(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		commit garden.Commit
		want   string // impact and text, or nothing
	}{
		{
			"a feature with a scope", commit("feat(gateway): add rate limiting to the gateway", ""),
			"medium Added: rate limiting to the gateway (feat gateway, aaaaaaaaaaaa)",
		},
		{
			"a feature named by a noun", commit("feat: Dark mode", ""),
			"medium Added: dark mode (feat, aaaaaaaaaaaa)",
		},
		{
			"an order stands behind its label", commit("feat(auth): allow users to log in with a key", ""),
			"medium Added: allow users to log in with a key (feat auth, aaaaaaaaaaaa)",
		},
		{
			"a fix", commit("fix(api): crash on an empty body", ""),
			"low Fixed: crash on an empty body (fix api, aaaaaaaaaaaa)",
		},
		{"a fix that says so twice", commit("Fix: fix a leak", ""), "low Fixed: a leak (fix, aaaaaaaaaaaa)"},
		{
			"an order not to", commit("fix: do not lock twice", ""),
			"low Fixed: \"do not lock twice\" (fix, aaaaaaaaaaaa)",
		},
		{
			"speed", commit("perf(parser): reduce allocations", ""),
			"low Made faster: reduce allocations (perf parser, aaaaaaaaaaaa)",
		},
		{
			"a breaking mark", commit("feat(api)!: drop version 1", ""),
			"high Added, breaking: drop version 1 (feat api, aaaaaaaaaaaa)",
		},
		{
			"a breaking trailer",
			commit("fix: order of arguments",
				"The order was wrong.\n\nBREAKING CHANGE: swap the arguments\nRefs: #12"),
			"high Fixed, breaking: order of arguments (fix, aaaaaaaaaaaa)",
		},
		{
			"a breaking refactoring", commit("refactor!: one parser for all", ""),
			"high Changed, breaking: one parser for all (refactor, aaaaaaaaaaaa)",
		},
		{"a release", commit("chore(release): 1.2.0", "", "v1.2.0"), "high Released: v1.2.0 (aaaaaaaaaaaa)"},
		{
			"two releases", commit("Merge branch 'x'", "", "v1.2.0", "api/v0.3.0", "nightly"),
			"high Released: api/v0.3.0, v1.2.0 (aaaaaaaaaaaa)",
		},
		{"a version before a release", commit("chore: tag", "", "v1.2.0-rc.1", "v2"), ""},
		{
			"mustard is not critical", commit("fix(kitchen): critical mustard emergency, urgent!", ""),
			"low Fixed: critical mustard emergency, urgent! (fix kitchen, aaaaaaaaaaaa)",
		},
		{
			"a number is no release", commit("fix: pin lib 2.3.4", ""),
			"low Fixed: pin lib 2.3.4 (fix, aaaaaaaaaaaa)",
		},
		{
			"what a terminal would obey", commit("feat: colours \x1b[31mred", ""),
			"medium Added: colours red (feat, aaaaaaaaaaaa)",
		},
		{"a breaking change in the midst of a line", commit("refactor: x y", "No BREAKING CHANGE: none"), ""},
		{"no type", commit("Update readme", ""), ""},
		{"a subject with a colon", commit("garden: which notes say the same", ""), ""},
		{"docs", commit("docs: add a guide", ""), ""},
		{"chore", commit("chore(deps): bump x", ""), ""},
		{"style", commit("style: gofumpt", ""), ""},
		{"test", commit("test(api): add a case", ""), ""},
		{"a refactoring that breaks nothing", commit("refactor: one parser", ""), ""},
		{"unfinished", commit("feat: WIP login", ""), ""},
		{"wip", commit("wip: feat", ""), ""},
		{"fixup", commit("fixup! feat: add x", ""), ""},
		{"squash", commit("squash! feat: add x", ""), ""},
		{"merge", commit("Merge pull request #1 from x/feat: y", ""), ""},
		{"revert", commit("Revert \"feat: add x\"", ""), ""},
		{"nothing said", commit("feat: ", ""), ""},
		{"no subject", commit("", ""), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var lines []string
			for _, a := range garden.Achievements([]garden.Commit{test.commit}, "Ada@Example.com") {
				lines = append(lines, a.Impact+" "+a.Text)
			}
			if got := strings.Join(lines, "\n"); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// keys returns the letters of the commits that count.
func keys(all []garden.Achievement) string {
	var b strings.Builder
	for _, a := range all {
		b.WriteString(a.Key[:1])
	}
	return b.String()
}

func TestAchievements_reverted(t *testing.T) {
	t.Parallel()
	at := func(letter string, second int64, email, subject, body string) garden.Commit {
		return garden.Commit{
			Hash: hashOf(letter), Subject: subject, Body: body, Email: email,
			At: time.Unix(second, 0),
		}
	}
	commits := []garden.Commit{
		at("a", 1, ada, "feat: one", ""),
		at("b", 2, ada, "feat: two", ""),
		at("c", 3, ada, "feat: three", ""),
		at("d", 4, ada, "feat: four", ""),
		at("f", 5, "bob@example.com", `Revert "feat: one"`, "This reverts commit "+hashOf("a")+"."),
		at("1", 6, ada, `Revert "feat: four"`, ""),
		at("2", 7, ada, `Revert "feat: three"`, "This reverts commit "+hashOf("c")[:10]+"."),
		at("3", 7, ada, `Reapply "feat: three"`, "This reverts commit "+hashOf("2")+"."),
		at("5", 9, "bob@example.com", "feat: of somebody else", ""),
	}
	if got := keys(garden.Achievements(commits, ada)); got != "bcd" {
		t.Errorf("achievements = %q, want those of the commits b, c and d", got)
	}
	again := slices.Concat(commits, commits)
	if diff := cmp.Diff(garden.Achievements(commits, ada), garden.Achievements(again, ada)); diff != "" {
		t.Errorf("a second look (-want +got):\n%s", diff)
	}
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 2))
		mixed := append([]garden.Commit{}, commits...)
		r.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		if diff := cmp.Diff(garden.Achievements(commits, ada), garden.Achievements(mixed, ada)); diff != "" {
			t.Fatalf("another order (-want +got):\n%s", diff)
		}
	}
	if got := garden.Achievements(commits, ""); got != nil {
		t.Errorf("without an author = %v, want none", got)
	}
}

func TestAchievements_fields(t *testing.T) {
	t.Parallel()
	got := garden.Achievements(
		[]garden.Commit{commit("feat(Web UI): x y", ""), commit("feat(api): x y", "")}[1:], ada)
	want := []garden.Achievement{{
		Key: hashOf("a"), Text: "Added: x y (feat api, aaaaaaaaaaaa)", Impact: "medium",
		Tags: []string{"api"}, Author: "Ada Tester", At: time.Unix(1767323045, 0),
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Achievements (-want +got):\n%s", diff)
	}
}

// FuzzAchievements states that at most one achievement comes of a commit, that
// it is bounded, safe to print and never critical, and that tags are slugs.
func FuzzAchievements(f *testing.F) {
	f.Add("feat(x)!: add y", "BREAKING CHANGE: z", "v1.2.0")
	f.Add("fix: \xff\xfe", "This reverts commit aaaaaaa", "a/v1.\x1b2")
	f.Add("Limits", "BREAKING-CHANGE: critical", "@")
	f.Add("feat: é", "Refs:", "")
	f.Fuzz(func(t *testing.T, subject, body, tag string) {
		all := garden.Achievements([]garden.Commit{commit(subject, body, tag)}, ada)
		if len(all) > 1 {
			t.Fatalf("%d achievements of one commit", len(all))
		}
		for _, a := range all {
			if a.Key != hashOf("a") || a.Text == "" || len([]rune(a.Text)) > 400 {
				t.Errorf("key %q, text %q", a.Key, a.Text)
			}
			if strings.ContainsFunc(a.Text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
				t.Errorf("%q holds control characters", a.Text)
			}
			if a.Impact != "high" && a.Impact != "medium" && a.Impact != "low" {
				t.Errorf("impact %q", a.Impact)
			}
			for _, tag := range a.Tags {
				if tag == "" || len(tag) > 32 ||
					strings.Trim(tag, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
					t.Errorf("tag %q", tag)
				}
			}
		}
	})
}
