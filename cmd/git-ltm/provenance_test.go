package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestProvenance plants strings in every kind of record and event, by people who are trusted here and by
// people who are not, and looks at every output. Each string has a number, by which it says who wrote it.
//
// What hooks add to a session holds no string of somebody who is not trusted, not even a name. Where a string
// is shown on request, the name of whoever wrote it stands beside it, and never only that of somebody else.
// SPEC.
//
// With LTM_TEST_PROVENANCE=all each level of trust goes through each delivery and each host; otherwise they
// take turns.
func TestProvenance(t *testing.T) {
	t.Parallel()
	turn := 0
	for _, level := range distrusts() {
		for _, way := range deliveries() {
			turn++
			if os.Getenv("LTM_TEST_PROVENANCE") != "all" && !level.always[way.name] ||
				way.name == "by the program" && level.key != "" {
				continue // The program signs with keys of its user alone, and well.
			}
			t.Run(level.name+"/"+way.name, func(t *testing.T) {
				t.Parallel()
				s := newStage(t, level, turn)
				way.do(t, s)
				s.answers(t)
				s.look(t)
				s.verdict(t)
			})
		}
	}
}

// distrust is a reason why what somebody wrote is not trusted here.
type distrust struct {
	name   string
	key    string // whose key signs; "" for none
	store  string // the store that the signature names
	broken bool   // the signature is over something else
	always map[string]bool
}

// distrusts are all the reasons. What a key signed that has expired since is trusted (SPEC ).
func distrusts() []distrust {
	fetched := map[string]bool{"fetched": true}
	return []distrust{
		{name: "unsigned", always: map[string]bool{"fetched": true, "by the program": true}},
		{name: "unknown key", key: "mallory", store: stageStore},
		{name: "bad signature", key: "bob", store: stageStore, broken: true, always: fetched},
		{name: "other store", key: "bob", store: "another-store"},
	}
}

// delivery is how what others wrote comes into the clone.
type delivery struct {
	name string
	do   func(t *testing.T, s *stage)
}

func deliveries() []delivery {
	return []delivery{
		{"fetched", func(t *testing.T, s *stage) {
			t.Helper()
			s.plantAll(t)
			s.git(t, s.dir, "fetch", "-q", "origin", "+refs/ltm/*:refs/ltm-remotes/origin/*")
		}},
		{"pulled", func(t *testing.T, s *stage) {
			t.Helper()
			s.plantAll(t)
			s.pull(t)
		}},
		{"by the program", func(t *testing.T, s *stage) {
			t.Helper()
			s.must(t, "", "push")
			s.typeAll(t)
			s.pull(t)
		}},
	}
}

// stageStore is the id of the store of the clone.
const stageStore = "stage-store"

// writer is who wrote a string, and in what.
type writer struct {
	number  int
	name    string // "" where nobody is named
	trusted bool
	what    string // such as "event set" or "note pitfall"
	about   string // the record that an event speaks of: the owner's or the stranger's
}

func (w writer) String() string {
	who := "a stranger's "
	if w.trusted {
		who = "a trusted "
	}
	if w.name == "" {
		who = "a nameless "
	}
	return who + w.what + w.about
}

// text is a string of the writer, which says in which member it stands. It fits where words are bounded to
// letters and digits.
func (w writer) text(member string) string { return fmt.Sprintf("qt%04d%s", w.number, member) }

// The forms of strings and of names.
var (
	plantedText = regexp.MustCompile(`[qQ]t(0[01]\d{2})[A-Za-z]*`)
	plantedName = regexp.MustCompile(`[qQ]n(0[01]\d{2})|Ada Tester`)
	anyID       = regexp.MustCompile(`(?i)01[0-9A-HJKMNP-TV-Z]{24}`)
	nameless    = regexp.MustCompile(`(?i)unsigned|unknown|unnamed|nobody|not trusted|no name`)
)

// The words by which hooks and searches ask; every record holds the first.
const (
	stageWord    = "qzloom7"
	stageCommand = "qzfrobnicate --now"
	stagePath    = "qzgen/api.go"
)

// newWriter is somebody who writes one record or event.
func (s *stage) newWriter(what, about string, trusted bool) writer {
	n := len(s.writers)
	w := writer{number: n, name: fmt.Sprintf("Qn%04d Doe", n), what: what, about: about, trusted: trusted}
	s.writers = append(s.writers, w)
	return w
}

// owner is the writer of one thing that is made in the clone.
func (s *stage) owner(what, about string) writer {
	w := s.newWriter(what, about, true)
	w.name = "Ada Tester"
	s.writers[w.number] = w
	return w
}

