package graph

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The style and the script of the page. Its policy names their digests, so
// that a browser runs nothing else.
var (
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	pageScript string
)

const (
	// pageColumns bounds a label of the page.
	pageColumns = 600
	// openRecords is how many records a page may have to begin with all
	// threads open.
	openRecords = 150
)

// HTML writes one page that needs nothing else and asks nobody for anything.
// Without script it is a list of threads; with it, there is a drawing of them
// over time, a filter, and what hangs together is lit up.
func (g Graph) HTML(w io.Writer, title string) error {
	p := &page{forest: plant(g), out: new(strings.Builder), title: shown(cmp.Or(title, "Records"), 120)}
	p.printf(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-%s'; script-src 'sha256-%s'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>%s</title>
<style>%s</style>
</head>
<body>
<header>
<h1>%s</h1>
<p class="sum">%s</p>
</header>
<main>
<div id="tools" class="tools" hidden>
<label class="search"><span>Filter</span><input id="filter" type="search" autocomplete="off" spellcheck="false" placeholder="words, a person, a branch, a state, an id"></label>
<div id="kinds" class="kinds" role="group" aria-label="Kinds of records"></div>
<p id="count" class="count" role="status"></p>
</div>
<section id="picture" class="picture" aria-label="Threads over time" hidden></section>
<aside id="chosen" class="chosen" aria-live="polite" aria-label="The chosen record" hidden></aside>
<section id="list" class="list" aria-label="All records">
`, digest(pageStyle), digest(pageScript), p.title, markup(pageStyle), p.title, p.sum())
	begun := false
	for _, root := range p.roots {
		if len(p.children[root]) == 0 {
			continue
		}
		if !begun {
			p.printf("<h2>Threads</h2>\n")
			begun = true
		}
		p.thread(root)
	}
	var alone []int
	for _, root := range p.roots {
		if len(p.children[root]) == 0 {
			alone = append(alone, root)
		}
	}
	p.groups("Records in no thread", alone)
	var all []int
	for i := range p.Nodes {
		if p.trunkOf[i] == none && p.isAside(i) {
			all = append(all, i)
		}
	}
	p.groups("What records speak of", all)
	p.printf("</section>\n</main>\n<footer><p>Made by git ltm. What records say is shown as they say it; nothing in it was run.</p></footer>\n")
	p.printf("<script id=\"data\" type=\"application/json\">%s</script>\n", markup(p.data()))
	p.printf("<script>%s</script>\n</body>\n</html>\n", markup(pageScript))
	return write(w, p.out)
}

// A page writes the HTML of one graph.
type page struct {
	*forest
	out   *strings.Builder
	title string
}

// printf writes a piece of HTML. Strings are escaped; numbers and markup are
// what they are.
func (p *page) printf(format string, args ...any) {
	for i, arg := range args {
		switch arg := arg.(type) {
		case string:
			args[i] = htmlEscape(arg)
		case markup:
			args[i] = string(arg)
		}
	}
	fmt.Fprintf(p.out, format, args...)
}

// Markup is HTML that this package made.
type markup string

// htmlEscape returns s for a text and for an attribute in quotes.
func htmlEscape(s string) string {
	if !strings.ContainsAny(s, "&<>\"'`") {
		return s
	}
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "`", "&#96;").Replace(s)
}

// digest returns the digest by which a policy allows a style or a script.
func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// sum says how much there is and of what time.
func (p *page) sum() string {
	count := map[Kind]int{}
	var first, last time.Time
	for _, n := range p.Nodes {
		count[n.Kind]++
		if n.At.IsZero() {
			continue
		}
		if last.IsZero() {
			last = n.At
		}
		first = n.At
	}
	var parts []string
	for _, l := range looks {
		if n := count[l.kind]; n > 0 {
			parts = append(parts, plural(n, string(l.kind)))
		}
	}
	if !last.IsZero() {
		parts = append(parts, span(first, last))
	}
	return strings.Join(parts, " · ")
}

