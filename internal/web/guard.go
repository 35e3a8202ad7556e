package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http" //nolint:depguard // Pages on loopback are what this package is for.
	"strconv"
	"strings"
)

// policy is what a browser may do for a page that is served: load a style and an icon from here, and send the question back.
const policy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

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
	if status := g.refuses(r); status != 0 {
		if status == http.StatusMethodNotAllowed {
			w.Header().Set("Allow", "GET, HEAD")
		}
		refuse(w, status)
		return
	}
	token, name, found := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if !found || !same(token, g.token) {
		refuse(w, http.StatusNotFound)
		return
	}
	g.next(w, r, name)
}

// refuses returns the status with which a request is refused, or 0. A page of another site can make a browser ask here: by a
// name of its own that it lets point to this machine, or straight across.
func (g guard) refuses(r *http.Request) int {
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

// same compares two words in a time that tells nothing of where they differ.
func same(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// refuse says no, and not why: who is refused has no right to know.
func refuse(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(http.StatusText(status) + "\n")) // Who hangs up hears nothing.
}
