package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/session"
)

// Storing says how what is saved is stored.
type Storing struct {
	Private bool `json:"private"`
	Redact  bool `json:"redact"`
	DryRun  bool `json:"dry_run"`

	// A person alone says these.
	Sign, NoSign bool     `json:"-"`
	Allow        []string `json:"-"` // fingerprints of what is no secret
	AllowWhy     string   `json:"-"`
}

// Reach is how far it goes.
func (s Storing) Reach() replay.Reach {
	if s.Private {
		return replay.Private
	}
	return replay.Shared
}

// Signing is whether it is signed.
func (s Storing) Signing() gate.Signing {
	switch {
	case s.Sign:
		return gate.Sign
	case s.NoSign:
		return gate.NoSign
	}
	return gate.AsConfigured
}

// Answer says what becomes of a secret in it.
func (s Storing) Answer() gate.Answer {
	answer := gate.Answer{Allowed: s.Allow, Why: s.AllowWhy}
	if s.Redact {
		answer.Secrets = gate.Hide
	}
	return answer
}

// Request stores a note or a skip like that.
func (s Storing) Request(data []byte) gate.SaveRequest {
	return gate.SaveRequest{
		Data: data, Answer: s.Answer(), Reach: s.Reach(), DryRun: s.DryRun, Signing: s.Signing(),
	}
}

// Save stores a packet of a session. A draft that it finishes is dropped then; nil is none. Where the session went
// on meanwhile, its new draft stays.
func Save(
	ctx context.Context, m *memory.Memory, in agent.Moment, from *draft.Draft, req gate.SaveRequest,
) (gate.Receipt, error) {
	if from != nil {
		in = session.Of(*from)
	}
	r, err := session.Save(ctx, m, in, req)
	if err != nil || from == nil || req.DryRun {
		return r, err
	}
	if err := session.CloseFinished(ctx, m, r); err != nil {
		return r, err
	}
	if err = session.Finish(ctx, m, *from); errors.Is(err, git.ErrConflict) {
		err = nil
	}
	return r, err
}

// FindDraft returns a draft by its id, or the last one of this branch, as it is to be finished.
func FindDraft(ctx context.Context, m *memory.Memory, spec string) (*draft.Draft, error) {
	d, err := m.Drafts().Find(ctx, spec)
	if err != nil {
		return nil, err
	}
	d = reply.Anchored(d, m.Repo().Head.Branch)
	return &d, nil
}

// Encode is the packet as the gate takes it, behind what a draft holds already. The model is that
// of its author, where one says it.
func (p Packet) Encode(
	ctx context.Context, m *memory.Memory, from *draft.Draft, agentName, model string,
) ([]byte, error) {
	p.Tags = Slugs(p.Tags)
	data, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	if from != nil { // It says who wrote it.
		return reply.Over(*from, data)
	}
	if model == "" {
		return data, nil
	}
	author, err := m.Author(ctx)
	if err != nil {
		return nil, err
	}
	by := map[string]string{"author_human": author, "agent": agentName, "model": model}
	for name, text := range by {
		if text == "" {
			delete(by, name)
		}
	}
	return json.Marshal(struct {
		Packet

		Provenance map[string]string `json:"provenance"`
	}{p, by})
}

// Packet is what somebody says of where the work stands. Its names are those of the stored form.
type Packet struct {
	Goal        string            `json:"goal,omitempty"`
	Criteria    []string          `json:"success_criteria,omitempty"`
	Constraints []string          `json:"constraints,omitempty"`
	Decisions   []packet.Decision `json:"decisions,omitempty"`
	Methods     []packet.Method   `json:"methods,omitempty"`
	Attempts    []packet.Attempt  `json:"attempts,omitempty"`
	Questions   []string          `json:"open_questions,omitempty"`
	Next        string            `json:"next_step,omitempty"`
	Tags        []string          `json:"tags,omitempty"`
	Cites       []Cite            `json:"cites,omitempty"`
}

// Cite is a place in the code. It is read from a text PATH[:LINE[-LINE]] too.
type Cite struct {
	Path    string `json:"path"`
	Line    int    `json:"line,omitempty"`
	EndLine int    `json:"end_line,omitempty"`
}

// UnmarshalJSON reads the place from its text, or from its members.
func (c *Cite) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte(`"`)) {
		var text string
		err := json.Unmarshal(data, &text)
		*c = ParseCite(text)
		return err
	}
	type members Cite
	return json.Unmarshal(data, (*members)(c))
}

