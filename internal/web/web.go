// Package web shows the memory as pages, on loopback.
//
// The pages are read-only: nothing that a request says changes a record, a ref or a file of the work tree.
// They ask nobody for anything, hold no script, and are told to run none.
// Whoever asks has to know a random token, under the one name and the one port that were given out.
//
// What records say is hostile. It is cleaned, cut where it stands in a list, and escaped for the place that
// it stands in; no address in it becomes a link. The text of a record that is withheld is on no page, and
// what nobody here vouches for says so.
package web

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http" //nolint:depguard // Pages on loopback are what this package is for.
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/report"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// files are the templates of the pages, their style and their icon.
//
//go:embed files
var files embed.FS

// The pages that lists lead to. The page of a record lies below records/.
const (
	timelineName = "index.html"
	notesName    = "notes.html"
	tasksName    = "tasks.html"
	skipsName    = "skips.html"
	recallName   = "recall.html"
	styleName    = "style.css"
	iconName     = "icon.svg"
	recordsPath  = "records/"
	pageSuffix   = ".html"
)

// A site answers requests that the guard let in. One page is made at a time: a memory is not for several at once.
type site struct {
	opts      Options
	turn      chan struct{}             // holds one, for who has the turn
	templates func() (templates, error) // parses them when they are first asked for
}

// readAsset returns a file that pages load.
func readAsset(name string) (data []byte, kind string, ok bool) {
	if kind = map[string]string{styleName: "text/css; charset=utf-8", iconName: "image/svg+xml"}[name]; kind == "" {
		return nil, "", false
	}
	data, err := files.ReadFile("files/" + name)
	return data, kind, err == nil
}

// A view is what one page shows.
type view struct {
	template string // required: which template shows it
	title    string // required
	tab      string // the name of the list that it belongs to; empty for none
	question string // what stands in the box of recall
	body     any
}

// page makes the page of a name, from the memory as it is now.
func (s *site) page(ctx context.Context, name string, query url.Values) (page []byte, err error) {
	m, err := s.opts.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	shelf, err := newShelf(ctx, m, s.opts.Now())
	if err != nil {
		return nil, err
	}
	shelf.root = strings.Repeat("../", strings.Count(name, "/")) // What is told leads from the page.
	v, err := shelf.viewOf(ctx, name, query)
	if err != nil {
		return nil, err
	}
	return s.fillTemplate(name, shelf.frameOf(), v)
}

// message is a page of a few words.
type message struct{ Text string }

// frame is what stands around every page.
type frame struct {
	Title  string
	Name   string   // of the memory
	Branch string   // the one that is checked out
	Root   string   // leads from the page to the top of the site
	Tabs   []choice // lead to the lists

	Question string
	Body     any
}

// fillTemplate fills in the template of a view.
func (s *site) fillTemplate(name string, f frame, v view) ([]byte, error) {
	all, err := s.templates()
	if err != nil {
		return nil, fmt.Errorf("read templates: %w", err)
	}
	f.Title, f.Body, f.Question = v.title, v.body, v.question
	for i := range f.Tabs {
		f.Tabs[i].Here = f.Tabs[i].Href == v.tab
	}
	page, err := all.write(v.template, f)
	if err != nil {
		return nil, fmt.Errorf("write page %q: %w", name, err)
	}
	return page, nil
}

// viewOf finds out what the page of a name shows.
func (s *shelf) viewOf(ctx context.Context, name string, query url.Values) (view, error) {
	if id, ok := strings.CutPrefix(name, recordsPath); ok {
		return s.recordView(ctx, strings.TrimSuffix(id, pageSuffix))
	}
	for _, l := range lists() {
		if l.name == cmp.Or(name, timelineName) {
			return s.listView(ctx, l, query)
		}
	}
	if name == recallName {
		return s.recallView(ctx, query.Get("q"))
	}
	return view{}, errNoPage
}

// A shelf is the memory as pages show it: while one request is answered.
type shelf struct {
	memory *memory.Memory
	rules  *scan.Rules
	now    time.Time
	known  map[string]packet.ID // the packets that are here, by the lasting parts of their ids
	root   string               // leads from the page that is made to the top of the site
}