// verdict tells all that was found, each kind of violation once, with how often and where it was seen first.
func (s *stage) verdict(t *testing.T) {
	t.Helper()
	for _, key := range slices.Sorted(maps.Keys(s.found)) {
		f := s.found[key]
		t.Errorf("%s, %d times:\n%s\nfirst in %s:\n%s", key, f.times,
			strings.Join(slices.Sorted(maps.Keys(f.of)), "\n"), f.where, f.excerpt)
	}
	never := map[string]bool{}
	for _, w := range s.writers {
		if !s.seen[w.number] && w.trusted {
			never[w.String()] = true
		}
	}
	if len(never) > 0 && s.whole() {
		t.Errorf("shown by no output: %s", strings.Join(slices.Sorted(maps.Keys(never)), ", "))
	}
}

// violation is one kind of thing that must not be, in one output.
type violation struct {
	times          int
	of             map[string]bool // strings by the member and the record
	where, excerpt string
}

func (s *stage) violates(where, group, problem, excerpt string, w writer, member string) {
	key := group + ": " + problem
	f := s.found[key]
	if f == nil {
		f = &violation{where: where, excerpt: cutTo(excerpt, 700), of: map[string]bool{}}
		s.found[key] = f
	}
	f.times++
	f.of["  "+member+" of "+w.String()] = true
}

func cutTo(text string, most int) string {
	if len(text) > most {
		return text[:most] + " ..."
	}
	return text
}

// memberOf is the member that a planted string says it stands in.
func memberOf(planted string) string { return strings.ToLower(planted[len("qt0000"):]) }

// withoutChance is a text in which no id of a record, which is random, looks like something planted.
func withoutChance(text string) string {
	return anyID.ReplaceAllStringFunc(text, strings.NewReplacer("q", "0", "Q", "0").Replace)
}

// automatic checks an output that nobody asked for.
func (s *stage) automatic(where, group, text string) {
	text = withoutChance(text)
	for _, form := range []*regexp.Regexp{plantedText, plantedName} {
		for _, at := range form.FindAllStringSubmatchIndex(text, -1) {
			if at[2] < 0 {
				continue
			}
			w := s.writers[numbered(text[at[2]:at[3]])]
			s.seen[w.number] = true
			member := "name"
			if form == plantedText {
				member = memberOf(text[at[0]:at[1]])
			}
			if !w.trusted {
				s.violates(where, group, "not trusted, and shown automatically", lineAround(text, at[0]), w,
					member)
			}
		}
	}
}

func numbered(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		panic(err)
	}
	return n
}

// lineAround is the line at a place of a text.
func lineAround(text string, at int) string {
	from := strings.LastIndex(text[:at], "\n") + 1
	if end := strings.Index(text[at:], "\n"); end >= 0 {
		return strings.TrimSpace(text[max(from, at-300) : at+end])
	}
	return text[max(from, at-300):]
}

// named tells whether a piece of output names somebody, and whether it names the writer.
func (w writer) named(piece string) (anybody, own bool) {
	for _, name := range plantedName.FindAllString(piece, -1) {
		anybody = true
		own = own || w.name != "" && strings.HasPrefix(strings.ToLower(w.name), strings.ToLower(name))
	}
	if w.name == "" && nameless.MatchString(piece) {
		return true, true
	}
	return anybody, own
}

// beside checks that of the pieces of an output around a string, from the nearest to the widest, the first
// that names anybody names the writer. What somebody wrote who is trusted may stand beside no name, and what
// a program prints as it is stored too, where nobody is named in it.
func (s *stage) beside(where, group, planted string, pieces ...string) {
	w := s.writers[numbered(planted[2:6])]
	s.seen[w.number] = true
	member := memberOf(planted)
	for _, piece := range pieces {
		anybody, own := w.named(piece)
		if own {
			return
		}
		if anybody {
			s.violates(where, group, "beside the name of somebody else", pieces[0]+"\n  within: "+piece, w,
				member)
			return
		}
	}
	stored := w.name == "" &&
		slices.Contains([]string{"export --all", "show --json", "export --format markdown"}, group)
	// A place of a graph has edges to who names it.
	if !w.trusted && !stored && (member != "path" || !strings.Contains(group, "graph")) {
		s.violates(where, group, "beside no name", pieces[0], w, member)
	}
}

// The forms of lines.
var (
	itemBegins = regexp.MustCompile(
		`^(\|? *(- |[0-9]+\. |## )|\* |[0-9A-HJKMNP-TV-Z]{26}\b|(\| )?\d{4}-\d\d-\d\dT|[A-Z][!?]? )`)
	blankLine  = regexp.MustCompile(`^\|? *$`)
	headAuthor = regexp.MustCompile(`(?m)^(?:\| )?(Author|provenance): .*$|written by .*$`)
)

