package conformance_test

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// A reference answers as git ltm does. It answers a question by the code that a command would run: of records that lie
// in a repository it makes one.
type reference struct{ t testing.TB }

func newReference(t testing.TB) reference { return reference{t} }

// An ask is a question in any class; testdata/conformance/README.md says which members it has.
type ask map[string]any

func (a ask) text(name string) string { s, _ := a[name].(string); return s }

func (a ask) texts(name string) (all []string) {
	items, _ := a[name].([]any)
	for _, item := range items {
		s, _ := item.(string)
		all = append(all, s)
	}
	return all
}

func (a ask) bytes(name string) []byte { return decoded(a.text(name)) }

func decoded(text string) []byte { data, _ := base64.StdEncoding.DecodeString(text); return data }

func (r reference) answerAll(_ string, asked []vector) (all []map[string]any, err error) {
	r.t.Helper()
	for _, v := range asked {
		all = append(all, r.answer(v.Ask))
	}
	return all, nil
}

func (r reference) answer(a ask) map[string]any {
	r.t.Helper()
	switch a.text("op") {
	case "ref":
		return map[string]any{"ref": refOf(a.text("ref"))}
	case "scan":
		return map[string]any{"secret": len(redact.ScanText(strings.Join(a.texts("pieces"), ""))) > 0}
	case "archive":
		return map[string]any{"ref": r.archive(a)}
	case "replay":
		return map[string]any{"state": r.replay(a)}
	case "verify":
		return map[string]any{"standing": r.standing(a)}
	}
	record, err := packet.Parse(a.bytes("text"), packet.Stored)
	if invalid, ok := errors.AsType[*packet.InvalidError](err); ok {
		var places []string
		for _, p := range invalid.Problems {
			places = append(places, p.Path)
		}
		slices.Sort(places)
		return map[string]any{"accepted": false, "problems": slices.Compact(places)}
	}
	answer := map[string]any{"accepted": true}
	switch a.text("op") {
	case "read":
		places := []string{}
		for _, item := range record.Content().Items {
			places = append(places, item.Place)
		}
		slices.Sort(places)
		answer["items"], answer["kind"] = places, string(record.Kind())
	case "write":
		answer["text"] = base64.StdEncoding.EncodeToString(record.Encode())
		if id, err := packet.ParseID(record.OwnID()); err == nil {
			answer["id"] = string(id)
		} else {
			answer["id"] = string(packet.DeriveID(record.OwnID(), record.Content().CreatedAt))
		}
	case "as-0.2":
		old, _ := record.Downgrade()
		answer["text"] = base64.StdEncoding.EncodeToString(old.Encode())
	}
	return answer
}

func refOf(ref string) any {
	read, ok := refs.ParseRef(ref)
	remote, name := read.Remote, read.Name
	if !ok || !slices.Contains([]refs.Kind{refs.Packets, refs.Notes, refs.Skips, refs.Events}, name.Kind) {
		return nil
	}
	return map[string]any{"kind": strings.TrimSuffix(string(name.Kind), "s"), "id": string(name.ID), "remote": remote}
}

// store puts blobs, or tags with their blobs, below refs of a new repository.
func (r reference) store(entries map[string][2][]byte) *gittest.Repository {
	r.t.Helper()
	repo := gittest.Repo(r.t, gittest.Plain)
	folder := r.t.TempDir()
	var paths, moves strings.Builder
	names := slices.Sorted(maps.Keys(entries))
	for i, ref := range names {
		file := filepath.Join(folder, strconv.Itoa(i))
		if err := os.WriteFile(file, entries[ref][0], 0o600); err != nil {
			r.t.Fatal(err)
		}
		paths.WriteString(file + "\n")
	}
	for i, object := range strings.Fields(repo.Feed(paths.String(), "hash-object", "-w", "--stdin-paths")) {
		if tag := entries[names[i]][1]; tag != nil {
			object = strings.TrimSpace(repo.Feed(string(tag), "hash-object", "-w", "--literally", "-t", "tag", "--stdin"))
		}
		fmt.Fprintf(&moves, "update %s %s\n", names[i], object)
	}
	repo.Feed(moves.String(), "update-ref", "--stdin")
	return repo
}

func (r reference) open(repo *gittest.Repository, now string) *memory.Memory {
	r.t.Helper()
	m, err := memory.Open(r.t.Context(), memory.Options{
		Dir: repo.Dir, Env: repo.Env, Entropy: rand.Reader,
		Now: func() time.Time { at, _ := time.Parse(time.RFC3339, now); return at },
	})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = m.Close() })
	return m
}

// listed are the records of a memory, hidden ones too.
func (r reference) listed(m *memory.Memory) (all []replay.Entry) {
	r.t.Helper()
	for _, kind := range []packet.Kind{packet.KindPacket, packet.KindNote, packet.KindSkip} {
		for e, err := range m.List(r.t.Context(), replay.Query{Kind: kind, Hidden: true}) {
			if err != nil {
				r.t.Fatal(err)
			}
			all = append(all, e)
		}
	}
	return all
}