// plural counts a word.
func plural(n int, word string) string {
	switch {
	case n == 1 || word == string(Missing):
		return strconv.Itoa(n) + " " + word
	default:
		return strconv.Itoa(n) + " " + word + "s"
	}
}

// span names the days from the first to the last.
func span(first, last time.Time) string {
	if day(first) == day(last) {
		return day(first)
	}
	return day(first) + " to " + day(last)
}

// thread writes one thread, the newest record first.
func (p *page) thread(root int) {
	var steps []step
	p.walk(root, 0, func(s step) {
		if !s.joins {
			steps = append(steps, s)
		}
	})
	newest := p.Nodes[p.newest[root]]
	first, last := newest.At, newest.At
	for _, s := range steps {
		if at := p.Nodes[s.node].At; !at.IsZero() && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	where := ""
	if newest.Branch != "" {
		where = " · " + shown(newest.Branch, 60)
	}
	if !last.IsZero() {
		where += " · " + span(first, last)
	}
	p.open(shown(labelOf(newest), 160), plural(len(steps), "record")+where)
	for _, s := range steps {
		p.record(s.node, s.depth)
	}
	p.close()
}

// open begins a part of the list, which opens and shuts.
func (p *page) open(what, meta string) {
	open := markup("")
	if len(p.Nodes) <= openRecords {
		open = " open"
	}
	p.printf("<details%s>\n<summary><span class=\"what\">%s</span> <span class=\"meta\">%s</span></summary>\n<ol>\n", open, what, meta)
}

// close ends a part of the list.
func (p *page) close() {
	p.printf("</ol>\n</details>\n")
}

// groups writes nodes by kind.
func (p *page) groups(heading string, nodes []int) {
	if len(nodes) == 0 {
		return
	}
	p.printf("<h2>%s</h2>\n", heading)
	slices.SortStableFunc(nodes, func(a, b int) int { return cmp.Compare(kindRank(p.Nodes[a].Kind), kindRank(p.Nodes[b].Kind)) })
	for len(nodes) > 0 {
		n := 1
		for n < len(nodes) && kindRank(p.Nodes[nodes[n]].Kind) == kindRank(p.Nodes[nodes[0]].Kind) {
			n++
		}
		p.open(lookOf(p.Nodes[nodes[0]].Kind).heading, strconv.Itoa(n))
		for _, i := range nodes[:n] {
			p.record(i, 0)
		}
		p.close()
		nodes = nodes[n:]
	}
}

// record writes one node with what it has to do with.
func (p *page) record(i, depth int) {
	n := p.Nodes[i]
	past := markup("")
	if isPast(n) {
		past = " past"
	}
	p.printf("<li id=\"n%d\" class=\"record k-%s d%d%s\">\n<p class=\"label\">%s</p>\n<p class=\"meta\"><span class=\"kind\">%s</span> ",
		i+1, class(n.Kind), min(depth, 4), past, p.caption(i), kindOf(n))
	if n.Kind != File {
		p.printf("<code title=\"%s\">%s</code>", shown(n.ID, 120), name(n))
	}
	for _, s := range n.States {
		p.printf(" <span class=\"state\">%s</span>", shown(string(s), 24))
	}
	if !n.At.IsZero() {
		p.printf(" <time datetime=\"%s\">%s</time>", n.At.Format(time.RFC3339), n.At.Format("2006-01-02 15:04"))
	}
	if who := signature(n); who != "" {
		p.printf(" <span class=\"who\">%s</span>", who)
	}
	p.printf("</p>\n")
	p.relations(i)
	p.printf("</li>\n")
}

// caption is the text of a node in the list.
func (p *page) caption(i int) string {
	n := p.Nodes[i]
	if n.Kind == File {
		return name(n)
	}
	return shown(cmp.Or(labelOf(n), n.Short), pageColumns)
}

// relations writes the edges of a node as links.
func (p *page) relations(i int) {
	var all []mention
	if on := p.trunkOf[i]; on != none {
		all = append(all, mention{none, on, string(Continues)})
	}
	all = append(all, p.mentions(i)...)
	if len(all) == 0 {
		return
	}
	p.printf("<ul>\n")
	for k, m := range all {
		if k == maxMentions {
			p.printf("<li>and %d more</li>\n", len(all)-k)
			break
		}
		n, label := p.Nodes[m.other], ""
		if text := n.Text(); n.Kind != File && text != "" {
			label = " " + shown(text, 80) + byOther(n, p.Nodes[i])
		}
		p.printf("<li>%s <a href=\"#n%d\">%s</a>%s</li>\n", m.words, m.other+1, p.target(m), label)
	}
	p.printf("</ul>\n")
}

// class is the class of a kind in the style.
func class(k Kind) string {
	if kindRank(k) < 0 {
		return "other"
	}
	return string(k)
}

// Drawn is what the script of the page draws from. Nodes are meant by where
// they stand in the list.
type drawn struct {
	Nodes  []drawnNode `json:"nodes"`
	Edges  []drawnEdge `json:"edges"`
	Chains [][]int     `json:"chains"` // Lines of threads, the newest node first.
}

// A drawnNode is a node of the page.
type drawnNode struct {
	Short  string   `json:"short"`
	Kind   string   `json:"kind"`
	Class  string   `json:"class"`
	Label  string   `json:"label"`
	States []string `json:"states,omitempty"`
	Past   bool     `json:"past,omitempty"`
	Aside  bool     `json:"aside,omitempty"`
	Author string   `json:"author,omitempty"`
	Branch string   `json:"branch,omitempty"`
	At     string   `json:"at,omitempty"`
	On     int      `json:"on"` // The node that it hangs on, or -1.
}

// A drawnEdge is an edge that is not part of a thread.
type drawnEdge struct {
	From  int    `json:"from"`
	To    int    `json:"to"`
	Kind  string `json:"kind"`
	Label string `json:"label,omitempty"`
}

// data returns the nodes and edges as JSON in which no character can end the
// element that it stands in: <, > and & are spelled as \u003c and the like.
func (p *page) data() string {
	d := drawn{Nodes: []drawnNode{}, Edges: []drawnEdge{}, Chains: [][]int{}}
	for i := range p.Nodes {
		d.Nodes = append(d.Nodes, p.drawnNode(i))
	}
	for _, e := range p.Edges {
		from, to := p.index[e.From], p.index[e.To]
		if e.Kind != Continues || p.trunkOf[from] != to {
			d.Edges = append(d.Edges, drawnEdge{from, to, said(e.Kind), e.words(p.Nodes[from])})
		}
	}
	for _, root := range p.roots {
		d.Chains = append(d.Chains, p.chains(root)...)
	}
	text, err := json.Marshal(d)
	if err != nil { // Strings and numbers can always be encoded.
		return "{}"
	}
	return string(text)
}

// drawnNode returns what the script knows of a node.
func (p *page) drawnNode(i int) drawnNode {
	n := p.Nodes[i]
	d := drawnNode{
		Short: name(n), Kind: kindOf(n), Class: class(n.Kind), Label: p.caption(i), Past: isPast(n),
		Aside: p.trunkOf[i] == none && p.isAside(i), Author: shown(n.Author(), 60), Branch: shown(n.Branch, 60), On: p.trunkOf[i],
	}
	for _, s := range n.States {
		d.States = append(d.States, shown(string(s), 24))
	}
	if !n.At.IsZero() {
		d.At = n.At.Format(time.RFC3339)
	}
	return d
}

// chains returns the line that ends at root and all that branch off from it.
func (f *forest) chains(root int) [][]int {
	var all [][]int
	todo := []int{root}
	for len(todo) > 0 {
		line := f.chain(todo[0])
		todo = todo[1:]
		all = append(all, line)
		for _, i := range line {
			if sides := f.children[i]; len(sides) > 1 {
				todo = append(todo, sides[1:]...)
			}
		}
	}
	return all
}
