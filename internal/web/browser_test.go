package web_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// A browser is a Chromium without a window, whose requests to anything but this machine go to a listener of
// the test.
type browser struct {
	t       *testing.T
	program string
	proxy   string
	asked   func() []string // what it asked the listener for
}

// newBrowser finds a browser. Where there is none the test is skipped, unless LTM_TEST_BROWSER says that
// there is one.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	b := &browser{t: t}
	for _, name := range []string{
		os.Getenv("LTM_TEST_BROWSER"), "chromium", "chromium-headless-shell",
		"chromium-browser", "google-chrome",
	} {
		if path, err := exec.LookPath(name); err == nil {
			b.program = path
			break
		}
	}
	if wanted := os.Getenv("LTM_TEST_BROWSER"); b.program == "" && wanted != "" {
		t.Fatalf("there is no browser %q", wanted)
	}
	if b.program == "" {
		t.Skip("there is no Chromium here")
	}
	b.proxy, b.asked = elsewhere(t)
	return b
}

// elsewhere listens in the place of all the network, and notes the first line of each request.
func elsewhere(t *testing.T) (address string, asked func() []string) {
	t.Helper()
	var config net.ListenConfig
	l, err := config.Listen(t.Context(), "tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var lines []string
	note := func(conn net.Conn) {
		data := make([]byte, 512)
		// A connection that a browser opens in advance says nothing until it is closed.
		n, _ := conn.Read(data)
		_ = conn.Close()
		if line, _, _ := strings.Cut(string(data[:n]), "\r\n"); line != "" {
			mu.Lock()
			lines = append(lines, line)
			mu.Unlock()
		}
	}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() { note(conn) })
		}
	})
	t.Cleanup(func() { _ = l.Close(); all.Wait() })
	return l.Addr().String(), func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string{}, lines...)
	}
}

// run starts the browser, and returns what it printed and what it complained of.
func (b *browser) run(args ...string) (out, complaints string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), 2*time.Minute)
	defer cancel()
	home, err := os.MkdirTemp("", "web") // A process of the browser may still write there when it has ended.
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(home) }()
	cmd := exec.CommandContext(ctx, b.program, append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions",
		"--hide-scrollbars",
		"--disable-dev-shm-usage", "--enable-logging=stderr",
		"--user-data-dir=" + filepath.Join(home, "profile"),
		"--proxy-server=" + b.proxy, // Loopback itself is asked directly.
	}, args...)...)
	cmd.Env = []string{
		"HOME=" + home, "PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "TZ=UTC",
		"TMPDIR=" + home,
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		b.t.Fatalf("%s: %v\n%s", b.program, errors.Join(err, ctx.Err()), &stderr)
	}
	var said []string
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, "CONSOLE") {
			said = append(said, line)
		}
	}
	return stdout.String(), strings.Join(said, "")
}

// dom returns a page as the browser understood it, which must not have complained.
func (b *browser) dom(address string) string {
	b.t.Helper()
	out, complaints := b.run("--dump-dom", address)
	if complaints != "" {
		b.t.Errorf("%s: the browser says\n%s", address, complaints)
	}
	return out
}

// titleOf is the title of a page as the browser understood it.
func titleOf(dom string) string {
	m := regexp.MustCompile(`<title>([^<]*)</title>`).FindStringSubmatch(dom)
	if m == nil {
		return ""
	}
	return m[1]
}

// TestBrowser shows that a browser runs nothing that records say, has nothing to complain of, and asks nobody
// else for anything.
func TestBrowser(t *testing.T) {
	t.Parallel()
	b := newBrowser(t)
	w := besieged(t)
	s := serveUntil(t, w)
	record := "records/" + recordLinks(s.get(""))[len(attacks())-1] + ".html"
	for _, path := range []string{"index.html", record, "recall.html?q=script"} {
		dom := b.dom(s.base + path)
		if title := titleOf(dom); !strings.HasSuffix(title, " · tidewater") {
			t.Errorf("%s: the title is %q", path, title)
		}
		contains(t, dom, "document.title='owned'", "Made by git ltm")
	}
	makers := regexp.MustCompile(`^[A-Z]+ (http://)?[a-z0-9.-]+[.](google|googleapis|gstatic)[.]com[:/]`)
	for _, line := range b.asked() {
		if !makers.MatchString(line) { // It asks its makers of its own accord, whatever page it shows.
			t.Errorf("the browser asked elsewhere: %s", line)
		}
	}
}

// TestBrowser_policy shows that the test above would notice: a page that is told to load from elsewhere and
// to run a script makes the browser complain, and ask.
func TestBrowser_policy(t *testing.T) {
	t.Parallel()
	b := newBrowser(t)
	name := filepath.Join(t.TempDir(), "page.html")
	const page = `<!DOCTYPE html><title>page</title><img src="http://attacker.example/pixel.png"><script>document.title='owned'</script>`
	for _, tt := range []struct {
		name, page string
		runs       bool
	}{
		{"no policy", page, true},
		{"our policy", strings.Replace(page, "<title>",
			`<meta http-equiv="Content-Security-Policy" content="default-src 'none'"><title>`, 1), false},
	} {
		if err := os.WriteFile(name, []byte(tt.page), 0o600); err != nil {
			t.Fatal(err)
		}
		before := len(b.asked())
		out, complaints := b.run("--dump-dom", "file://"+filepath.ToSlash(name))
		asked := strings.Contains(strings.Join(b.asked()[before:], "\n"), "attacker.example")
		if ran := titleOf(out) == "owned"; ran != tt.runs || asked != tt.runs ||
			(complaints == "") != tt.runs {
			t.Errorf("%s: the script ran: %v, elsewhere was asked: %v, complaints: %q; want %v", tt.name, ran,
				asked, complaints, tt.runs)
		}
	}
}