func newShelf(ctx context.Context, m *memory.Memory, now time.Time) (*shelf, error) {
	s := &shelf{memory: m, now: now, known: map[string]packet.ID{}}
	var err error
	if s.rules, err = m.Rules(ctx); err != nil {
		return nil, err
	}
	listed, err := m.Source().Listing(ctx)
	if err != nil {
		return nil, err
	}
	for _, l := range listed {
		folder, id := path.Split(l.Ref)
		if known, err := packet.ParseID(id); err == nil && path.Base(folder) == "packets" {
			s.known[known.Suffix()] = known
		}
	}
	return s, nil
}

// packetOf returns the packet that another one names, by its id or by an id that it brought along.
func (s *shelf) packetOf(name string) (packet.ID, bool) {
	if id, err := packet.ParseID(name); err == nil {
		known, ok := s.known[id.Suffix()]
		return known, ok && known == id
	}
	id, ok := s.known[packet.DerivedSuffix(name)]
	return id, ok
}

// frameOf is what stands around the pages of this memory.
func (s *shelf) frameOf() frame {
	f := frame{Name: s.memoryName(), Root: s.root, Branch: s.publicText(s.memory.Repo().Head.Branch)}
	for _, l := range lists() {
		f.Tabs = append(f.Tabs, choice{Text: l.title, Href: l.name})
	}
	return f
}

// memoryName is what the memory is called: as the folder of the repository is.
func (s *shelf) memoryName() string {
	if s.memory.IsUser() {
		return "Your memory"
	}
	repo := s.memory.Repo()
	dir := repo.WorkTree
	if dir == "" {
		dir = strings.TrimSuffix(strings.TrimSuffix(repo.CommonDir, ".git"), string(filepath.Separator))
	}
	return s.publicText(filepath.Base(dir))
}

// publicText is a name from outside of the records, such as that of a branch, without the secrets that
// somebody may have put there.
func (s *shelf) publicText(text string) string {
	return s.rules.Public(clean.Line(s.rules.Public(text)))
}

// href leads to the page of a record.
func (s *shelf) href(id packet.ID) string { return s.root + recordsPath + string(id) + pageSuffix }

// The bounds of a question.
const (
	mostAsked   = 400 // characters of it
	mostAnswers = 25
	mostOut     = 5 // of what a gate kept out
)

// answer is a page of what is known about some words.
type answer struct {
	Asked   bool
	Results []result
	More    int
	Out     []out
}

// A result is one thing that a record says, and why it is an answer.
type result struct {
	card
	What  string // the kind of the thing: decision, attempt, pitfall, ...
	Of    string // the kind of the record, where that is another
	Why   string
	Met   string // the words of the question that it meets
	Score int    // of 100
}

// An out is a record that nearly was an answer.
type out struct{ Short, Href, Why string }

// recallView asks the memory. A page counts no use of what it shows: only who reads a record to work with it
// uses it.
func (s *shelf) recallView(ctx context.Context, question string) (v view, err error) {
	question = cutLine(question, mostAsked)
	v = view{template: "recall", title: "Recall", tab: recallName, question: question, body: answer{}}
	if !strings.ContainsFunc(question, func(c rune) bool {
		return unicode.IsLetter(c) || unicode.IsNumber(c)
	}) {
		return v, nil
	}
	r := recall.Open(ctx, s.memory, recall.Options{Now: func() time.Time { return s.now }})
	defer func() { err = errors.Join(err, r.Close()) }()
	found, err := r.Find(ctx, recall.Query{Query: index.Query{Text: question, Limit: mostAnswers}})
	if err != nil {
		return v, err
	}
	told := r.Tell(found, replay.Asked)
	a := answer{Asked: true, More: told.More}
	for i, k := range told.Known {
		a.Results = append(a.Results, s.resultOf(k, found.Found[i]))
	}
	for _, o := range found.Out[:min(len(found.Out), mostOut)] {
		id := packet.ID(o.Hit.ID)
		a.Out = append(a.Out, out{briefing.ShortID(id), s.href(id), s.publicText(o.Why)})
	}
	v.body = a
	return v, nil
}

