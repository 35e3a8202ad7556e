package rank_test

import (
	"errors"
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

// near says whether two values agree to four significant digits.
func near(got, want float64) bool {
	return math.Abs(got-want) <= 5e-4*math.Abs(want)
}

func TestParsePreset(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"unified", "memento", "lerim", "ltm", "none"} {
		if p, err := rank.ParsePreset(word); err != nil || string(p) != word {
			t.Errorf("ParsePreset(%q) = %q, %v", word, p, err)
		}
	}
	if p, err := rank.ParsePreset(""); err != nil || p != rank.Unified {
		t.Errorf("ParsePreset of nothing = %q, %v, want unified", p, err)
	}
	_, err := rank.ParsePreset("Unified")
	wrong, ok := errors.AsType[*rank.PresetError](err)
	if !ok || wrong.Word != "Unified" || !strings.Contains(err.Error(), "unified, memento, lerim, ltm or none") {
		t.Errorf("ParsePreset(%q) = %v, want an error that lists the words", "Unified", err)
	}
}

// The published values: days, Memento never used, Lerim as documented and as prompted, both from 0.85.
func TestGolden_published(t *testing.T) {
	t.Parallel()
	tests := []struct{ days, memento, documented, prompted float64 }{
		{0, 1, 0.85, 0.85},
		{7, 0.5, 0.85, 0.8169},
		{29, 0.05661, 0.85, 0.7131},
		{30, 0.05127, 0.7083, 0.7083},
		{60, 0.002629, 0.5667, 0.5667},
		{90, 1.348e-4, 0.425, 0.425},
		{138, 1.163e-6, 0.1983, 0.1983},
		{180, 1.816e-8, 0.1, 0.085},
		{365, 2.011e-16, 0.1, 0.085},
	}
	for _, tt := range tests {
		s := rank.Subject{Created: ago(tt.days), Confidence: 0.85}
		if got := rank.Memento.Standing(s, now()).Value; !near(got, tt.memento) {
			t.Errorf("memento after %v days = %v, want %v", tt.days, got, tt.memento)
		}
		if got := rank.Lerim.Standing(s, now()).Value; !near(got, tt.documented) {
			t.Errorf("lerim after %v days = %v, want %v", tt.days, got, tt.documented)
		}
		if got := rank.LerimPrompted(0.85, tt.days); !near(got, tt.prompted) {
			t.Errorf("LerimPrompted after %v days = %v, want %v", tt.days, got, tt.prompted)
		}
	}
}

// Both forms of Lerim archive, below 0.2, on the same day.
func TestGolden_lerimArchive(t *testing.T) {
	t.Parallel()
	for c, want := range map[float64]int{0.3: 61, 0.5: 109, 0.7: 129, 0.85: 138, 1: 144} {
		for name, left := range map[string]func(c, days float64) float64{"documented": rank.LerimDocumented, "prompted": rank.LerimPrompted} {
			day := 0
			for left(c, float64(day)) >= 0.2 {
				day++
			}
			if day != want {
				t.Errorf("%s from %v: below 0.2 on day %d, want %d", name, c, day, want)
			}
		}
	}
	if got := rank.LerimDocumented(0.05, 30); got != 0.1 {
		t.Errorf("LerimDocumented(0.05, 30) = %v, want the published 0.1", got)
	}
}

func TestGolden_memento(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name            string
		relevance, days float64
		uses, usedDays  float64
		used            bool
		want            float64
	}{
		{"old truth, all terms, used 100 times and today", 1, 60, 100, 0, true, 0.007886},
		{"new, one term of four", 0.25, 0, 0, 0, false, 0.25},
		{"no term at all", 0, 0, 100, 0, true, 0},
		{"used once now", 1, 0, 1, 0, true, 1.95},
		{"used once two days ago", 1, 0, 1, 2, true, 1.625},
		{"used three times a day ago", 0.5, 7, 3, 1, true, 0.5414},
		{"used ten times, the cap", 1, 0, 10, 4, true, 2.25},
		{"used a thousand times, the cap", 1, 0, 1000, 4, true, 2.25},
	}
	for _, tt := range tests {
		s := rank.Subject{Created: ago(tt.days), Uses: tt.uses}
		if tt.used {
			s.Used = ago(tt.usedDays)
		}
		if got := rank.Memento.Found(tt.relevance, s, now()).Value; got != tt.want && !near(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
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
			if got := rank.Strength(s, now()); math.Abs(got-tt.want[i]) > 5e-5 {
				t.Errorf("%s, confidence %v, %v days: %v, want %v", tt.impact, tt.confidence, d, got, tt.want[i])
			}
		}
	}
}

// The first whole day on which a record belongs into the archive.
func TestArchivable(t *testing.T) {
	t.Parallel()
	tests := []struct {
		impact     string
		confidence float64
		want       int // 0: never
	}{
		{"low", .5, 13},
		{"low", 1, 20},
		{"medium", .7, 59},
		{"medium", 1, 71},
		{"high", .5, 111},
		{"high", .85, 147},
		{"high", 1, 157},
		{"critical", .7, 0},
		{"critical", 1, 0},
	}
	for _, tt := range tests {
		day := 0
		for d := 1; d <= 3000 && day == 0; d++ {
			if rank.Archivable(rank.Subject{Impact: tt.impact, Confidence: tt.confidence, Created: ago(float64(d))}, now()) {
				day = d
			}
		}
		if day != tt.want {
			t.Errorf("%s, confidence %v: archivable on day %d, want %d", tt.impact, tt.confidence, day, tt.want)
		}
	}
}

