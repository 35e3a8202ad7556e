package reply

import (
	"context"
	"net/url"
	"time"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// soon is how near an expiry must be to be told.
const soon = 7 * 24 * time.Hour

// SmallCounted is how many notes, and how many skips, a state counts.
const SmallCounted = 1000

// State is the JSON shape of where a memory stands, as far as its clone knows.
type State struct {
	Branch  string        `json:"branch"`
	Head    string        `json:"head"`
	Packets memory.Counts `json:"packets"`
	Small   SmallCounts   `json:"small"`
	Remote  *Exchange     `json:"remote"`
	Unasked memory.Heard  `json:"unasked"` // of what lists show, how much reaches a session that nobody asked for it
	Records int           `json:"records"` // of this clone, of every kind
	Broken  []Broken      `json:"broken"`
	Stray   []string      `json:"stray"`
}

// SmallCounts are the notes and skips that lists show, of the newest 1,000 of each.
type SmallCounts struct {
	Notes int `json:"notes"`
	Tasks int `json:"open_tasks"` // of the notes, the tasks that are neither completed nor archived
	Skips int `json:"skips"`
}

// Exchange is the JSON shape of the remote that memory goes to, and of what the last exchange saw there.
type Exchange struct {
	Name     string `json:"name"`
	URL      string `json:"url"`
	Tracked  bool   `json:"tracked"`
	Unpushed int    `json:"unpushed"`
	NotHere  int    `json:"read_from_remote"`
}

// Broken is the JSON shape of a ref whose record cannot be read.
type Broken struct {
	Ref    string `json:"ref"`
	Reason string `json:"reason"`
}

// StateOf says where a memory stands; its remote is the caller's.
func StateOf(ctx context.Context, m *memory.Memory, rules *scan.Rules) (State, error) {
	s := State{Branch: Printable(rules, m.Repo().Head.Branch), Broken: []Broken{}, Stray: []string{}}
	head, err := m.Head(ctx)
	if err != nil {
		return State{}, err
	}
	s.Head = string(head)
	if s.Packets, err = m.Count(ctx, soon); err != nil {
		return State{}, err
	}
	s.Unasked = s.Packets.Heard
	if s.Small, err = countSmall(ctx, m, &s.Unasked); err != nil {
		return State{}, err
	}
	if s.Records, err = m.Held(ctx); err != nil {
		return State{}, err
	}
	broken, stray, err := m.Inspect(ctx)
	if err != nil {
		return State{}, err
	}
	for _, b := range broken {
		s.Broken = append(s.Broken, Broken{Printable(rules, b.Ref), Printable(rules, b.Err.Error())})
	}
	for _, name := range stray {
		s.Stray = append(s.Stray, Printable(rules, name))
	}
	return s, nil
}

func countSmall(ctx context.Context, m *memory.Memory, heard *memory.Heard) (c SmallCounts, err error) {
	for entry, err := range m.List(ctx, memory.Query{Kind: packet.KindNote}) {
		if err != nil {
			return c, err
		}
		heard.Hear(entry)
		c.Notes++
		if shown, _ := entry.Open(memory.Asked); isOpenTask(shown) {
			c.Tasks++
		}
		if c.Notes == SmallCounted {
			heard.More = true
			break
		}
	}
	for entry, err := range m.List(ctx, memory.Query{Kind: packet.KindSkip}) {
		if err != nil {
			return c, err
		}
		heard.Hear(entry)
		if c.Skips++; c.Skips == SmallCounted {
			heard.More = true
			break
		}
	}
	return c, nil
}

// isOpenTask tells whether a note is a task that is still to be done.
func isOpenTask(entry memory.Shown) bool {
	status := TaskStatus(entry)
	return entry.Note().Kind == packet.NoteTask && status != "completed" && status != "archived"
}

// Address is the address of a remote without what it may hold to log in.
func Address(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		address = u.Scheme + "://" + u.Host + u.Path // Not escaped: a secret would be hidden by that.
	}
	return address
}
