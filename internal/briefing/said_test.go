package briefing_test

import (
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// origin is where a text of a test comes from: a trusted record where the standing is one.
func origin(id string, standing sign.Standing, author packet.Provenance) *provenance.Origin {
	o := &provenance.Origin{
		ID: packet.ID(id), Author: author, Verdict: sign.Verdict{Standing: standing},
		Trusted: standing.Vouched(),
		Reach:   provenance.OnRequest,
	}
	if o.Trusted {
		o.Reach = provenance.Automatically
	}
	return o
}

// said is a text of a record that this clone made.
func said(id, text string) provenance.Text {
	return provenance.Of(text, origin(id, sign.Local, packet.Provenance{}))
}
