package rank_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/rank"
)

// rounds is how many random records each property is tried with.
const rounds = 4000

func presets() []rank.Preset {
	return []rank.Preset{rank.Unified, rank.Memento, rank.Lerim, rank.LTM, rank.None}
}

func dice() *rand.Rand { return rand.New(rand.NewPCG(6, 2026)) }

// anything is a record of any kind, with times of the past and of the future.
func anything(r *rand.Rand) rank.Subject {
	moment := func() time.Time {
		if r.IntN(3) == 0 {
			return time.Time{}
		}
		return ago(r.Float64()*800 - 30)
	}
	impacts := []string{"low", "medium", "high", "critical", "", "CRITICAL"}
	kinds := []string{"preference", "decision", "learning", "achievement", "fact", ""}
	return rank.Subject{
		Kind: kinds[r.IntN(len(kinds))], Impact: impacts[r.IntN(len(impacts))],
		Confidence: r.Float64(), Created: ago(r.Float64() * 800), Confirmed: moment(), Used: moment(),
		Uses: math.Floor(r.ExpFloat64() * 20), Shown: r.IntN(30), Locality: []float64{0, .6, .9, 1}[r.IntN(4)],
	}
}

// both are the two scores of a record.
func both(p rank.Preset, relevance float64, s rank.Subject, at time.Time) [2]float64 {
	return [2]float64{p.Found(relevance, s, at).Value, p.Standing(s, at).Value}
}

// SPEC.
func TestProperty_neverRisesWithAge(t *testing.T) {
	t.Parallel()
	r := dice()
	for range rounds {
		s, relevance := anything(r), r.Float64()
		s.Confidence = .1 + .9*s.Confidence // the published formula of Lerim raises what is below 0.1
		later := now().Add(time.Duration(r.Float64() * 1000 * float64(24*time.Hour)))
		for _, p := range presets() {
			before, after := both(p, relevance, s, now()), both(p, relevance, s, later)
			if after[0] > before[0] || after[1] > before[1] {
				t.Fatalf("%s: %+v weighs %v now and %v at %v", p, s, before, after, later)
			}
		}
		if rank.Strength(s, later) > rank.Strength(s, now()) || rank.Usage(s, later) > rank.Usage(s, now()) {
			t.Fatalf("%+v is stronger or more used at %v", s, later)
		}
	}
}

func TestProperty_bounded(t *testing.T) {
	t.Parallel()
	r := dice()
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 0, 1e300}
	floors := map[string]float64{"low": .05, "high": .1, "critical": 1}
	for range rounds {
		s, relevance := anything(r), r.Float64()*3-1
		if r.IntN(4) == 0 {
			s.Confidence, s.Uses, s.Locality, relevance = odd[r.IntN(6)], odd[r.IntN(6)], odd[r.IntN(6)], odd[r.IntN(6)]
		}
		for _, p := range presets() {
			for _, v := range both(p, relevance, s, now()) {
				if math.IsNaN(v) || v < 0 || v > 3 {
					t.Fatalf("%s: %+v with relevance %v weighs %v", p, s, relevance, v)
				}
			}
		}
		c, f := s.Confidence, .1
		if known, ok := floors[s.Impact]; ok {
			f = known
		}
		if got := rank.Strength(s, now()); c > 0 && c <= 1 && (got < min(c, f) || got > c) {
			t.Fatalf("strength of %+v is %v, outside of %v and %v", s, got, min(c, f), c)
		}
	}
}

// The value is what the factors say, it is the same each time, and the order
// of records does not depend on the order in which they are weighed.
func TestProperty_sameEachTimeAndInAnyOrder(t *testing.T) {
	t.Parallel()
	r := dice()
	records := make([]rank.Subject, 300)
	for i := range records {
		records[i] = anything(r)
	}
	for _, p := range presets() {
		weigh := func() []float64 {
			values := make([]float64, 0, len(records))
			for _, s := range records {
				values = append(values, p.Standing(s, now()).Value)
			}
			slices.Sort(values)
			return values
		}
		first := weigh()
		r.Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
		if d := cmp.Diff(first, weigh()); d != "" {
			t.Errorf("%s: another order (-first +second):\n%s", p, d)
		}
		for _, s := range records {
			if d := cmp.Diff(p.Found(.4, s, now()), p.Found(.4, s, now())); d != "" {
				t.Fatalf("%s: %+v weighed twice (-first +second):\n%s", p, s, d)
			}
		}
	}
	for _, s := range records {
		value := 1.0
		score := rank.Unified.Found(.4, s, now())
		for _, f := range score.Factors {
			value *= f.Value
		}
		if value != score.Value {
			t.Fatalf("%+v: the factors make %v, the value is %v", s, value, score.Value)
		}
	}
}

func TestProperty_futureIsNow(t *testing.T) {
	t.Parallel()
	r := dice()
	for range rounds {
		s := anything(r)
		s.Created, s.Confirmed, s.Used = now(), now(), now()
		ahead := s
		ahead.Created, ahead.Confirmed, ahead.Used = ago(-r.Float64()*900), ago(-r.Float64()*900), ago(-r.Float64()*900)
		for _, p := range presets() {
			if both(p, .5, s, now()) != both(p, .5, ahead, now()) {
				t.Fatalf("%s: %+v weighs other than %+v", p, ahead, s)
			}
		}
	}
}

// SPEC.
func TestProperty_relevanceWins(t *testing.T) {
	t.Parallel()
	r := dice()
	for range rounds {
		old, fresh := anything(r), anything(r)
		relevance := r.Float64()
		if rank.Unified.Found(relevance, old, now()).Value <= rank.Unified.Found(relevance/2.32, fresh, now()).Value && relevance > 0 {
			t.Fatalf("%+v is 2.32 times as relevant and does not rank above %+v", old, fresh)
		}
	}
	worst := rank.Subject{Impact: "low", Confidence: 1e-300, Created: ago(1e5), Shown: 1000}
	best := rank.Subject{Impact: "critical", Confidence: 1, Created: now(), Used: now(), Uses: 1e9}
	if rank.Unified.Found(1, worst, now()).Value <= rank.Unified.Found(1/2.32, best, now()).Value {
		t.Error("the worst record is 2.32 times as relevant and does not rank above the best")
	}
	if rank.Unified.Found(1, worst, now()).Value > rank.Unified.Found(1/2.31, best, now()).Value {
		t.Error("the bound is closer than the package says")
	}
}

// SPEC.
func TestProperty_shownNeverRaises(t *testing.T) {
	t.Parallel()
	r := dice()
	for range rounds {
		s := anything(r)
		more := s
		more.Shown += 1000
		for _, p := range presets() {
			before, after := both(p, .5, s, now()), both(p, .5, more, now())
			if after[0] > before[0] || after[1] > before[1] {
				t.Fatalf("%s: %+v weighs more after it was shown again", p, s)
			}
		}
	}
}

func TestAddUse(t *testing.T) {
	t.Parallel()
	if got := rank.AddUse(0, time.Time{}, now()); got != 1 {
		t.Errorf("the first use counts %v, want 1", got)
	}
	if got := rank.AddUse(8, ago(90), now()); !near(got, 5) {
		t.Errorf("a use 90 days after eight = %v, want 5", got)
	}
	s := rank.Subject{Created: ago(100), Uses: 3, Used: ago(10)}
	again := s
	again.Uses, again.Used = rank.AddUse(s.Uses, s.Used, now()), now()
	if rank.Usage(again, now()) <= rank.Usage(s, now()) {
		t.Error("a use does not raise a record")
	}
}
