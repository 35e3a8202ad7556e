package foreign

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
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

// tidyText returns text with line ends as they are here, without the characters
// that no record may have, and without blank space around it. It tells whether
// such characters were there.
func tidyText(text string) (tidied string, odd bool) {
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

// toSlug returns s as lower-case letters, digits and hyphens, at most so many of
// them; what is neither becomes a hyphen. It is empty where nothing is left.
func toSlug(s string, most int) string {
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
			notes = append(notes, fmt.Sprintf("the tag %q became %q", shortenText(tag), name))
		}
		switch {
		case tag == "" || taken[name]:
		case name == "":
			notes = append(notes,
				fmt.Sprintf("the tag %q has no letters or digits of ASCII and was left out", shortenText(tag)))
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
		r.remark(fmt.Sprintf("a name of more than %d bytes was left out", maxNamed))
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
		m.note("the confidence is no number from 0 to 1 and was left out")
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
		m.note("the impact was critical and became high: only people say here what is critical")
	default:
		m.note("the impact is not known and was left out")
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
	m.note("the kind %q is not known: it became a fact with the tag %q", shortenText(word), tag)
	switch {
	case len(m.doc.Tags) == maxTags:
		m.note("there is no place for the tag %q", tag)
	case !slices.Contains(m.doc.Tags, tag):
		m.doc.Tags = append(m.doc.Tags, tag)
	}
}

// shortenText cuts what is only shown.
func shortenText(s string) string {
	const most = 48
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "..."
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

const (
	day = 24 * time.Hour
	// defaultSkip is how long a skip lasts whose source does not say.
	defaultSkip = 30
	longestSkip = 365 // days
)

// parseTime reads a time as the sources write it. One without a zone is taken for
// UTC, as their authors do.
func parseTime(s string) (time.Time, bool) {
	s = strings.TrimSpace(s)
	for _, layout := range []string{
		time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05",
		"2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02 15:04",
	} {
		// A fraction of a second may stand after any of them.
		if t, err := time.Parse(layout, s); err == nil {
			return checkYear(t)
		}
	}
	if t, ok := parseDay(s, time.UTC); ok {
		return checkYear(t)
	}
	// Reads seconds or milliseconds since 1970.
	n, err := strconv.ParseFloat(s, 64)
	const seconds = 1e11 // the year 5138
	switch {
	case err != nil || !(n >= 1e8 && n < 1e14): // NaN is neither
		return time.Time{}, false
	case n < seconds:
		n *= 1000
	}
	return checkYear(time.UnixMilli(int64(n)))
}

// checkYear refuses years that RFC 3339 cannot write, and those before computers.
func checkYear(t time.Time) (time.Time, bool) {
	t = t.UTC()
	return t, t.Year() >= 1970 && t.Year() < 9999
}

func parseDay(s string, zone *time.Location) (time.Time, bool) {
	t, err := time.ParseInLocation(time.DateOnly, strings.TrimSpace(s), zone)
	return t, err == nil
}

// An expiry is what a source says about the end of a memory.
type expiry uint8

const (
	neverEnds expiry = iota // it says that there is no end, or nothing
	endsAt                  // it names a moment or a day
	endsAfter               // it names a while, which begins when the memory was made
	unclear                 // it says something else
)

// parseEnd reads when a memory ends. A day lasts to its end, and a word such as
// tomorrow becomes the day that it meant when the memory was made.
func parseEnd(s string, created time.Time, zone *time.Location) (time.Time, expiry) {
	s = strings.ToLower(strings.TrimSpace(s))
	switch s {
	case "", "never", "none", "null", "permanent":
		return time.Time{}, neverEnds
	}
	if t, ok := parseDay(s, zone); ok {
		return checkEnd(endOfDay(t, zone), endsAt)
	}
	// The layouts have their letters in upper case.
	if t, ok := parseTime(strings.ToUpper(s)); ok {
		return t, endsAt
	}
	if days, ok := parseSpan(s); ok {
		return checkEnd(endOfDay(created.In(zone).AddDate(0, 0, days), zone), endsAfter)
	}
	return time.Time{}, unclear
}

func checkEnd(t time.Time, how expiry) (time.Time, expiry) {
	if t, ok := checkYear(t); ok {
		return t, how
	}
	return time.Time{}, unclear
}

func endOfDay(t time.Time, zone *time.Location) time.Time {
	y, m, d := t.In(zone).Date()
	return time.Date(y, m, d, 23, 59, 59, 0, zone)
}

// parseSpan reads a while such as tomorrow, 3d, in 2 weeks, in days.
func parseSpan(s string) (days int, ok bool) {
	switch s {
	case "today", "tonight":
		return 0, true
	case "tomorrow":
		return 1, true
	case "next week":
		return 7, true
	case "next month":
		return 30, true
	case "next year":
		return longestSkip, true
	}
	s = strings.TrimSpace(strings.TrimPrefix(s, "in "))
	digits := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyz ")
	n, err := strconv.ParseUint(digits, 10, 20)
	if err != nil {
		return 0, false
	}
	switch strings.TrimSuffix(strings.TrimSpace(s[len(digits):]), "s") {
	case "h", "hour":
		return int(n+23) / 24, true
	case "d", "day":
		return int(n), true
	case "w", "week":
		return int(n) * 7, true
	case "mo", "month":
		return int(n) * 30, true
	case "y", "year":
		return int(n) * longestSkip, true
	}
	return 0, false
}

func formatTime(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// setExpiry sets when a note ends. It is called after the time of the memory is
// known.
func (r *reader) setExpiry(m *memory, said string) {
	m.ending = said
	end, how := parseEnd(said, r.madeAt(m), r.opts.Zone)
	switch how {
	case neverEnds:
	case endsAt:
		m.doc.ExpiresAt = formatTime(end)
	case endsAfter:
		m.doc.ExpiresAt, m.assumed = formatTime(end), true
		m.note("it ends on %s, which is what its words meant when it was made", end.Format(time.DateOnly))
	case unclear:
		m.note("when it ends is no date that can be read, and was left out")
	}
}

// skipEnds sets when a skip ends, which it always does.
func (r *reader) skipEnds(m *memory, said string) {
	m.ending, m.skips = said, true
	made := r.madeAt(m)
	end, how := parseEnd(said, made, r.opts.Zone)
	switch how {
	case neverEnds, unclear:
		end = endOfDay(made.AddDate(0, 0, defaultSkip), r.opts.Zone)
		m.note("it does not say when it ends: it lasts for %d days, until %s", defaultSkip,
			end.Format(time.DateOnly))
	case endsAfter:
		m.note("it ends on %s, which is what its words meant when it was made", end.Format(time.DateOnly))
	case endsAt:
	}
	m.assumed = how != endsAt
	if longest := made.Add(longestSkip * day); end.After(longest) && end.Sub(made) > packet.MaxSkip {
		m.note("it was to last until %s: a skip lasts for at most %d days", end.Format(time.DateOnly),
			longestSkip)
		end, m.assumed = longest, true
	}
	if end.Before(made) {
		m.note("it had ended on %s, before it was made: it ends when it was made", end.Format(time.DateOnly))
		end, m.assumed = made, true
	}
	m.doc.ExpiresAt = formatTime(end)
}

// madeAt is when the memory was made, as far as that is known.
func (r *reader) madeAt(m *memory) time.Time {
	if m.created.IsZero() {
		return r.opts.Modified
	}
	return m.created
}
