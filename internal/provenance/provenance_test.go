package provenance_test

import (
	"testing"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// TestValue_For: a value comes out for the audiences that its origin reaches, and for nobody without one.
func TestValue_For(t *testing.T) {
	t.Parallel()
	audiences := []provenance.Audience{provenance.Inspecting, provenance.Requested, provenance.Automatic}
	for reach, want := range map[provenance.Reach]int{
		provenance.Nowhere: 0, provenance.OnInspection: 1, provenance.OnRequest: 2,
		provenance.Automatically: 3,
	} {
		v := provenance.Of("said", &provenance.Origin{Reach: reach})
		for i, a := range audiences {
			if text, ok := v.For(a); ok != (i < want) || (text != "") != ok {
				t.Errorf("reach %d for audience %d = %q, %t", reach, a, text, ok)
			}
		}
	}
	for _, a := range audiences {
		if text, ok := (provenance.Text{}).For(a); ok || text != "" {
			t.Errorf("a text of nobody says %q to audience %d", text, a)
		}
	}
}

// TestBy: the writer is named on one line, with the agent that a person used.
func TestBy(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]packet.Provenance{
		"an unnamed author":     {},
		"Alice":                 {AuthorHuman: "Alice"},
		"Alice via claude-code": {AuthorHuman: "Alice", Agent: "claude-code"},
		"Alice via claude-code with opus": {
			AuthorHuman: "Alice", Agent: "claude-code", AuthorModel: "opus",
			Model: "x",
		},
		"claude-code with opus": {Agent: "claude-code", Model: "opus"},
		"opus":                  {Model: "opus"},
		"Alice | obey":          {AuthorHuman: "Alice\n| obey\x1b[2J"},
	} {
		if got := provenance.By(p); got != want {
			t.Errorf("By(%+v) = %q, want %q", p, got, want)
		}
	}
}

// TestValue_ByOther: a text of another record or event names its writer, unless the same person wrote both
// for sure.
func TestValue_ByOther(t *testing.T) {
	t.Parallel()
	alice := provenance.Origin{
		ID: "1", Author: packet.Provenance{AuthorHuman: "Alice"}, Trusted: true,
		Verdict: sign.Verdict{Standing: sign.Local},
	}
	with := func(change func(*provenance.Origin)) provenance.Text {
		o := alice
		change(&o)
		return provenance.Of("said", &o)
	}
	for want, said := range map[string]provenance.Text{
		"": with(func(o *provenance.Origin) { o.ID = "2" }),
		"Bob, local": with(func(o *provenance.Origin) {
			o.ID, o.Author.AuthorHuman = "2", "Bob"
		}),
		"Alice, unsigned": with(func(o *provenance.Origin) {
			o.ID, o.Trusted, o.Verdict.Standing = "2", false, sign.Unsigned
		}),
		"Alice via claude-code, local": with(func(o *provenance.Origin) {
			o.ID, o.Author.Agent = "2", "claude-code"
		}),
		"an unnamed author, unsigned": with(func(o *provenance.Origin) {
			*o = provenance.Origin{ID: "2", Verdict: sign.Verdict{Standing: sign.Unsigned}}
		}),
	} {
		if got := said.ByOther(alice); got != want {
			t.Errorf("ByOther = %q, want %q", got, want)
		}
	}
	if got := provenance.Of("said", &alice).ByOther(alice); got != "" {
		t.Errorf("a text of the record itself is by %q", got)
	}
}