// SPEC.
func TestGolden_unified(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name            string
		s               rank.Subject
		relevance       float64
		found, standing float64
	}{
		{"new", rank.Subject{Created: now()}, 1, 0.88, 0.7},
		{"half as relevant", rank.Subject{Created: now()}, 0.5, 0.44, 0.7},
		{"medium, two weeks", rank.Subject{Created: ago(14)}, 1, 0.8283, 0.5708},
		{"low, two weeks, elsewhere", rank.Subject{Impact: "low", Created: ago(14), Locality: rank.LocalityElsewhere}, 1, 0.6917, 0.1376},
		{"high, 70 days, an ancestor", rank.Subject{Impact: "high", Created: ago(70), Locality: rank.LocalityAncestor}, 1, 0.76, 0.36},
		{"confirmed of late", rank.Subject{Created: ago(400), Confirmed: ago(3)}, 1, 0.88, 0.7},
		{"used once now", rank.Subject{Created: ago(400), Used: now(), Uses: 1}, 1, 1.089, 1.365},
		{"used 100 times now: the cap", rank.Subject{Created: ago(400), Used: now(), Uses: 100}, 1, 1.1, 2.1},
		{"used three times 90 days ago", rank.Subject{Impact: "critical", Created: ago(400), Used: ago(90), Uses: 3}, 1, 0.9673, 0.9776},
		{"shown ten times, never used", rank.Subject{Created: now(), Shown: 10}, 1, 0.792, 0.63},
		{"shown nine times", rank.Subject{Created: now(), Shown: 9}, 1, 0.88, 0.7},
		{"shown often, used once", rank.Subject{Created: now(), Shown: 99, Uses: 1, Used: ago(1e4)}, 1, 0.88, 0.7},
	}
	for _, tt := range tests {
		if got := rank.Unified.Found(tt.relevance, tt.s, now()).Value; !near(got, tt.found) {
			t.Errorf("%s: found %v, want %v", tt.name, got, tt.found)
		}
		if got := rank.Unified.Standing(tt.s, now()).Value; !near(got, tt.standing) {
			t.Errorf("%s: standing %v, want %v", tt.name, got, tt.standing)
		}
	}
}

func TestLTM_order(t *testing.T) {
	t.Parallel()
	order := []rank.Subject{
		{Impact: "critical", Kind: "fact", Created: ago(3000)},
		{Impact: "high", Kind: "preference", Created: ago(2000)},
		{Impact: "high", Kind: "decision", Created: now()},
		{Impact: "high", Kind: "decision", Created: ago(1)},
		{Impact: "high", Kind: "learning", Created: ago(5)},
		{Impact: "high", Kind: "achievement", Created: now()},
		{Impact: "medium", Kind: "preference", Created: now()},
		{Kind: "procedure", Created: now()}, // no impact said: medium
		{Impact: "low", Kind: "preference", Created: now()},
	}
	for i := 1; i < len(order); i++ {
		before, after := rank.LTM.Standing(order[i-1], now()), rank.LTM.Standing(order[i], now())
		if before.Value <= after.Value {
			t.Errorf("%+v (%v) does not come before %+v (%v)", order[i-1], before.Value, order[i], after.Value)
		}
	}
	newer, older := rank.Subject{Impact: "low", Created: ago(1)}, rank.Subject{Impact: "critical", Created: ago(2)}
	if rank.LTM.Found(0.1, newer, now()).Value <= rank.LTM.Found(1, older, now()).Value {
		t.Error("what was asked for does not come newest first")
	}
	if got := rank.LTM.Found(0, newer, now()).Value; got != 0 {
		t.Errorf("a record without the words asked for weighs %v", got)
	}
}

func TestLTMDue(t *testing.T) {
	t.Parallel()
	for impact, threshold := range map[string]float64{"low": 1, "medium": 7, "": 7, "high": 30} {
		if rank.LTMDue(impact, ago(threshold), now()) || !rank.LTMDue(impact, ago(threshold+.01), now()) {
			t.Errorf("impact %q is not due after %v days", impact, threshold)
		}
	}
	if rank.LTMDue("critical", ago(1e5), now()) {
		t.Error("a critical memory is due")
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
		"next_step": "medium", "criterion": "medium", "attempt": "medium", "": "medium", "critical": "medium", "mustard": "medium",
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
	s := rank.Subject{Impact: "medium", Created: ago(12), Shown: 12, Locality: rank.LocalityElsewhere}
	var lines []string
	for _, f := range rank.Unified.Standing(s, now()).Factors {
		lines = append(lines, fmt.Sprintf("%s %.2f: %s", f.Name, f.Value, f.Why))
	}
	want := []string{
		"strength 0.60: medium impact, written 12 days ago: 0.6 is left of a confidence of 0.7",
		"use 1.00: never used",
		"locality 0.60: from a branch that is not merged here",
		"ignored 0.90: shown 12 times and never used",
	}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("explained as\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}
