// Package retrieval measures how well a search finds what answers a question.
//
// It reads collections of documents, questions and judgements from testdata/retrieval, puts the
// questions to a search, and compares what comes back with the judgements. Beside recall and the
// hook of prompts it knows three plain searches, which a good one has to beat. A third of the
// questions is sealed: nobody who builds a search looks at them. It promises that a measurement
// repeats exactly, and that all searches are given the same texts. Only tests and measurements
// import it, and it is in no program that is built for users.
package retrieval

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
)

// Searcher returns the items that answer a question, the best first, at most limit of them.
type Searcher func(ctx context.Context, q Question, limit int) ([]Hit, error)

// Hit is an item that a search returned.
type Hit struct {
	Key  string
	Weak bool // Weak says that the search itself is not sure.
}

// Collection is documents, and questions of which is known what answers them.
type Collection struct {
	Name      string
	Documents []Document
	Questions []Question
}

// Document is a record with the items that can be found.
type Document struct {
	ID      string
	Content packet.Content
	Data    []byte // Data is the record as it stands in its file; nil where it stands in none.
}

// Question is what is asked.
type Question struct {
	ID   string
	Text string
	Also []string // Also are other words for the same thing, by somebody who has not seen the documents.
	// Relevant has a grade for the key of each item that answers: 2 where it does, 1 where it helps.
	// It is empty where no document knows the answer.
	Relevant map[string]int
}

// Key names an item: the id of its record, and its place in there.
func Key(id, place string) string { return id + place }

// Entry is an item as the plain searches see it.
type Entry struct{ Key, Text string }

// Entries returns the items of all documents. The text of one holds all that the record says of it
// and of its neighbours alike, which are the topic, the tags and the paths, so that a plain search
// knows nothing less than one of fields does.
func (c *Collection) Entries() []Entry {
	var all []Entry
	for _, d := range c.Documents {
		shared := slices.Concat([]string{d.Content.Topic}, d.Content.Tags, d.Content.Paths)
		for _, item := range d.Content.Items {
			lines := slices.Concat([]string{item.Text, item.Why}, shared)
			lines = slices.DeleteFunc(lines, func(s string) bool { return s == "" })
			all = append(all, Entry{Key: Key(d.ID, item.Place), Text: strings.Join(lines, "\n")})
		}
	}
	return all
}

// checkKeys returns an error where something stands twice, or a judgement is about an item that does not
// exist.
func (c *Collection) checkKeys() error {
	keys := map[string]bool{}
	for _, e := range c.Entries() {
		if keys[e.Key] {
			return fmt.Errorf("collection %q: item %q stands there twice", c.Name, e.Key)
		}
		keys[e.Key] = true
	}
	ids := map[string]bool{}
	for _, q := range c.Questions {
		if q.ID == "" || q.Text == "" || ids[q.ID] {
			return fmt.Errorf("collection %q: question %q has no id or text, or stands there twice", c.Name,
				q.ID)
		}
		ids[q.ID] = true
		for key, grade := range q.Relevant {
			if !keys[key] || grade < 1 {
				return fmt.Errorf("collection %q: question %q: no item %q of grade %d", c.Name, q.ID, key,
					grade)
			}
		}
	}
	return nil
}

// Indexed is the search of the index of this project, with what recall makes of it: which answers
// are sure. Age, use and the other things that decide among equals do not count. Its second result
// closes the index.
func Indexed(ctx context.Context, c *Collection) (Searcher, func() error, error) {
	ids := map[string]string{}
	documents := make([]index.Document, 0, len(c.Documents))
	for _, d := range c.Documents {
		ref := "refs/ltm/" + string(d.Content.Kind) + "s/" + string(ulidOf(d.ID))
		ids[ref] = d.ID
		documents = append(documents, index.Document{Ref: ref, Content: d.Content})
	}
	x, err := index.Memory(ctx, documents)
	if err != nil {
		return nil, nil, fmt.Errorf("index %s: %w", c.Name, err)
	}
	return func(ctx context.Context, q Question, limit int) (hits []Hit, err error) {
		found, err := x.Search(ctx, index.Query{Text: q.Text, Also: q.Also, Limit: limit})
		for _, h := range found {
			hits = append(hits, Hit{Key: Key(ids[h.Ref], h.Place), Weak: !recall.IsSure(h)})
		}
		return hits, err
	}, x.Close, nil
}

// ulidOf is the id under which a document is indexed: its own where that is a ULID, or one made of it.
func ulidOf(id string) packet.ID {
	if own, err := packet.ParseID(id); err == nil {
		return own
	}
	return packet.DeriveID(id, madeUp())
}

// madeUp is the moment of a document that tells none.
func madeUp() time.Time { return time.Date(2026, time.November, 1, 12, 0, 0, 0, time.UTC) }
