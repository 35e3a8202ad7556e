package gittest

import (
	"context"
	"crypto/subtle"
	"io"
	"log/slog"
	"net/http"     //nolint:depguard // A server of a test is no transport of ours.
	"net/http/cgi" //nolint:depguard // See above.
	"strings"
	"time"
)

// serveHTTP lets git's own program for web servers answer below a folder.
func serveHTTP(service Service, folder string, env []string) (*listener, error) {
	l, ctx, err := open()
	if err != nil {
		return nil, err
	}
	backend := &cgi.Handler{
		Path: lookGit(env), Args: []string{"http-backend"}, Root: "/", Dir: folder,
		Env:    append(env, "GIT_PROJECT_ROOT="+folder, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER="+User),
		Stderr: io.Discard, Logger: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
	}
	server := &http.Server{
		ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			l.work.Add(1)
			defer l.work.Done()
			if !known(r) && (service != HTTPPublic || writes(r)) {
				w.Header().Set("WWW-Authenticate", `Basic realm="memory"`)
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			// The body is passed on as it comes, in one piece or in chunks, packed or not: the program reads to
			// its end where it knows no length. One that knows a length waits for ever for the rest of a body
			// that was cut.
			r.TransferEncoding = nil
			if r.ContentLength > 0 {
				r.ContentLength = -1
			}
			backend.ServeHTTP(w, r)
		}),
	}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	l.accept.Go(func() { _ = server.Serve(l) })
	return l, nil
}

// known reports whether a request has the right name and password.
func known(r *http.Request) bool {
	user, password, ok := r.BasicAuth()
	return ok && user == User && subtle.ConstantTimeCompare([]byte(password), []byte(Password())) == 1
}

// writes reports whether a request is part of a push.
func writes(r *http.Request) bool {
	return strings.HasSuffix(r.URL.Path, "/git-receive-pack") ||
		r.URL.Query().Get("service") == "git-receive-pack"
}
