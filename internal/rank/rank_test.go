package rank_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/rank"
)

// now is when the tests look.
func now() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// ago is so many days before now.
func ago(days float64) time.Time {
	return now().Add(-time.Duration(days * 24 * float64(time.Hour)))
}

// strength and usage are the first factors of a score.
func strength(s rank.Subject, at time.Time) float64 { return rank.Standing(s, at).Factors[0].Value }
func usage(s rank.Subject, at time.Time) float64    { return rank.Standing(s, at).Factors[1].Value }

// near says whether two values agree to four significant digits.
func near(got, want float64) bool {
	return math.Abs(got-want) <= 5e-4*math.Abs(want)
}

func TestGolden_strength(t *testing.T) {
	t.Parallel()
	days := []float64{0, 1, 7, 14, 30, 70, 90, 110, 146, 157, 365}
	tests := []struct {
		impact     string
		confidence float64
		want       []float64
	}{
		{"low", 1, []float64{1, 1, .5744, .3122, .1038, .0510, .0501, .0500, .0500, .0500, .0500}},
		{"low", 0.7, []float64{.7, .7, .4088, .2294, .0868, .0507, .0501, .0500, .0500, .0500, .0500}},
		{"medium", 1, []float64{1, 1, 1, .8061, .5056, .2014, .1507, .1253, .1073, .1050, .1000}},
		{"medium", 0.7, []float64{.7, .7, .7, .5708, .3704, .1676, .1338, .1169, .1049, .1033, .1000}},
		{"high", 1, []float64{1, 1, 1, 1, 1, .5500, .4182, .3250, .2206, .1996, .1027}},
		{"high", 0.7, []float64{.7, .7, .7, .7, .7, .4000, .3121, .2500, .1804, .1664, .1018}},
		{"critical", 1, []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
		{"critical", 0.7, []float64{.7, .7, .7, .7, .7, .7, .7, .7, .7, .7, .7}},
		{"high", 0.05, []float64{.05, .05, .05, .05, .05, .05, .05, .05, .05, .05, .05}},
	}
	for _, tt := range tests {
		for i, d := range days {
			s := rank.Subject{Impact: tt.impact, Confidence: tt.confidence, Created: ago(d)}
			if got := strength(s, now()); math.Abs(got-tt.want[i]) > 5e-5 {
				t.Errorf("%s, confidence %v, %v days: %v, want %v", tt.impact, tt.confidence, d, got,
					tt.want[i])
			}
		}
	}
}

// SPEC.
func TestStanding(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		s    rank.Subject
		want float64
	}{
		{"new", rank.Subject{Created: now()}, 0.7},
		{"medium, two weeks", rank.Subject{Created: ago(14)}, 0.5708},
		{
			"low, two weeks, elsewhere",
			rank.Subject{Impact: "low", Created: ago(14), Locality: rank.LocalityElsewhere},
			0.1376,
		},
		{
			"high, 70 days, an ancestor",
			rank.Subject{Impact: "high", Created: ago(70), Locality: rank.LocalityAncestor},
			0.36,
		},
		{"confirmed of late", rank.Subject{Created: ago(400), Confirmed: ago(3)}, 0.7},
		{"used once now", rank.Subject{Created: ago(400), Used: now(), Uses: 1}, 1.365},
		{"used 100 times now: the cap", rank.Subject{Created: ago(400), Used: now(), Uses: 100}, 2.1},
		{
			"used three times 90 days ago",
			rank.Subject{Impact: "critical", Created: ago(400), Used: ago(90), Uses: 3},
			0.9776,
		},
	}
	for _, tt := range tests {
		if got := rank.Standing(tt.s, now()).Value; !near(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// SPEC.
func TestConfidence(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		got, want float64
	}{
		{"low", rank.Prior("low"), .4},
		{"medium", rank.Prior("medium"), .7},
		{"high", rank.Prior("high"), .9},
		{"not said", rank.Prior(""), .7},
		{"confirmed", rank.Confirm(.7), .745},
		{"confirmed twice", rank.Confirm(rank.Confirm(.7)), .78325},
		{"confirmed where none was said", rank.Confirm(0), .745},
		{"confirmed at the top", rank.Confirm(1), 1},
		{"contradicted", rank.Contradict(.9), .45},
		{"contradicted twice", rank.Contradict(rank.Contradict(.9)), .225},
		{"what it cites changed", rank.Outdated(.9), .63},
		{"nonsense", rank.Confirm(math.NaN()), .745},
		{"too much", rank.Contradict(7), .5},
	}
	for _, tt := range tests {
		if math.Abs(tt.got-tt.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", tt.name, tt.got, tt.want)
		}
	}
}

func TestDefaultImpact(t *testing.T) {
	t.Parallel()
	words := map[string]string{
		"decision": "high", "method": "high", "procedure": "high", "pitfall": "high", "preference": "high",
		"reference": "high", "constraint": "high", "skip": "high", "identity": "high",
		"learning": "medium", "question": "medium", "fact": "medium", "task": "medium", "goal": "medium",
		"next_step": "medium", "criterion": "medium", "attempt": "medium", "": "medium", "critical": "medium",
		"mustard":     "medium",
		"achievement": "low",
	}
	for kind, want := range words {
		if got := rank.DefaultImpact(rank.Nature{Kind: kind}); got != want {
			t.Errorf("impact of %q = %q, want %q", kind, got, want)
		}
	}
	if got := rank.DefaultImpact(rank.Nature{Kind: "attempt", Failed: true}); got != rank.High {
		t.Errorf("impact of a failed attempt = %q, want high", got)
	}
	if got := rank.DefaultImpact(rank.Nature{Kind: "task", Locked: true}); got != rank.High {
		t.Errorf("impact of what is locked = %q, want high", got)
	}
}

func TestScore_explains(t *testing.T) {
	t.Parallel()
	s := rank.Subject{Impact: "medium", Created: ago(12), Locality: rank.LocalityElsewhere}
	var lines []string
	for _, f := range rank.Standing(s, now()).Factors {
		lines = append(lines, fmt.Sprintf("%s %.2f: %s", f.Name, f.Value, f.Why))
	}
	want := []string{
		"strength 0.60: medium impact, written 12 days ago: 0.6 is left of a confidence of 0.7",
		"use 1.00: never used",
		"locality 0.60: from a branch that is not merged here, or about another folder",
	}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("explained as\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}
