package packet

import (
	"cmp"
	"slices"
)

// Field is a member that records of a kind may have, for whoever writes a schema of them.
type Field struct {
	Name        string
	Form        FieldForm // of each item where the field is a list
	Least, Most int       // characters of a string, or the bounds of a number; zero characters are no bound
	Items       int       // most items of a list; zero means that it is none
	Words       []string  // of a word
	Fields      []Field   // of an object
	Needed      bool      // the member must be there
}

// FieldForm is what a single value looks like.
type FieldForm string

// The forms of values.
const (
	FieldText   FieldForm = "text" // any text, also what has a form of its own that no bound tells
	FieldWord   FieldForm = "word"
	FieldSlug   FieldForm = "slug" // lower-case letters, digits and hyphens
	FieldTime   FieldForm = "time" // RFC 3339
	FieldObject FieldForm = "object"
	FieldFlag   FieldForm = "flag"
	FieldCount  FieldForm = "count"
	FieldTopic  FieldForm = "topic" // segments with slashes between them
)

// Fields returns the members that records of a kind may have, in the order of their table. Nothing for an event, which nobody
// writes by hand.
func Fields(kind Kind) []Field {
	switch kind {
	case KindPacket:
		return packetShape.describe()
	case KindNote:
		return noteShape.describe()
	case KindSkip:
		return skipShape.describe()
	default:
		return nil
	}
}

func (s *shape) describe() []Field {
	all := make([]Field, len(s.fields))
	for i := range s.fields {
		f := &s.fields[i]
		all[i] = Field{Name: f.name, Form: f.form.describe(), Least: f.least, Most: f.most, Items: f.items, Words: slices.Clone(f.words), Needed: f.needed}
		if f.form == formCount {
			all[i].Most = cmp.Or(f.limit, maxCount)
		}
		if f.object != nil {
			all[i].Fields = f.object.describe()
		}
	}
	return all
}

func (f form) describe() FieldForm {
	switch f {
	case formWord:
		return FieldWord
	case formSlug:
		return FieldSlug
	case formTime:
		return FieldTime
	case formObject:
		return FieldObject
	case formFlag:
		return FieldFlag
	case formCount:
		return FieldCount
	case formTopic:
		return FieldTopic
	default:
		return FieldText
	}
}