func (r reference) replay(a ask) map[string]any {
	r.t.Helper()
	entries := map[string][2][]byte{}
	for _, text := range a.texts("records") {
		record, err := packet.Parse(decoded(text), packet.Stored)
		if err != nil {
			r.t.Fatal(err)
		}
		entries["refs/ltm/"+string(record.Kind())+"s/"+record.OwnID()] = [2][]byte{decoded(text)}
	}
	all := map[string]any{}
	for _, e := range r.listed(r.open(r.store(entries), a.text("now"))) {
		all[string(e.ID)] = stateOf(e)
	}
	return all
}

// stateOf says what became of a record, as the README of the vectors has it.
func stateOf(e replay.Entry) map[string]any {
	shown, _ := e.Open(replay.Inspected)
	life, content := e.Life, shown.Record().Content()
	prior := map[string]float64{"low": 0.4, "high": 0.9}[content.Confidence]
	if prior == 0 {
		prior = 0.7
	}
	state := map[string]any{"confidence": strconv.FormatFloat(life.Confidence(prior), 'f', 6, 64)}
	for name, so := range map[string]bool{
		"retracted": life.Retracted, "archived": life.Archived, "closed": life.Closed, "expired": life.Expired,
		"contradicted": life.Contradicted,
	} {
		if so {
			state[name] = true
		}
	}
	for name, text := range map[string]string{
		"superseded_by": string(life.Superseded), "consolidated_by": string(life.Consolidated), "impact": life.Impact,
		"digest": asked(life.Digest),
	} {
		if text != "" {
			state[name] = text
		}
	}
	var links []string
	for _, link := range life.Links {
		links = append(links, strings.TrimSpace(string(link.ID)+" "+asked(link.Label)))
	}
	if links != nil {
		state["links"] = links
	}
	if content.Kind == packet.KindNote && shown.Note().Kind == packet.NoteTask {
		t, task := shown.Task(), map[string]string{}
		for name, value := range map[string]string{
			"status": t.Status, "category": t.Category, "next_action": asked(shown.NextAction()),
			"priority": strconv.Itoa(t.Priority),
		} {
			if name == "status" && value == "" {
				value = "active"
			}
			if value != "" && value != "0" {
				task[name] = value
			}
		}
		state["task"] = task
	}
	return state
}

func asked(t provenance.Text) string { text, _ := t.For(replay.Asked); return text }

func (r reference) standing(a ask) string {
	r.t.Helper()
	var tag []byte
	if a.text("tag") != "" {
		tag = a.bytes("tag")
	}
	repo := r.store(map[string][2][]byte{a.text("ref"): {a.bytes("blob"), tag}})
	folder := r.t.TempDir()
	for setting, name := range map[string]string{
		"gpg.ssh.allowedSignersFile": "signers", "gpg.ssh.revocationFile": "revoked",
	} {
		if text := a.text(name); text != "" {
			file := filepath.Join(folder, name)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				r.t.Fatal(err)
			}
			repo.Git("config", setting, file)
		}
	}
	for _, store := range a.texts("stores") {
		repo.Git("config", "--add", "ltm.store", store)
	}
	if keyring := a.text("keyring"); keyring != "" {
		list := filepath.Join(r.home(repo), "xdg", "ltm")
		if err := errors.Join(os.MkdirAll(list, 0o700),
			os.WriteFile(filepath.Join(list, "keyring"), []byte(keyring), 0o600)); err != nil {
			r.t.Fatal(err)
		}
	}
	for _, e := range r.listed(r.open(repo, a.text("now"))) {
		return string(e.Verdict.Standing)
	}
	return "bad" // What is bad is not listed.
}

func (r reference) home(repo *gittest.Repository) string {
	r.t.Helper()
	for _, pair := range repo.Env {
		if home, ok := strings.CutPrefix(pair, "HOME="); ok {
			return home
		}
	}
	r.t.Fatal("no home")
	return ""
}

func (r reference) archive(a ask) string {
	r.t.Helper()
	entries := map[string][2][]byte{}
	items, _ := a["entries"].([]any)
	for _, item := range items {
		entry, _ := item.(map[string]any)
		var tag []byte
		if text := ask(entry).text("tag"); text != "" {
			tag = decoded(text)
		}
		entries[ask(entry).text("ref")] = [2][]byte{ask(entry).bytes("blob"), tag}
	}
	made := r.store(entries)
	repo, err := git.Find(r.t.Context(), made.Dir, made.Env)
	if err != nil {
		r.t.Fatal(err)
	}
	s := refs.Open(repo)
	defer s.Close()
	var all []refs.Ref
	for _, kind := range []refs.Kind{refs.Packets, refs.Notes, refs.Skips, refs.Events} {
		for ref, err := range s.List(r.t.Context(), refs.Query{Kind: kind}) {
			if err != nil {
				r.t.Fatal(err)
			}
			all = append(all, ref)
		}
	}
	if _, err := s.Archives.Compact(r.t.Context(), all); err != nil {
		r.t.Fatal(err)
	}
	archives, err := s.Archives.ListLocal(r.t.Context())
	if err != nil || len(archives) != 1 {
		r.t.Fatalf("made %v: %v", archives, err)
	}
	return archives[0].Ref()
}