// ParseCite reads PATH[:LINE[-LINE]]. What is no line number belongs to the path.
func ParseCite(place string) Cite {
	whole := Cite{Path: place}
	i := strings.LastIndexByte(place, ':')
	if i < 0 {
		return whole
	}
	from, to, ranged := strings.Cut(place[i+1:], "-")
	number := func(text string) int { // 0 for what is none
		n, err := strconv.ParseUint(text, 10, 31)
		if err != nil {
			return 0
		}
		return int(n)
	}
	cite := Cite{Path: place[:i], Line: number(from)}
	if ranged {
		cite.EndLine = number(to)
	}
	if cite.Line == 0 || ranged && cite.EndLine == 0 {
		return whole
	}
	return cite
}

// Slugs brings tags into the form that records hold, each once.
func Slugs(tags []string) []string {
	var all []string
	for _, tag := range tags {
		if s := reply.Slug(tag); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// Composed is a packet as a command line says it: what a list takes has its parts between colons.
type Composed struct {
	Goal, Next                              string
	Constraints, Questions, Criterion, Tags []string
	Decisions, Attempts, Methods, Cites     []string
	Lock                                    bool
}

// IsUsed tells whether any of the flags was given.
func (c *Composed) IsUsed() bool { return !reflect.ValueOf(*c).IsZero() }

// Packet returns the packet as JSON. The gate checks it like any other. Cited
// paths are as seen from prefix, a folder of the repository.
func (c *Composed) Packet(prefix string) ([]byte, error) {
	p := Packet{
		Goal: c.Goal, Criteria: c.Criterion, Constraints: c.Constraints, Questions: c.Questions, Next: c.Next,
		Tags: c.Tags,
	}
	var problems []error
	read := func(member string, lines []string, into any) {
		var items []map[string]any
		for _, line := range lines {
			item, err := itemForms()[member].readItem(line, prefix)
			problems = append(problems, err)
			if c.Lock && member == "decisions" {
				item["locked"] = true
			}
			items = append(items, item)
		}
		data, err := json.Marshal(items)
		problems = append(problems, err, json.Unmarshal(data, into))
	}
	read("decisions", c.Decisions, &p.Decisions)
	read("attempts", c.Attempts, &p.Attempts)
	read("methods", c.Methods, &p.Methods)
	for _, place := range c.Cites {
		cite := ParseCite(place)
		cite.Path = git.Below(prefix, cite.Path)
		p.Cites = append(p.Cites, cite)
	}
	for _, said := range [][2]string{{"goal", c.Goal}, {"next step", c.Next}} {
		if said[1] != "" && strings.TrimSpace(said[1]) == "" {
			problems = append(problems, fmt.Errorf("the %s is empty", said[0]))
		}
	}
	if !utf8.ValidString(fmt.Sprint(*c)) {
		problems = append(problems, errors.New("a flag holds bytes that are not UTF-8"))
	}
	if c.Lock && len(c.Decisions) == 0 {
		problems = append(problems, errors.New("--lock needs a --decision"))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return json.Marshal(p)
}

// Lacks names the members that a packet needs and a draft has not.
func Lacks(d draft.Draft) []string {
	missing := []string{}
	rec, err := packet.Parse(d.Packet, packet.Sketch)
	if err != nil {
		return missing
	}
	for _, name := range []string{"goal", "next_step"} {
		if !rec.Has(name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// WaitingDrafts says how many drafts wait to be finished, and which is the newest that can be read.
func WaitingDrafts(ctx context.Context, m *memory.Memory) (Drafts, error) {
	count, err := m.Drafts().Count(ctx)
	if err != nil || count == 0 {
		return Drafts{}, err
	}
	s := Drafts{Count: count}
	all, err := m.Drafts().All(ctx)
	if err == nil && len(all) > 0 {
		s.Newest, s.Kept = string(all[0].ID), all[0].Kept
	}
	return s, err
}

// DraftsLine is what status says of drafts; nothing where there is none.
func DraftsLine(s Drafts, now time.Time) string {
	switch {
	case s.Count == 0:
		return ""
	case s.Newest == "":
		return strconv.Itoa(s.Count) + ", and none can be read: git ltm doctor"
	}
	return fmt.Sprintf("%d, newest %s: git ltm save --draft, or distill --list and --drop", s.Count,
		briefing.Age(s.Kept, now))
}

// DescribeDraft tells a draft to a person, each part with where it comes from.
func DescribeDraft(d draft.Draft, p packet.Packet) string {
	var out reply.Description
	from := func(pointer string) string { return d.Origins[pointer] }
	put := func(label, text, pointer string) {
		if origin := from(pointer); text != "" && origin != "" {
			text += " (" + origin + ")"
		}
		out.Put(label, text)
	}
	out.Block("How it ended", d.Summary)
	put("Goal", p.Goal, "/goal")
	put("Next step", p.Next(), "/next_step")
	put("Branch", p.Anchor.Branch, "/anchor")
	put("Agent", strings.TrimSpace(p.Provenance.Agent+" "+p.Provenance.Model), "/provenance")
	out.PutItems(p, from)
	return strings.TrimPrefix(out.String(), "\n")
}
