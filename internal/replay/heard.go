package replay

import (
	"context"
	"iter"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// Heard counts the records that are shown to those who read for a reason, and those that are kept from them.
type Heard struct {
	Told     int  `json:"told"`
	Withheld int  `json:"withheld"`
	Hidden   int  `json:"hidden"` // from all: they were retracted, ended, superseded or hidden
	More     bool `json:"more"`   // there are more of them, which were not looked at

	// one of those that are withheld for each key that signed them and that nobody here trusts
	Unknown map[string]packet.ID `json:"-"`
	Other   int                  `json:"-"` // those that are withheld for another reason

	to Reading
}

// HeardBy counts nothing yet, for a reason to read.
func HeardBy(to Reading) Heard { return Heard{to: to} }

// All is how many records were looked at.
func (h Heard) All() int { return h.Told + h.Withheld + h.Hidden }

// Hear counts a record.
func (h *Heard) Hear(e Entry) {
	if e.Withheld(h.to) == "" {
		h.Told++
		return
	}
	if h.Withheld++; e.Verdict.Standing != sign.Unknown {
		h.Other++
	} else if h.Unknown[e.Verdict.Key] == "" {
		if h.Unknown == nil {
			h.Unknown = map[string]packet.ID{}
		}
		h.Unknown[e.Verdict.Key] = e.ID
	}
}

// Hide counts a record that was counted already as one that is hidden from all.
func (h *Heard) Hide(e Entry) {
	if e.Withheld(h.to) == "" {
		h.Told--
	} else {
		h.Withheld--
	}
	h.Hidden++
}

// Heard looks at so many of the newest packets, notes and skips each. No event is read, so that one that was
// retracted counts too.
func (s *Source) Heard(ctx context.Context, to Reading, most int) (Heard, error) {
	h := HeardBy(to)
	for _, kind := range refs.Telling() {
		if err := s.hearSome(ctx, &h,
			s.reader.Everything(ctx, refs.Query{Kind: kind, Newest: true, Remotes: true}), most); err != nil {
			return h, err
		}
	}
	return h, nil
}

// HeardOf looks at so many of the records of these refs, for who did not ask. What is no packet, note or skip
// is left out.
func (s *Source) HeardOf(ctx context.Context, names []string, most int) (Heard, error) {
	h := HeardBy(Unasked)
	err := s.hearSome(ctx, &h, func(yield func(refs.Ref, error) bool) {
		for _, full := range names {
			name, ok := refs.ParseName(full)
			if !ok || name.Kind == refs.Events {
				continue
			}
			ref, err := s.reader.resolveName(ctx, full)
			if IsUnreadable(err) {
				continue
			}
			if !yield(ref, err) || err != nil {
				return
			}
		}
	}, most)
	return h, err
}

// hearSome counts so many of some records. What cannot be read is told to nobody, and other commands tell of
// it.
func (s *Source) hearSome(ctx context.Context, h *Heard, some iter.Seq2[refs.Ref, error], most int) error {
	for ref, err := range some {
		if err != nil {
			return err
		}
		if most--; most < 0 {
			h.More = true
			return nil
		}
		if s.reader.whyLeftOut(ctx, ref) != nil {
			continue
		}
		e, err := s.reader.Read(ctx, ref)
		if IsUnreadable(err) {
			continue
		}
		if err != nil {
			return err
		}
		h.Hear(e)
	}
	return nil
}
