package command

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/reply"
)

// Packet is what somebody says of where the work stands. Its names are those of the stored form.
type Packet struct {
	Goal        string     `json:"goal,omitempty"`
	Criteria    []string   `json:"success_criteria,omitempty"`
	Constraints []string   `json:"constraints,omitempty"`
	Decisions   []Decision `json:"decisions,omitempty"`
	Methods     []Method   `json:"methods,omitempty"`
	Attempts    []Attempt  `json:"attempts,omitempty"`
	Questions   []string   `json:"open_questions,omitempty"`
	Next        string     `json:"next_step,omitempty"`
	Tags        []string   `json:"tags,omitempty"`
	Cites       []Cite     `json:"cites,omitempty"`
}

// Decision is something that was settled.
type Decision struct {
	What         string `json:"what"`
	Why          string `json:"why"`
	Consequences string `json:"consequences,omitempty"`
	Locked       bool   `json:"locked,omitempty"`
}

// Method is a way of working that proved useful.
type Method struct {
	Name string `json:"name"`
	When string `json:"when_applicable"`
	How  string `json:"how"`
}

// Attempt is something that was tried.
type Attempt struct {
	Tried   string       `json:"tried"`
	Outcome string       `json:"outcome"`
	Learned string       `json:"learned,omitempty"`
	Match   *reply.Match `json:"match,omitempty"`
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