// resultOf is one answer as the page shows it.
func (s *shelf) resultOf(k briefing.Ranked, f recall.Found) result {
	x := exhibit{Shown: f.Entry, content: f.Entry.Content(), cites: f.Cites}
	text, _ := k.Text.For(replay.Asked)
	why, _ := k.Why.For(replay.Asked)
	r := result{
		card: s.cardOf(x), What: strings.ReplaceAll(clean.Line(k.Kind), "_", " "),
		Why:   cutLine(strings.ReplaceAll(why, "\n", " · "), titleColumns+secondColumns),
		Score: min(100, int(k.Score*100+0.5)),
	}
	r.Title = cutLine(text, titleColumns+secondColumns)
	if r.What != r.Kind {
		r.Of = r.Kind
	}
	var met []string
	for _, word := range k.Met {
		met = append(met, clean.Line(word))
	}
	slices.Sort(met)
	r.Met = strings.Join(slices.Compact(met), ", ")
	if f.Item.Locked {
		r.Marks = append([]mark{{plain, "locked", "it is not to be reopened"}}, r.Marks...)
	}
	if f.Item.Failed {
		r.Marks = append([]mark{{bad, "did not work", ""}}, r.Marks...)
	}
	return r
}

// Options are what the pages take from their process.
type Options struct {
	// required: opens the memory; what it returns is closed again
	Open func(context.Context) (*memory.Memory, error)
	// required: ages and times of day are told as this clock has them
	Now func() time.Time
}

// perPage is how many records stand on one page of a list.
const perPage = 50

// mostPages bounds what a request may ask for.
const mostPages = 100_000

// errNoPage says that there is no such page.
var errNoPage = errors.New("there is no such page")

// Listen says where pages are served, and to whom.
type Listen struct {
	Port    int       // 0 lets the system choose
	Entropy io.Reader // required: for the token
	// required: is told the address, which lets in whoever knows it; an error ends it all
	Ready func(url string) error
}

// The bounds of one request.
const (
	headerTime  = 5 * time.Second
	requestTime = 10 * time.Second
	answerTime  = 2 * time.Minute
	idleTime    = time.Minute
	farewell    = 2 * time.Second // how long answers under way may take when all ends
	headerBytes = 16 << 10
)

// Serve shows the pages on 127.0.0.1 until the context ends, which is no error. Where the memory cannot be
// opened now, nothing is served.
func Serve(ctx context.Context, o Options, l Listen) error {
	m, err := o.Open(ctx)
	if err != nil {
		return err
	}
	if err := m.Close(); err != nil {
		return err
	}
	var b [16]byte
	if _, err := io.ReadFull(l.Entropy, b[:]); err != nil {
		return fmt.Errorf("draw a token: %w", err)
	}
	token := hex.EncodeToString(b[:])
	var at net.ListenConfig
	listener, err := at.Listen(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(l.Port)))
	if err != nil {
		return fmt.Errorf("listen on port %d: %w", l.Port, err)
	}
	port := l.Port
	if address, ok := listener.Addr().(*net.TCPAddr); ok {
		port = address.Port
	}
	s := &site{opts: o, turn: make(chan struct{}, 1), templates: sync.OnceValues(func() (templates, error) {
		return parseTemplates(files, "files/*.html")
	})}
	web := &http.Server{
		Handler:           guard{port: port, token: token, next: s.answer},
		ReadHeaderTimeout: headerTime, ReadTimeout: requestTime, WriteTimeout: answerTime,
		IdleTimeout:    idleTime,
		MaxHeaderBytes: headerBytes,
		BaseContext:    func(net.Listener) context.Context { return ctx },
	}
	if err := l.Ready(fmt.Sprintf("http://127.0.0.1:%d/%s/", port, token)); err != nil {
		return errors.Join(err, listener.Close())
	}
	return serveUntil(ctx, web, listener)
}

// serveUntil answers until the context ends, and waits for what is under way.
func serveUntil(ctx context.Context, web *http.Server, listener net.Listener) error {
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve pages: %w", err)
	case <-ctx.Done():
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	err := web.Shutdown(late)
	if errors.Is(err, context.DeadlineExceeded) {
		err = web.Close()
	}
	if closed := <-ended; err == nil && !errors.Is(closed, http.ErrServerClosed) {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("end pages: %w", err)
	}
	return nil
}

