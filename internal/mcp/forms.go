package mcp

import "github.com/git-ltm/git-ltm/internal/packet"

// The patterns of the forms that packet knows.
const (
	slugPattern  = "^[a-z0-9][a-z0-9-]*$"
	topicPattern = "^[a-z0-9]([a-z0-9_-]*[a-z0-9])?(/[a-z0-9]([a-z0-9_-]*[a-z0-9])?)*$"
)

func text(about string) schema { return schema{is: isString, about: about} }

func flag(about string) schema { return schema{is: isBoolean, about: about} }

func word(about string, words ...string) schema {
	return schema{is: isString, about: about, words: words}
}

func number(about string, least, most int) schema {
	return schema{is: isInteger, about: about, least: least, most: most}
}

func list(about string, most int, of schema) schema {
	return schema{is: isArray, about: about, most: most, items: &of}
}

// bounded is a text of at most so many characters.
func bounded(about string, most int) schema { return schema{is: isString, about: about, most: most} }

func object(fields ...field) schema { return schema{is: isObject, fields: fields} }

func need(name string, s schema) field { return field{name: name, needed: true, schema: s} }

func may(name string, s schema) field { return field{name: name, schema: s} }

// described returns some members of a record as fields, with the bounds that package packet has for them; about says in few
// words what each is for, and leaves out the others.
func described(all []packet.Field, about []said) []field {
	var fields []field
	for _, a := range about {
		for _, f := range all {
			if f.Name == a.name {
				s := schema{is: isString, about: a.about, least: f.Least, most: f.Most}
				switch f.Form {
				case packet.FieldWord:
					s.words = f.Words
				case packet.FieldSlug:
					s.pattern = slugPattern
				case packet.FieldTopic:
					s.pattern = topicPattern
				case packet.FieldFlag:
					s.is = isBoolean
				case packet.FieldCount:
					s.is = isInteger
				case packet.FieldObject:
					s.is, s.fields = isObject, described(f.Fields, a.of)
				case packet.FieldText, packet.FieldTime:
				}
				if f.Items > 0 {
					s.about = ""
					s = list(a.about, f.Items, s)
				}
				fields = append(fields, field{name: f.Name, needed: f.Needed, schema: s})
			}
		}
	}
	return fields
}

// said is a member and what a model should know of it.
type said struct {
	name, about string
	of          []said // of an object
}
