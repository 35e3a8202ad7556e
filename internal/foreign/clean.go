package foreign

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/packet"
)

const (
	maxList  = 64 // of what a memory has several of
	maxTags  = 16
	maxTag   = 32
	maxTopic = 128
	maxNamed = 160 // bytes of a name in a provenance
)

// tidy returns text with line ends as they are here, without the characters
// that no record may have, and without blank space around it. It tells whether
// such characters were there.
func tidy(text string) (tidied string, odd bool) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	valid := strings.ToValidUTF8(text, "\uFFFD")
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

// slug returns s as lower-case letters, digits and hyphens, at most so many of
// them; what is neither becomes a hyphen. It is empty where nothing is left.
func slug(s string, most int) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		if b.Len() >= most {
			break
		}
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.TrimRight(b.String(), "-")
}

// tags returns the tags as records have them, after the remap, and says what
// became of those that were written in another way.
func (r *reader) tags(raw []string) (tags, notes []string) {
	if len(raw) > maxList {
		notes = append(notes, fmt.Sprintf("it has %d tags: only the first %d were read", len(raw), maxList))
		raw = raw[:maxList]
	}
	taken := map[string]bool{}
	for _, tag := range raw {
		tag, _ = tidy(tag)
		name := slug(tag, maxTag)
		if to, ok := r.opts.Remap.Tag[tag]; ok {
			name = slug(to, maxTag)
		} else if to, ok := r.opts.Remap.Tag[name]; ok {
			name = slug(to, maxTag)
		} else if name != tag && name != "" {
			notes = append(notes, fmt.Sprintf("the tag %q became %q", short(tag), name))
		}
		switch {
		case tag == "" || taken[name]:
		case name == "":
			notes = append(notes, fmt.Sprintf("the tag %q has no letters or digits of ASCII and was left out", short(tag)))
		case len(tags) == maxTags:
			notes = append(notes, fmt.Sprintf("the tag %q was left out: a record has at most %d", name, maxTags))
		default:
			taken[name] = true
			tags = append(tags, name)
		}
	}
	return tags, notes
}

// topic returns the topic that a name such as warehouse/snowflake means, after
// the remap. A name that has no such form gives the empty string.
func (r *reader) topic(name string) string {
	var segments []string
	for segment := range strings.SplitSeq(name, "/") {
		// An underscore may stand within a segment, and nothing else but a hyphen.
		parts := strings.Split(segment, "_")
		for i := range parts {
			parts[i] = slug(parts[i], maxTopic)
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

// author returns the name of an author after the remap.
func (r *reader) author(name string) string {
	name, _ = tidy(name)
	if to, ok := r.opts.Remap.Author[name]; ok {
		name = to
	}
	if len(name) > maxNamed {
		r.remark(fmt.Sprintf("a name of more than %d bytes was left out", maxNamed))
		return ""
	}
	return name
}

// confidence returns the word for a number from 0 to 1, or for the word itself.
func confidence(o object) (word, note string) {
	s := strings.ToLower(strings.TrimSpace(o.text("confidence")))
	switch s {
	case "", "low", "medium", "high":
		return s, ""
	}
	n, ok := o.number("confidence")
	switch {
	case !ok || n < 0 || n > 1 || math.IsNaN(n):
		return "", "the confidence is no number from 0 to 1 and was left out"
	case n < .55:
		return "low", ""
	case n < .8:
		return "medium", ""
	}
	return "high", ""
}

// impact returns the word for an impact. What is critical is said by people
// here, not by a file.
func impact(s string) (word, note string) {
	switch s = strings.ToLower(strings.TrimSpace(s)); s {
	case "", "low", "medium", "high":
		return s, ""
	case "med":
		return "medium", ""
	case "crit", "critical":
		return "high", "the impact was critical and became high: only people say here what is critical"
	}
	return "", "the impact is none that is known and was left out"
}

// kind returns the kind of a note for a word of the source. The word is kept as
// a tag where it is not known.
func kind(word string) (kind, tag, note string) {
	word, _ = tidy(word)
	if word == "" {
		return "fact", "", ""
	}
	if k, ok := packet.NoteKind(word); ok {
		return k, "", ""
	}
	tag = slug("kind-"+word, maxTag)
	return "fact", tag, fmt.Sprintf("the kind %q is not known: it became a fact with the tag %q", short(word), tag)
}

// short cuts what is only shown.
func short(s string) string {
	const most = 48
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "..."
}

// citePath returns the path as it stands in a citation, or false where it does
// not lie below the top of the repository.
func citePath(p string) (string, bool) {
	p, _ = tidy(p)
	p = strings.ReplaceAll(p, `\`, "/")
	p = strings.TrimPrefix(p, "./")
	drive := len(p) > 1 && p[1] == ':'
	bad := p == "" || p[0] == '/' || p[0] == '~' || drive || len(p) > 512 || strings.ContainsAny(p, "\n\t") || strings.Contains(p, "://")
	for segment := range strings.SplitSeq(p, "/") {
		bad = bad || segment == ".."
	}
	return p, !bad
}
