package web

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http" //nolint:depguard // Pages on loopback are what this package is for.
	"strconv"
	"time"
)

// Listen says where pages are served, and to whom.
type Listen struct {
	Port    int                    // 0 lets the system choose
	Entropy io.Reader              // required: for the token
	Ready   func(url string) error // required: is told the address, which lets in whoever knows it; an error ends it all
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

// Serve shows the pages on 127.0.0.1 until the context ends, which is no error. Where the memory cannot be opened now, nothing is
// served.
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
	s := &server{site: newSite(o), turn: make(chan struct{}, 1)}
	web := &http.Server{
		Handler:           guard{port: port, token: token, next: s.answer},
		ReadHeaderTimeout: headerTime, ReadTimeout: requestTime, WriteTimeout: answerTime, IdleTimeout: idleTime,
		MaxHeaderBytes: headerBytes,
		BaseContext:    func(net.Listener) context.Context { return ctx },
	}
	if err := l.Ready(fmt.Sprintf("http://127.0.0.1:%d/%s/", port, token)); err != nil {
		return errors.Join(err, listener.Close())
	}
	return serve(ctx, web, listener)
}

// serve answers until the context ends, and waits for what is under way.
func serve(ctx context.Context, web *http.Server, listener net.Listener) error {
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
