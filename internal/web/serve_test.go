package web_test

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"net/http" //nolint:depguard // The pages are asked for as a browser asks.
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/web"
)

// A site is pages that are served.
type site struct {
	t    *testing.T
	base string // the address that was given out
}

// serveUntil serves the pages of a world until the test ends.
func serveUntil(t *testing.T, w *world) site {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- web.Serve(ctx, w.options(), web.Listen{Entropy: rand.Reader, Ready: func(url string) error {
			ready <- url
			return nil
		}})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("Serve() ended with %v, want nothing", err)
		}
	})
	select {
	case base := <-ready:
		return site{t, base}
	case err := <-ended:
		ended <- nil
		t.Fatalf("Serve(): %v", err)
		return site{}
	}
}

// do asks as a request says, with a connection of its own, and follows nothing.
func (s site) do(r *http.Request) (*http.Response, string) {
	s.t.Helper()
	transport := &http.Transport{DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	answer, err := transport.RoundTrip(r)
	if err != nil {
		s.t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		s.t.Fatal(err)
	}
	return answer, string(body)
}

// request is a request for a path below the address, or from the root of the server.
func (s site) request(method, path string) *http.Request {
	s.t.Helper()
	address := s.base + path
	if strings.HasPrefix(path, "/") {
		address = s.root() + path
	}
	r, err := http.NewRequestWithContext(s.t.Context(), method, address, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

// root is the address without the token.
func (s site) root() string { return strings.Join(strings.SplitN(s.base, "/", 4)[:3], "/") }

// get returns a page that must be there.
func (s site) get(path string) string {
	s.t.Helper()
	answer, body := s.do(s.request(http.MethodGet, path))
	if answer.StatusCode != http.StatusOK {
		s.t.Fatalf("GET %s: %s, want 200\n%s", path, answer.Status, body)
	}
	return body
}

// TestServe_guard holds SPEC.
func TestServe_guard(t *testing.T) {
	t.Parallel()
	s := serveUntil(t, story(t))
	parsed, err := url.Parse(s.base)
	if err != nil {
		t.Fatal(err)
	}
	port, token := parsed.Port(), strings.Trim(parsed.Path, "/")
	if len(token) != 32 || parsed.Hostname() != "127.0.0.1" {
		t.Fatalf("the address is %q, want one of 127.0.0.1 with a token of 128 bits", s.base)
	}
	other := strings.Repeat("0", 31) + "1"
	for _, tt := range []struct {
		name, method, path, host string
		header                   map[string]string
		want                     int
	}{
		{"the address", "GET", "", "", nil, 200},
		{"a page", "GET", "notes.html", "", nil, 200},
		{"its header alone", "HEAD", "notes.html", "", nil, 200},
		{"by name", "GET", "", "localhost:" + port, nil, 200},
		{"from a page of ours", "GET", "", "", map[string]string{"Sec-Fetch-Site": "same-origin"}, 200},
		{"typed by a person", "GET", "", "", map[string]string{"Sec-Fetch-Site": "none"}, 200},
		{"no token", "GET", "/", "", nil, 404},
		{"no token, a page", "GET", "/notes.html", "", nil, 404},
		{"another token", "GET", "/" + other + "/", "", nil, 404},
		{"a part of the token", "GET", "/" + token[:31] + "/", "", nil, 404},
		{"more than the token", "GET", "/" + token + "0/", "", nil, 404},
		{"the token in other letters", "GET", "/" + strings.ToUpper(token) + "x/", "", nil, 404},
		{"the token as a page", "GET", "/" + token, "", nil, 404},
		{"the token behind a folder", "GET", "/x/" + token + "/", "", nil, 404},
		{"the token with a slash that is written otherwise", "GET", "/" + token + "%2Fnowhere", "", nil, 404},
		{"the token with another name", "GET", "", "attacker.example:" + port, nil, 421},
		{"a name that ends with ours", "GET", "", "127.0.0.1.attacker.example:" + port, nil, 421},
		{"another port", "GET", "", "127.0.0.1:1", nil, 421},
		{"no port", "GET", "", "127.0.0.1", nil, 421},
		{"another loopback", "GET", "", "127.0.0.2:" + port, nil, 421},
		{"an origin", "GET", "", "", map[string]string{"Origin": "https://attacker.example"}, 403},
		{"no origin at all", "GET", "", "", map[string]string{"Origin": "null"}, 403},
		{"the origin of another port", "GET", "", "", map[string]string{"Origin": "http://127.0.0.1:1"}, 403},
		{"our own origin", "GET", "", "", map[string]string{"Origin": "http://127.0.0.1:" + port}, 200},
		{"from another site", "GET", "", "", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"from another port", "GET", "", "", map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		{"POST", "POST", "", "", nil, 405},
		{"PUT", "PUT", "notes.html", "", nil, 405},
		{"DELETE", "DELETE", "notes.html", "", nil, 405},
		{"OPTIONS", "OPTIONS", "", "", nil, 405},
		{"a method of its own", "PURGE", "", "", nil, 405},
		{"no such page", "GET", "nothing.html", "", nil, 404},
		{"a file of the repository", "GET", "../../etc/passwd", "", nil, 404},
		{"a template", "GET", "files/top.html", "", nil, 404},
		{"a record that is not here", "GET", "records/01JDMB4W1YNJZQR7K8F3A2H5P9.html", "", nil, 404},
		{"no record", "GET", "records/..%2f..%2fHEAD", "", nil, 404},
		{"a page before the first", "GET", "index.html?page=0", "", nil, 404},
		{"a page that is no number", "GET", "index.html?page=1e9", "", nil, 404},
		{"a page beyond all bounds", "GET", "index.html?page=999999999", "", nil, 404},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := s.request(tt.method, tt.path)
			r.Host = tt.host
			for name, value := range tt.header {
				r.Header.Set(name, value)
			}
			answer, body := s.do(r)
			if answer.StatusCode != tt.want {
				t.Errorf("%s %q of %q: %s, want %d", tt.method, tt.path, tt.host, answer.Status, tt.want)
			}
			hardened(t, answer.Header)
			refused := answer.StatusCode != http.StatusOK &&
				(tt.path == "" || strings.HasPrefix(tt.path, "/"))
			if refused && strings.Contains(body, "tidewater") {
				t.Errorf("a refusal says %q", body)
			}
			if tt.method == "HEAD" && body != "" {
				t.Errorf("the answer to HEAD has %d bytes", len(body))
			}
			if answer.StatusCode == http.StatusMethodNotAllowed && answer.Header.Get("Allow") != "GET, HEAD" {
				t.Errorf("Allow is %q", answer.Header.Get("Allow"))
			}
		})
	}
}

// hardened checks what every answer says to a browser.
func hardened(t *testing.T, h http.Header) {
	t.Helper()
	want := map[string]string{
		"Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; form-action " +
			"'self'; base-uri 'none'; " +
			"frame-ancestors 'none'",
		"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
		"Cache-Control":                "no-store",
		"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
	}
	got := map[string]string{}
	for name := range want {
		got[name] = h.Get(name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
	if h.Get("Access-Control-Allow-Origin") != "" || h.Get("Set-Cookie") != "" {
		t.Errorf("headers are %v", h)
	}
}

func TestServe_header(t *testing.T) {
	t.Parallel()
	s := serveUntil(t, newWorld(t))
	r := s.request(http.MethodGet, "")
	r.Header.Set("X-Long", strings.Repeat("x", 64<<10))
	answer, _ := s.do(r)
	if answer.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("a header of 64 KB: %s, want 431", answer.Status)
	}
}

// TestServe_loopback shows that nobody else reaches the pages.
func TestServe_loopback(t *testing.T) {
	t.Parallel()
	s := serveUntil(t, newWorld(t))
	port := s.request(http.MethodGet, "").URL.Port()
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	dialer := net.Dialer{Timeout: time.Second}
	for _, a := range append(addresses, &net.IPNet{IP: net.IPv6loopback}) {
		network, ok := a.(*net.IPNet)
		if !ok || network.IP.Equal(net.IPv4(127, 0, 0, 1)) {
			continue
		}
		if conn, err := dialer.DialContext(t.Context(), "tcp",
			net.JoinHostPort(network.IP.String(), port)); err == nil {
			_ = conn.Close()
			t.Errorf("somebody answers at %v", network.IP)
		}
	}
}

func TestServe_port(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var taken net.ListenConfig
	l, err := taken.Listen(t.Context(), "tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	port := l.Addr().(*net.TCPAddr).Port
	err = web.Serve(t.Context(), w.options(),
		web.Listen{Port: port, Entropy: rand.Reader, Ready: func(string) error {
			t.Error("it is ready")
			return nil
		}})
	if err == nil {
		t.Errorf("Serve() on a port that is taken ended well")
	}
}

// TestServe_crowd shows that many may ask at once, while something is saved.
func TestServe_crowd(t *testing.T) {
	t.Parallel()
	w := story(t)
	s := serveUntil(t, w)
	paths := []string{"index.html", "notes.html", "recall.html?q=pool", "style.css"}
	statuses := make(chan int, 4*len(paths))
	for range 4 {
		for _, path := range paths {
			r := s.request(http.MethodGet, path)
			go func() {
				transport := &http.Transport{DisableKeepAlives: true}
				answer, err := transport.RoundTrip(r)
				if err != nil {
					statuses <- 0
					return
				}
				_, _ = io.Copy(io.Discard, answer.Body)
				_ = answer.Body.Close()
				statuses <- answer.StatusCode
			}()
		}
	}
	w.ago(0, 0).note(object{"type": "note", "kind": "fact", "text": "Noted meanwhile"})
	for range cap(statuses) {
		if status := <-statuses; status != http.StatusOK {
			t.Errorf("one of many is answered with %d, want 200", status)
		}
	}
}
