package foreign

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// A document has the members of the records that readers make. The order of
// the canonical encoding is the business of packet.
type document struct {
	Type       packet.Kind `json:"type"`
	ID         packet.ID   `json:"id,omitempty"`
	CreatedAt  string      `json:"created_at,omitempty"`
	Kind       string      `json:"kind,omitempty"`
	Text       string      `json:"text,omitempty"`
	Why        string      `json:"why,omitempty"`
	Topic      string      `json:"topic,omitempty"`
	Tags       []string    `json:"tags,omitempty"`
	Impact     string      `json:"impact,omitempty"`
	Confidence string      `json:"confidence,omitempty"`
	Category   string      `json:"category,omitempty"`
	Status     string      `json:"status,omitempty"`
	Priority   int         `json:"priority,omitempty"`
	NextAction string      `json:"next_action,omitempty"`
	Item       string      `json:"item,omitempty"`
	Reason     string      `json:"reason,omitempty"`
	Event      string      `json:"event,omitempty"`
	Targets    []packet.ID `json:"targets,omitempty"`
	By         []packet.ID `json:"by,omitempty"`
	Value      string      `json:"value,omitempty"`
	ExpiresAt  string      `json:"expires_at,omitempty"`
	Cites      []cite      `json:"cites,omitempty"`
	Links      []packet.ID `json:"links,omitempty"`
	Origin     string      `json:"origin,omitempty"`
	Provenance writtenBy   `json:"provenance,omitzero"`
}

type cite struct {
	Path    string `json:"path"`
	Line    int    `json:"line,omitempty"`
	EndLine int    `json:"end_line,omitempty"`
	Note    string `json:"note,omitempty"`
}

type writtenBy struct {
	AuthorModel string `json:"author_model,omitempty"`
	AuthorHuman string `json:"author_human,omitempty"`
	Agent       string `json:"agent,omitempty"`
}

// record returns the document as a record. The error names members and limits,
// never a value.
func (d *document) record() (*packet.Record, error) {
	return packet.Parse(marshal(d), packet.Draft)
}

// marshal encodes what always can be encoded.
func marshal(v any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil
	}
	return out.Bytes()
}

// keyOf returns the key of what a source calls own. Its time is no part of it,
// since a source that has none gets another one whenever it is written anew.
func keyOf(f Format, own string, d document) string {
	d.ID, d.CreatedAt, d.Links = "", "", nil
	if len(own) > 64 {
		own = digest([]byte(own))
	}
	return string(f) + ":" + own + ":" + digest(marshal(d))
}

// digest returns enough of a SHA-256 to tell the memories of a user apart.
func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}
