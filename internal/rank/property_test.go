package rank_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/rank"
)

// rounds is how many random records each property is tried with.
const rounds = 4000

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
	return rank.Subject{
		Impact:     impacts[r.IntN(len(impacts))],
		Confidence: r.Float64(), Created: ago(r.Float64() * 800), Confirmed: moment(), Used: moment(),
		Uses: math.Floor(r.ExpFloat64() * 20), Locality: []float64{0, .6, .9, 1}[r.IntN(4)],
	}
}

// SPEC.
func TestProperty_neverRisesWithAge(t *testing.T) {
	t.Parallel()
	r := dice()
	for range rounds {
		s := anything(r)
		later := now().Add(time.Duration(r.Float64() * 1000 * float64(24*time.Hour)))
		if before, after := rank.Standing(s, now()), rank.Standing(s, later); after.Value > before.Value {
			t.Fatalf("%+v weighs %v now and %v at %v", s, before, after, later)
		}
		if strength(s, later) > strength(s, now()) || usage(s, later) > usage(s, now()) {
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
		s := anything(r)
		if r.IntN(4) == 0 {
			s.Confidence, s.Uses, s.Locality = odd[r.IntN(6)], odd[r.IntN(6)], odd[r.IntN(6)]
		}
		if v := rank.Standing(s, now()).Value; math.IsNaN(v) || v < 0 || v > 3 {
			t.Fatalf("%+v weighs %v", s, v)
		}
		c, f := s.Confidence, .1
		if known, ok := floors[s.Impact]; ok {
			f = known
		}
		if got := strength(s, now()); c > 0 && c <= 1 && (got < min(c, f) || got > c) {
			t.Fatalf("strength of %+v is %v, outside of %v and %v", s, got, min(c, f), c)
		}
	}
}

// The value is what the factors say, and it is the same each time.
func TestProperty_sameEachTime(t *testing.T) {
	t.Parallel()
	r := dice()
	for range rounds {
		s := anything(r)
		value, score := 1.0, rank.Standing(s, now())
		for _, f := range score.Factors {
			value *= f.Value
		}
		if value != score.Value {
			t.Fatalf("%+v: the factors make %v, the value is %v", s, value, score.Value)
		}
		if d := cmp.Diff(score, rank.Standing(s, now())); d != "" {
			t.Fatalf("%+v weighed twice (-first +second):\n%s", s, d)
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
		ahead.Created, ahead.Confirmed, ahead.Used = ago(-r.Float64()*900), ago(-r.Float64()*900),
			ago(-r.Float64()*900)
		if rank.Standing(s, now()).Value != rank.Standing(ahead, now()).Value {
			t.Fatalf("%+v weighs other than %+v", ahead, s)
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
	if usage(again, now()) <= usage(s, now()) {
		t.Error("a use does not raise a record")
	}
}
