package session_test

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
)

// siteRecord is a record of the test set. Its state is empty where this clone made it and nothing became of
// it.
type siteRecord struct {
	Name   string         `json:"name"`
	State  string         `json:"state"` // expired, retracted, superseded, or remote
	By     string         `json:"by"`    // what takes its place
	Record map[string]any `json:"record"`
}

// site is a repository whose memory holds the records of the test set.
type site struct {
	repo   *gittest.Repository
	memory *memory.Memory
	asks   *recall.Recall
	names  map[packet.ID]string
	ids    map[string]packet.ID
}

// siteAge is how old the records are, and siteLife how long a skip lasts.
const (
	siteAge  = 40 * 24 * time.Hour
	siteLife = 300 * 24 * time.Hour
)

// newSite stores the records of the test set.
func newSite(t *testing.T) *site {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "actionsite", "records.json"))
	if err != nil {
		t.Fatal(err)
	}
	var records []siteRecord
	if err := json.Unmarshal(data, &records); err != nil {
		t.Fatal(err)
	}
	s := &site{
		repo: gittest.Repo(t, gittest.Plain), names: map[packet.ID]string{},
		ids: map[string]packet.ID{},
	}
	now := time.Now()
	for i, r := range records {
		id := s.keep(t, r, now.Add(-siteAge), i)
		s.names[id], s.ids[r.Name] = r.Name, id
	}
	for _, r := range records {
		s.happen(t, r, now.Add(-siteAge/2))
	}
	s.memory = s.open(t, now)
	s.asks = recall.Open(t.Context(), s.memory, recall.Options{Now: func() time.Time { return now }})
	t.Cleanup(func() {
		if err := s.asks.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// open opens the memory as of a time.
func (s *site) open(t *testing.T, at time.Time) *memory.Memory {
	t.Helper()
	m, err := memory.Open(t.Context(), memory.Options{
		Dir: s.repo.Dir, Env: s.repo.Env, Now: func() time.Time { return at }, Entropy: rand.Reader,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

// keep stores a record as its state says.
func (s *site) keep(t *testing.T, r siteRecord, at time.Time, n int) packet.ID {
	t.Helper()
	record := maps.Clone(r.Record)
	if record["type"] == "skip" {
		life := siteLife
		if r.State == "expired" {
			life = siteAge / 4
		}
		record["expires_at"] = at.Add(life).UTC().Format(time.RFC3339)
	}
	if r.State == "remote" {
		return s.plant(t, record, at, n)
	}
	data, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	var receipt gate.Receipt
	if record["type"] == "skip" {
		receipt, err = s.open(t, at).SaveSmall(t.Context(), gate.SaveRequest{Data: data})
	} else {
		receipt, err = s.open(t, at).Save(t.Context(), gate.SaveRequest{Data: data})
	}
	if err != nil {
		t.Fatalf("%s: %v", r.Name, err)
	}
	return receipt.ID
}

// plant stores a record as it comes from a remote: past the gate, and nobody vouches for it.
func (s *site) plant(t *testing.T, record map[string]any, at time.Time, n int) packet.ID {
	t.Helper()
	id := fmt.Sprintf("01ARZ3NDEKTSV4RRFFQ%07d", n)
	record["id"], record["created_at"] = id, at.UTC().Format(time.RFC3339)
	folder := "skips/"
	if record["type"] != "skip" {
		record["ltm_version"], folder = "0.3", "packets/"
	}
	data, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	s.repo.Git("update-ref", "refs/ltm/"+folder+id, s.repo.Feed(string(data), "hash-object", "-w", "--stdin"))
	return packet.ID(id)
}

// happen stores what became of a record.
func (s *site) happen(t *testing.T, r siteRecord, at time.Time) {
	t.Helper()
	h := gate.Happen{Targets: []string{string(s.ids[r.Name])}, Why: "It was so"}
	switch r.State {
	case "retracted":
		h.Event = "retract"
	case "superseded":
		h.Event, h.By = "supersede", []string{string(s.ids[r.By])}
	default:
		return
	}
	if _, err := s.open(t, at).Happen(t.Context(), h); err != nil {
		t.Fatalf("%s: %v", r.Name, err)
	}
}

// place names what a warning tells of, as the calls do: a skip by its name, an attempt with its place.
func (s *site) place(end recall.DeadEnd) string {
	name := s.names[end.Entry.ID]
	if end.Item.Kind == packet.ItemSkip {
		return name
	}
	return name + end.Item.Place
}
