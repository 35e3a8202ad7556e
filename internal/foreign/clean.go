package foreign

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/words"
)

const (
	maxList  = 64 // of what a memory has several of
	maxTags  = 16
	maxTag   = 32
	maxTopic = 128
	maxNamed = 160 // bytes of a name in a provenance
	maxShown = 48  // columns of what is only shown
)

//nolint:gochecknoglobals // Functions that remember their results; nobody writes to them.
var (
	colours = words.Compiled(`\x1b\[[0-9;]*m`) // what makes a terminal change its colour (ECMA-48, SGR)
	noSlug  = words.Compiled(`[^a-z0-9]+`)
)

// tidyText returns text with line ends as they are here, without the characters
// that no record may have, and without blank space around it. It tells whether
// such characters were there.
func tidyText(text string) (tidied string, odd bool) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	valid := colours().ReplaceAllString(strings.ToValidUTF8(text, "\uFFFD"), "")
	kept := strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		if r < ' ' || r >= 0x7F && r < 0xA0 || r == '\uFEFF' {
			return -1
		}
		return r
	}, valid)
	return strings.TrimSpace(kept), kept != text
}

// toSlug returns s as lower-case letters, digits and hyphens, at most so many of
// them; what is neither becomes a hyphen. It is empty where nothing is left.
func toSlug(s string, most int) string {
	s = strings.TrimLeft(noSlug().ReplaceAllString(strings.ToLower(s), "-"), "-")
	return strings.TrimRight(s[:min(len(s), most)], "-")
}

// mapTags returns the tags as records have them, after the remap, and says what
// became of those that were written in another way.
func (r *reader) mapTags(raw []string) (tags, notes []string) {
	if len(raw) > maxList {
		notes = append(notes, fmt.Sprintf("it has %d tags: only the first %d were read", len(raw), maxList))
		raw = raw[:maxList]
	}
	taken := map[string]bool{}
	for _, tag := range raw {
		tag, _ = tidyText(tag)
		name := toSlug(tag, maxTag)
		if to, ok := r.opts.Remap.Tag[tag]; ok {
			name = toSlug(to, maxTag)
		} else if to, ok := r.opts.Remap.Tag[name]; ok {
			name = toSlug(to, maxTag)
		} else if name != tag && name != "" {
			notes = append(notes, fmt.Sprintf("the tag %q became %q", clean.Truncate(tag, maxShown), name))
		}
		switch {
		case tag == "" || taken[name]:
		case name == "":
			notes = append(notes,
				fmt.Sprintf("the tag %q has no letters or digits of ASCII and was left out", clean.Truncate(tag, maxShown)))
		case len(tags) == maxTags:
			notes = append(notes,
				fmt.Sprintf("the tag %q was left out: a record has at most %d", name, maxTags))
		default:
			taken[name] = true
			tags = append(tags, name)
		}
	}
	return tags, notes
}

// mapTopic returns the topic that a name such as warehouse/snowflake means, after
// the remap. A name that has no such form gives the empty string.
func (r *reader) mapTopic(name string) string {
	var segments []string
	for segment := range strings.SplitSeq(name, "/") {
		// An underscore may stand within a segment, and nothing else but a hyphen.
		parts := strings.Split(segment, "_")
		for i := range parts {
			parts[i] = toSlug(parts[i], maxTopic)
		}
		if s := strings.Trim(strings.Join(parts, "_"), "_-"); s != "" {
			segments = append(segments, s)
		}
	}
	topic := strings.Join(segments, "/")
	for len(topic) > maxTopic && len(segments) > 1 {
		segments = segments[:len(segments)-1]
		topic = strings.Join(segments, "/")
	}
	if len(topic) > maxTopic {
		return ""
	}
	return remapTopic(topic, r.opts.Remap.Topic)
}

// remapTopic renames the topic, or the longest part that it begins with.
func remapTopic(topic string, names map[string]string) string {
	for head := topic; head != ""; {
		if to, ok := names[head]; ok {
			return strings.Trim(to+topic[len(head):], "/")
		}
		cut := strings.LastIndexByte(head, '/')
		head = head[:max(cut, 0)]
	}
	return topic
}

// mapAuthor returns the name of an author after the remap.
func (r *reader) mapAuthor(name string) string {
	name, _ = tidyText(name)
	if to, ok := r.opts.Remap.Author[name]; ok {
		name = to
	}
	if len(name) > maxNamed {
		r.addRemark(fmt.Sprintf("a name of more than %d bytes was left out", maxNamed))
		return ""
	}
	return name
}

// setConfidence takes in the word for a number from 0 to 1, or the word itself.
func (m *memory) setConfidence(o object) {
	s := strings.ToLower(strings.TrimSpace(o.text("confidence")))
	n, ok := o.number("confidence")
	switch {
	case s == "", s == "low", s == "medium", s == "high":
		m.doc.Confidence = s
	case !ok || n < 0 || n > 1:
		m.addNote("the confidence is no number from 0 to 1 and was left out")
	case n < .55:
		m.doc.Confidence = "low"
	case n < .8:
		m.doc.Confidence = "medium"
	default:
		m.doc.Confidence = "high"
	}
}

// setImpact takes in the word for an impact. What is critical is said by people
// here, not by a file.
func (m *memory) setImpact(s string) {
	switch s = strings.ToLower(strings.TrimSpace(s)); s {
	case "", "low", "medium", "high":
		m.doc.Impact = s
	case "med":
		m.doc.Impact = "medium"
	case "crit", "critical":
		m.doc.Impact = "high"
		m.addNote("the impact was critical and became high: only people say here what is critical")
	default:
		m.addNote("the impact is not known and was left out")
	}
}

// setKind sets the kind of a note for a word of the source. A word that is not
// known becomes a tag.
func (m *memory) setKind(word string) {
	word, _ = tidyText(word)
	k, known := packet.NoteKind(word)
	if m.doc.Kind = cmp.Or(k, "fact"); known || word == "" {
		return
	}
	tag := toSlug("kind-"+word, maxTag)
	m.addNote("the kind %q is not known: it became a fact with the tag %q", clean.Truncate(word, maxShown), tag)
	switch {
	case len(m.doc.Tags) == maxTags:
		m.addNote("there is no place for the tag %q", tag)
	case !slices.Contains(m.doc.Tags, tag):
		m.doc.Tags = append(m.doc.Tags, tag)
	}
}

// citePath returns the path as it stands in a citation, or false where it does
// not lie below the top of the repository.
func citePath(p string) (string, bool) {
	p, _ = tidyText(p)
	p = strings.ReplaceAll(p, `\`, "/")
	p = strings.TrimPrefix(p, "./")
	drive := len(p) > 1 && p[1] == ':'
	bad := p == "" || p[0] == '/' || p[0] == '~' || drive || len(p) > 512 || strings.ContainsAny(p, "\n\t") ||
		strings.Contains(p, "://")
	for segment := range strings.SplitSeq(p, "/") {
		bad = bad || segment == ".."
	}
	return p, !bad
}
