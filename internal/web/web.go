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
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http" //nolint:depguard // Pages on loopback are what this package is for.
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/report"
	"github.com/git-ltm/git-ltm/internal/scan"
)

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