// lines checks a text of lines: the name stands in the same line, else in the item around it, else in the
// head of the output.
func (s *stage) lines(where, group, text string) {
	all := strings.Split(text, "\n")
	head := strings.Join(headAuthor.FindAllString(text, 1), "\n")
	for i, line := range all {
		for _, planted := range plantedText.FindAllString(line, -1) {
			from, to := i, i+1
			for from > 0 && !itemBegins.MatchString(all[from]) && !blankLine.MatchString(all[from-1]) {
				from--
			}
			for to < len(all) && !itemBegins.MatchString(all[to]) && !blankLine.MatchString(all[to]) {
				to++
			}
			field := fieldOf(line, planted)
			if w := s.writers[numbered(planted[2:6])]; w.trusted && field != line &&
				!plantedName.MatchString(field) {
				s.seen[w.number] = true // In a table the name beside another field is for that field.
				continue
			}
			s.beside(where, group, planted, field, line, strings.Join(all[from:to], "\n"), head)
		}
	}
}

// fieldOf is the part of a line of a table that holds a string.
func fieldOf(line, planted string) string {
	for field := range strings.SplitSeq(line, "\t") {
		if strings.Contains(field, planted) {
			return field
		}
	}
	return line
}

// json checks JSON, one value or one a line: the name stands in the same object, else in the nearest around
// it.
func (s *stage) json(where, group, text string) {
	dec := json.NewDecoder(strings.NewReader(text))
	for dec.More() {
		var v any
		if err := dec.Decode(&v); err != nil {
			s.lines(where, group, text)
			return
		}
		s.value(where, group, v, nil)
	}
}

// value walks a value of JSON. The pieces are the objects around it, the innermost first.
func (s *stage) value(where, group string, v any, around []string) {
	switch v := v.(type) {
	case string:
		for _, planted := range plantedText.FindAllString(v, -1) {
			s.beside(where, group, planted, append([]string{v}, around...)...)
		}
	case []any:
		for _, item := range v {
			s.value(where, group, item, around)
		}
	case map[string]any:
		around = append([]string{strings.Join(own(v), "\n")}, around...)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			s.value(where, group, v[name], around)
		}
	}
}

// own are the strings of an object, also those of objects that are no items of a list.
func own(object map[string]any) (all []string) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		switch v := object[name].(type) {
		case string:
			all = append(all, name+": "+v)
		case map[string]any:
			all = append(all, own(v)...)
		}
	}
	return all
}

// The forms of pages.
var (
	pageTag    = regexp.MustCompile(`<(/?)([a-z0-9]+)[^>]*>`)
	pageBlocks = []string{"li", "article", "section", "summary", "tr", "aside", "details", "figure"}
	pageAuthor = regexp.MustCompile(`<dt>Author</dt><dd>[^<]*</dd>`)
	pageData   = regexp.MustCompile(`(?s)<script[^>]*type="application/json"[^>]*>(.*?)</script>`)
	pageScript = regexp.MustCompile(`(?s)<(script|style)\b.*?</(script|style)>`)
)

// page checks HTML: the name stands in the same block, else in the nearest around it, else where a page of
// one record names its author.
func (s *stage) page(where, group, text string) {
	for _, data := range pageData.FindAllStringSubmatch(text, -1) {
		s.json(where, group, data[1])
	}
	text = pageScript.ReplaceAllString(text, "")
	head := strings.Join(pageAuthor.FindAllString(text, 1), "\n")
	blocks := blocksOf(text)
	for _, at := range plantedText.FindAllStringIndex(text, -1) {
		if strings.LastIndexByte(text[:at[0]], '<') > strings.LastIndexByte(text[:at[0]], '>') {
			continue // It stands in a tag, as the address of a link does.
		}
		line := lineAround(text, at[0])
		pieces := []string{strings.Join(strings.Fields(pageTag.ReplaceAllString(line, " ")), " ")}
		for _, block := range blocks {
			if block[0] <= at[0] && at[1] <= block[1] {
				pieces = append(pieces,
					strings.Join(strings.Fields(pageTag.ReplaceAllString(text[block[0]:block[1]], " ")), " "))
			}
		}
		s.beside(where, group, text[at[0]:at[1]], append(pieces, head)...)
	}
}

// blocksOf are the places of the blocks of a page, an inner one before the one around it.
func blocksOf(text string) (blocks [][2]int) {
	type open struct {
		name string
		at   int
	}
	var stack []open
	for _, tag := range pageTag.FindAllStringSubmatchIndex(text, -1) {
		name := text[tag[4]:tag[5]]
		if !slices.Contains(pageBlocks, name) {
			continue
		}
		if tag[2] == tag[3] {
			stack = append(stack, open{name, tag[0]})
			continue
		}
		for len(stack) > 0 {
			last := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			blocks = append(blocks, [2]int{last.at, tag[1]})
			if last.name == name {
				break
			}
		}
	}
	return blocks
}

// digestOf is the digest of bytes, as the trailer of a signature names it.
func digestOf(data []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(data)) }
