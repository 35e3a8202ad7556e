package reply

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// State is the JSON shape of where a memory stands, as far as its clone knows.
type State struct {
	Branch  string       `json:"branch"`
	Head    string       `json:"head"`
	Packets PacketCounts `json:"packets"`
	Small   SmallCounts  `json:"small"`
	Remote  *Exchange    `json:"remote"`
	// of packets, notes and skips, how many reach a session that nobody asked for them
	Unasked replay.Heard `json:"unasked"`
	Records int          `json:"records"` // of this clone, of every kind
	Broken  []Broken     `json:"broken"`
}

// PacketCounts are the packets that are known here, whatever became of them.
type PacketCounts struct {
	All     int `json:"all"`
	Fetched int `json:"fetched"` // held by a remote alone
	Private int `json:"private"` // of this clone alone
}

// SmallCounts are the notes and skips, whatever became of them.
type SmallCounts struct {
	Notes int `json:"notes"`
	Tasks int `json:"open_tasks"` // of the newest 50 tasks, those that are neither completed nor archived
	Skips int `json:"skips"`

	Events int `json:"events"`
}

// Exchange is the JSON shape of the remote that memory goes to, and of what the last exchange saw there.
type Exchange struct {
	Name     string `json:"name"`
	URL      string `json:"url"`
	Tracked  bool   `json:"tracked"`
	Unpushed int    `json:"unpushed"`
	NotHere  int    `json:"read_from_remote"`
	Fixed    bool   `json:"fixed"` // by setup
	Trust    string `json:"trust"` // how far it is believed, where it is fixed: remote or signed
	Why      string `json:"why"`
}

// Broken is the JSON shape of a ref whose record cannot be read.
type Broken struct {
	Ref    string `json:"ref"`
	Reason string `json:"reason"`
}

// StateOf says where a memory stands; its remote is the caller's.
func StateOf(ctx context.Context, m *memory.Memory, r *recall.Recall, rules *scan.Rules) (State, error) {
	s := State{Branch: Printable(rules, m.Repo().Head.Branch), Broken: []Broken{}}
	head, err := m.Threads().Head(ctx)
	if err != nil {
		return State{}, err
	}
	s.Head = string(head)
	c, err := r.Census(ctx)
	if err != nil {
		return State{}, err
	}
	s.Packets, s.Small = PacketCounts{c.Packets, c.Fetched, c.Private}, SmallCounts{c.Notes, c.Tasks, c.Skips, c.Events}
	s.Unasked, s.Records = c.Heard, c.Records
	broken, err := m.Audit().Broken(ctx)
	if err != nil {
		return State{}, err
	}
	for _, b := range broken {
		s.Broken = append(s.Broken, Broken{Printable(rules, b.Ref), Printable(rules, b.Reason)})
	}
	return s, nil
}

// Address is the address of a remote without what it may hold to log in.
func Address(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		address = u.Scheme + "://" + u.Host + u.Path // Not escaped: a secret would be hidden by that.
	}
	return address
}

// PlaceIn is the place that somebody means who stands somewhere in a repository, or says where on the disk it
// is.
func PlaceIn(repo *git.Repo, file string, line, end int) (recall.Place, error) {
	name := repo.PathIn(filepath.FromSlash(file))
	switch {
	case file == "" || name == ".":
		return recall.Place{}, errors.New("name a file, or a folder below the top of the repository")
	case path.IsAbs(name) || name == ".." || strings.HasPrefix(name, "../"):
		return recall.Place{}, fmt.Errorf("%q is not in the work tree", file)
	case end > 0 && end < line:
		return recall.Place{}, fmt.Errorf("lines %d-%d: the last stands before the first", line, end)
	}
	return recall.Place{Path: name, Line: line, EndLine: end}, nil
}

// Slug writes a tag in lower case, with hyphens for what parts its words. What else is wrong with it the gate
// says. A secret stays as it is, so that the gate knows it: in lower case it would be none.
func Slug(tag string) string {
	if (*scan.Rules)(nil).Public(tag) != tag {
		return tag
	}
	tag = strings.ToLower(tag)
	const parts = ":/_ \t"
	if !strings.ContainsAny(tag, parts) {
		return tag
	}
	return strings.Join(strings.FieldsFunc(tag, func(r rune) bool {
		return strings.ContainsRune(parts+"-", r)
	}), "-")
}
