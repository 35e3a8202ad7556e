package command

import (
	"time"

	"github.com/git-ltm/git-ltm/internal/audit"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/foreign"
	"github.com/git-ltm/git-ltm/internal/garden"
	"github.com/git-ltm/git-ltm/internal/gate"
	draw "github.com/git-ltm/git-ltm/internal/graph"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/purge"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/report"
	"github.com/git-ltm/git-ltm/internal/session"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// These are the values that commands print with --json, beside those of [reply], which the tools of
// agents return
// too. What they print for people is a rendering of the same value.

// Allowance is the JSON shape of an allowance.
type Allowance struct {
	audit.Decision
	State   string `json:"state"`
	Rule    string `json:"rule,omitempty"`
	Pointer string `json:"pointer,omitempty"`
	InName  bool   `json:"in_name,omitempty"`
	Mask    string `json:"mask,omitempty"`
}

// Draft is the JSON shape of a draft.
type Draft struct {
	draft.Draft
	Lacks []string `json:"lacks"` // what a packet needs and the draft does not say
}

// Drafts is the JSON shape of how many drafts wait.
type Drafts struct {
	Count  int       `json:"count"`
	Newest string    `json:"newest,omitempty"` // its id
	Kept   time.Time `json:"newest_kept_at,omitzero"`
}

// Picture is the JSON shape of a picture.
type Picture struct {
	Nodes []PictureNode `json:"nodes"`
	Edges []PictureEdge `json:"edges"`
	More  bool          `json:"more"`
}

// PictureOf is the shape of a picture, in the one order of its nodes and edges.
func PictureOf(p recall.Picture) Picture {
	all := Picture{Nodes: []PictureNode{}, Edges: []PictureEdge{}, More: p.More}
	g := p.Graph.Sorted()
	for _, n := range g.Nodes {
		all.Nodes = append(all.Nodes, PictureNode{
			ID: clean.Line(n.ID), Kind: n.Kind, Label: n.Text(), States: n.States, Author: n.Author(),
			Branch: n.Branch, At: reply.Stamp(n.At),
		})
	}
	for _, e := range g.Edges {
		all.Edges = append(all.Edges, PictureEdge{
			From: clean.Line(e.From), To: clean.Line(e.To), Kind: e.Kind, Label: e.Text(), By: e.Author(),
		})
	}
	return all
}

// PictureNode is a record, a file or a commit in a picture.
type PictureNode struct {
	ID     string       `json:"id"`
	Kind   draw.Kind    `json:"kind"`
	Label  string       `json:"label,omitempty"`
	States []draw.State `json:"states,omitempty"`
	Author string       `json:"author,omitempty"`
	Branch string       `json:"branch,omitempty"`
	At     string       `json:"at,omitempty"`
}

// PictureEdge is what joins two of them.
type PictureEdge struct {
	From  string        `json:"from"`
	To    string        `json:"to"`
	Kind  draw.Relation `json:"kind"`
	Label string        `json:"label,omitempty"`
	By    string        `json:"by,omitempty"` // who wrote the label
}

// Imported is what an import did. It is the shape of --json.
type Imported struct {
	DryRun   bool              `json:"dry_run"`
	Sources  int               `json:"sources"`
	Added    int               `json:"added"`
	Known    int               `json:"known"`
	Beside   int               `json:"conflicts"`
	Purged   int               `json:"purged"`
	Refused  int               `json:"refused"`
	Invalid  int               `json:"invalid"` // parts that could not be read
	Removed  []string          `json:"removed"`
	Records  []ImportedRecord  `json:"records"`
	Problems []foreign.Problem `json:"problems"`
	Remarks  []Remark          `json:"notes"`
	Bundle   *Exchanged        `json:"bundle,omitempty"` // what came of a bundle, of which the records are not listed

	Secrets int `json:"-"` // of those that are refused
}

// ImportedRecord is what became of one record.
type ImportedRecord struct {
	Fate    string      `json:"fate"` // added, known, conflict, purged or refused
	Kind    packet.Kind `json:"kind"`
	ID      packet.ID   `json:"id"`
	Source  string      `json:"source"`
	Private bool        `json:"private"`
	Signed  bool        `json:"signed"`
	Why     []string    `json:"why"` // it is refused
	Notes   []string    `json:"notes"`

	Text string `json:"-"` // how it begins
}

// Remark is what holds for a source as a whole.
type Remark struct {
	Source string `json:"source"`
	Text   string `json:"text"`
}

// Achievement is one achievement, and what became of it; it is its JSON shape too.
type Achievement struct {
	State   string    `json:"state"`
	ID      packet.ID `json:"id"`
	Commit  string    `json:"commit"`
	Tag     string    `json:"tag,omitempty"`
	Text    string    `json:"text"`
	Impact  string    `json:"impact"`
	Created string    `json:"created_at"`
	Expires string    `json:"expires_at"`

	Data []byte `json:"-"` // the note
}

// Status is the JSON shape of what status tells.
type Status struct {
	State

	Sharing  *Sharing `json:"sharing"`   // how memory travels by itself
	NotAsked []string `json:"not_asked"` // settings that nobody accepted, so that it does not

	// records that agents saved unsigned, because nobody was there to be asked for the key
	Unsigned []packet.ID `json:"unsigned"`

	Hook *session.Fault `json:"hook"` // the last time that the hook of an agent failed here

	Drafts Drafts `json:"drafts"` // what sessions of agents left, and nobody finished
	// purges that are not trusted, whose records are hidden until somebody answers
	Purges []purge.PurgeRequest `json:"purges"`
	Kept   int                  `json:"kept"` // records that a purge names which was refused here

	// how many refs of what was purged here each remote was last seen to hold
	PurgedThere map[string]int `json:"purged_there"`

	// what others did, unsigned, to records of this clone, and what of that waits, a line each
	Arrived []string `json:"arrived"`
	Authors string   `json:"authors"` // once, whose unsigned records are shown to agents from now on

	// what is another one about the remote than setup fixed: its address, its store, or ltm.remote; and that a
	// plain fetch may delete records
	Changed string `json:"changed"`

	Alone string `json:"-"` // why there is no remote
	ToFix string `json:"-"` // that agents are set up here, and how a remote is fixed for them
}

// Exchanged is the JSON shape of what became of one exchange.
type Exchanged struct {
	remote.Outcome
	Kept   int  `json:"kept"` // refs that the remote did not let be deleted, this time
	DryRun bool `json:"dry_run"`
	// why it failed; what stands before it was done until then
	Error string `json:"error,omitempty"`
}

// MergedNote is the JSON shape of a note that stands in place of others.
type MergedNote struct {
	Note

	Type      packet.Kind   `json:"type"`
	ExpiresAt string        `json:"expires_at,omitempty"`
	Cites     []packet.Cite `json:"cites,omitempty"`
	Origin    string        `json:"origin"`
}

// Advice is the JSON shape of one piece of advice.
type Advice struct {
	ID    string `json:"id"`
	Place string `json:"place"`
	Rule  string `json:"rule"`
	Text  string `json:"text"`
}

// Compaction is the JSON shape of a compaction.
type Compaction struct {
	memory.Compacted
	Deleted int  `json:"deleted"` // refs that are gone from the remote
	DryRun  bool `json:"dry_run"`
}

// Group is the JSON shape of notes that could become one.
type Group struct {
	Group    string        `json:"group"`
	Cards    []garden.Card `json:"cards,omitempty"`
	Tags     []string      `json:"tags,omitempty"`
	Conflict string        `json:"conflict,omitempty"`
	Draft    *garden.Draft `json:"draft,omitempty"`

	ID      packet.ID   `json:"id,omitempty"` // of the note that stands in their place, once it is applied
	Event   packet.ID   `json:"event,omitempty"`
	Sources []packet.ID `json:"sources,omitempty"`
	DryRun  bool        `json:"dry_run,omitempty"`
}

// Sharing is the JSON shape of how memory travels by itself.
type Sharing struct {
	Remote string `json:"remote"`
	On     bool   `json:"on"`
	Off    bool   `json:"off"` // the person said so, with setup --no-share
	remote.Travel

	Fault string `json:"fault,omitempty"` // why a person should look, as long as nothing was exchanged since

	Unused bool `json:"-"` // no agent is set up here, whose hooks would let memory travel
}

// TrustState is the JSON shape of what counts.
type TrustState struct {
	Stores []string `json:"stores"`
	// the stores that records here are signed for, where this clone knows none
	Signed []string    `json:"signed_for"`
	Lists  []TrustList `json:"lists"`
	// the remote whose unsigned records agents are shown, under ltm.trust = remote; else empty
	Remote string   `json:"believed"`
	Names  []string `json:"names"` // the authors for whom that holds
	Muted  []string `json:"muted"`
	Other  []string `json:"warnings"`
}

// TrustList is one of the lists of keys.
type TrustList struct {
	Name  string     `json:"name"`
	Place string     `json:"place"`
	Keys  []TrustKey `json:"keys"`
}

// TrustKey is a key on it.
type TrustKey struct {
	trust.Key
	Revoked string `json:"revoked_by,omitempty"`
}

// Testimony is the JSON shape of what is known of a record.
type Testimony struct {
	audit.Testimony
	Change string   `json:"change,omitempty"` // the command that changes the standing
	Lists  []string `json:"lists,omitempty"`  // what each list of keys has to say of the key, for trust why
}

// Version is the JSON shape of what the program is.
type Version struct {
	Release string `json:"release"`
	Packets string `json:"packets"` // the format that it writes
	Commit  string `json:"commit,omitempty"`
}

// Init is the JSON shape of what init changed, or would.
type Init struct {
	Store   string           `json:"store,omitempty"` // the user-wide memory, where that has no remote to fetch from
	Added   []remote.Setting `json:"added"`
	Removed []remote.Setting `json:"removed"`
	DryRun  bool             `json:"dry_run"`
}

// KeyMade is the JSON shape of a key that signs memory alone.
type KeyMade struct {
	gate.AgentKey
	DryRun bool `json:"dry_run"`
}

// Purged is the JSON shape of what a purge removed, or an answer to one.
type Purged struct {
	purge.Outcome
	Kept    []packet.ID `json:"kept"`    // those of a purge that was refused
	Events  int         `json:"events"`  // those that spoke of nothing else
	Remotes []Exchanged `json:"remotes"` // what became of them there
	DryRun  bool        `json:"dry_run"`
}

// Setup is the JSON shape of what setup found, changed, or would change.
type Setup struct {
	Agents  []SetupAgent     `json:"agents"`
	Files   []SetupFile      `json:"files"`
	Removed []remote.Setting `json:"removed"`
	Remote  *SetupRemote     `json:"remote"` // null where none is fixed by this call
	Stays   []SetupRemains   `json:"stays"`  // what an undo leaves
	DryRun  bool             `json:"dry_run"`
}

// SetupAgent is an agent, and where git ltm is set up for it.
type SetupAgent struct {
	Name   string   `json:"name"`
	Here   bool     `json:"here"` // on this machine
	Scopes []string `json:"scopes"`
	Plugin string   `json:"plugin,omitempty"`
}

// SetupFile is a file that setup wrote, changed or removed.
type SetupFile struct {
	Path string `json:"path"`
	Did  string `json:"did"` // added, changed or removed
}

// SetupRemote is the remote that memory is exchanged with.
type SetupRemote struct {
	Name  string `json:"name"`
	URL   string `json:"url"`
	Trust string `json:"trust"`
	Why   string `json:"why"`
}

// SetupRemains is something that stays, and how it goes.
type SetupRemains struct {
	What string `json:"what"`
	How  string `json:"how"`
}

// TrustEdit is the JSON shape of what was added to lists of keys, or would be.
type TrustEdit struct {
	Files  []TrustFile `json:"files"`
	Store  string      `json:"store,omitempty"` // that this clone takes itself for from now on
	DryRun bool        `json:"dry_run"`
}

// TrustFile is a file of a list of keys, and what it gets.
type TrustFile struct {
	File    string   `json:"file"`
	Lines   []string `json:"lines"`
	Known   bool     `json:"known"` // it holds them already
	Written bool     `json:"written"`
}

// TrustProposal is the JSON shape of a list of the team, against the one that is accepted here.
type TrustProposal struct {
	Commit   string      `json:"commit"`
	Ref      string      `json:"ref"`
	Added    []trust.Key `json:"added"`
	Removed  []trust.Key `json:"removed"`
	Changes  []string    `json:"changes"` // of what is taken back and of stores, one line each
	Accepted bool        `json:"accepted"`
	DryRun   bool        `json:"dry_run"`
}

// TrustAnswer is the JSON shape of what was let through, dropped or taken back.
type TrustAnswer struct {
	Records   []string `json:"records"`    // that are taken as they are now
	Let       int      `json:"let"`        // events that take effect
	Dropped   int      `json:"dropped"`    // events that never will
	TakenBack int      `json:"taken_back"` // events that had an effect
	// the command that takes back what was accepted
	Undo string `json:"undo,omitempty"`
}

// MutedName is the JSON shape of a name that is kept out, or let in again.
type MutedName struct {
	Name    string `json:"name"`
	Muted   bool   `json:"muted"`
	Changed bool   `json:"changed"`
}

// HookFile is the JSON shape of a hook that was written or removed.
type HookFile struct {
	Path    string `json:"path"`
	Changed bool   `json:"changed"`
}

// Report is the JSON shape of what a check found.
type Report struct {
	report.Head

	Results []report.Result `json:"results"`
}