// policy is what a browser may do for a page that is served: load a style and an icon from here, and send the
// question back.
const policy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri " +
	"'none'; frame-ancestors 'none'"

// guard lets nobody in who does not know the token, or who was sent by another site.
type guard struct {
	port  int
	token string // required
	next  func(w http.ResponseWriter, r *http.Request, name string)
}

// ServeHTTP refuses a request, or hands it on with the name of the page behind the token.
func (g guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	for _, line := range [][2]string{
		{"Content-Security-Policy", policy},
		{"X-Content-Type-Options", "nosniff"},
		{"X-Frame-Options", "DENY"},
		{"Referrer-Policy", "no-referrer"},
		{"Cross-Origin-Resource-Policy", "same-origin"},
		{"Cross-Origin-Opener-Policy", "same-origin"},
		{"Cache-Control", "no-store"},
	} {
		h.Set(line[0], line[1])
	}
	if status := g.refusalOf(r); status != 0 {
		if status == http.StatusMethodNotAllowed {
			w.Header().Set("Allow", "GET, HEAD")
		}
		writeRefusal(w, status)
		return
	}
	token, name, found := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if !found || !sameSecret(token, g.token) {
		writeRefusal(w, http.StatusNotFound)
		return
	}
	g.next(w, r, name)
}

// refusalOf returns the status with which a request is refused, or 0. A page of another site can make a
// browser ask here: by a name of its own that it lets point to this machine, or straight across.
func (g guard) refusalOf(r *http.Request) int {
	port := strconv.Itoa(g.port)
	own := r.Host == "127.0.0.1:"+port || r.Host == "localhost:"+port
	site, origin := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Origin")
	switch {
	case !own:
		return http.StatusMisdirectedRequest
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		return http.StatusMethodNotAllowed
	case origin != "" && origin != "http://"+r.Host:
		return http.StatusForbidden
	case site != "" && site != "same-origin" && site != "none":
		return http.StatusForbidden
	default:
		return 0
	}
}

// sameSecret compares two words in a time that tells nothing of where they differ.
func sameSecret(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// writeRefusal says no, and not why: who is refused has no right to know.
func writeRefusal(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(http.StatusText(status) + "\n")) // Who hangs up hears nothing.
}

// answer writes a page or a file that belongs to it.
func (s *site) answer(w http.ResponseWriter, r *http.Request, name string) {
	if data, kind, ok := readAsset(name); ok {
		writeAnswer(w, http.StatusOK, kind, data)
		return
	}
	status, page := s.makePage(r, name)
	writeAnswer(w, status, "text/html; charset=utf-8", page)
}

// makePage makes a page as a whole before a byte of it is sent, so that a slow reader keeps nobody waiting.
func (s *site) makePage(r *http.Request, name string) (status int, page []byte) {
	select {
	case s.turn <- struct{}{}:
	case <-r.Context().Done():
		return http.StatusServiceUnavailable, nil
	}
	defer func() { <-s.turn }()
	page, err := s.page(r.Context(), name, r.URL.Query())
	if err == nil {
		return http.StatusOK, page
	}
	status, title := http.StatusInternalServerError, "That did not work"
	if errors.Is(err, replay.ErrNotFound) || errors.Is(err, errNoPage) {
		status, title = http.StatusNotFound, "Not here"
	}
	var rules *scan.Rules
	// A browser counts what stands there, and not what that means.
	depth := max(0, strings.Count(r.URL.EscapedPath(), "/")-2)
	page, err = s.fillTemplate("failure", frame{Name: "Memory", Root: strings.Repeat("../", depth)},
		view{template: "message", title: title, body: message{rules.Public(report.Line(err.Error()))}})
	if err != nil {
		return http.StatusInternalServerError, nil
	}
	return status, page
}

// writeAnswer writes an answer. To a HEAD nothing but its header goes.
func writeAnswer(w http.ResponseWriter, status int, kind string, data []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(status)
	_, _ = w.Write(data) //nolint:gosec // the templates have escaped it; who hangs up hears nothing.
}
