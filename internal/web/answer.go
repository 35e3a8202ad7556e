package web

import (
	"errors"
	"net/http" //nolint:depguard // Pages on loopback are what this package is for.
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/report"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// A server answers requests that the guard let in. One page is made at a time: a memory is not for several at once.
type server struct {
	site *site
	turn chan struct{} // holds one, for who has the turn
}

// answer writes a page or a file that belongs to it.
func (s *server) answer(w http.ResponseWriter, r *http.Request, name string) {
	if data, kind, ok := asset(name); ok {
		send(w, http.StatusOK, kind, data)
		return
	}
	status, page := s.page(r, name)
	send(w, status, "text/html; charset=utf-8", page)
}

// page makes a page as a whole before a byte of it is sent, so that a slow reader keeps nobody waiting.
func (s *server) page(r *http.Request, name string) (status int, page []byte) {
	select {
	case s.turn <- struct{}{}:
	case <-r.Context().Done():
		return http.StatusServiceUnavailable, nil
	}
	defer func() { <-s.turn }()
	page, err := s.site.page(r.Context(), name, r.URL.Query())
	if err == nil {
		return http.StatusOK, page
	}
	status, title := http.StatusInternalServerError, "That did not work"
	if errors.Is(err, replay.ErrNotFound) || errors.Is(err, errNoPage) {
		status, title = http.StatusNotFound, "Not here"
	}
	var rules *scan.Rules
	depth := max(0, strings.Count(r.URL.EscapedPath(), "/")-2) // A browser counts what stands there, and not what that means.
	page, err = s.site.failure(depth, title, rules.Public(report.Line(err.Error())))
	if err != nil {
		return http.StatusInternalServerError, nil
	}
	return status, page
}

// send writes an answer. To a HEAD nothing but its header goes.
func send(w http.ResponseWriter, status int, kind string, data []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(status)
	_, _ = w.Write(data) //nolint:gosec // the templates have escaped it; who hangs up hears nothing.
}
