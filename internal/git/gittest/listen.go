package gittest

import (
	"context"
	"errors"
	"net"
	"os/exec"
	"sync"
	"time"
)

// patience is how long an end is waited for.
const patience = 20 * time.Second

// errSlow says that a server did not come to its end.
var errSlow = errors.New("a server still works")

// listener is an open port on the loopback interface, with those who answer there.
type listener struct {
	net.Listener

	cancel context.CancelFunc
	accept sync.WaitGroup
	work   sync.WaitGroup // work is what is being answered.
}

// open opens a port that is free. The context ends with the listener.
func open() (*listener, context.Context, error) {
	ctx, cancel := context.WithCancel(context.Background())
	var config net.ListenConfig
	port, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		cancel()
		return nil, nil, err
	}
	return &listener{Listener: port, cancel: cancel}, ctx, nil
}

// listen opens a port and hands each connection to answer, which closes it.
func listen(answer func(ctx context.Context, conn *net.TCPConn)) (*listener, error) {
	l, ctx, err := open()
	if err != nil {
		return nil, err
	}
	l.accept.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			if tcp, ok := conn.(*net.TCPConn); ok {
				l.work.Go(func() { answer(ctx, tcp) })
			}
		}
	})
	return l, nil
}

// listenWith opens a port and lets a new process answer each connection, which it has as its standard input
// and output.
func listenWith(env []string, program string, args ...string) (*listener, error) {
	return listen(func(ctx context.Context, conn *net.TCPConn) {
		file, err := conn.File()
		_ = conn.Close()
		if err != nil {
			return
		}
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Env, cmd.Stdin, cmd.Stdout = env, file, file
		err = cmd.Start()
		_ = file.Close()
		if err == nil {
			_ = cmd.Wait() // How it ends is for the client to see.
		}
	})
}

// address is where the port is.
func (l *listener) address() string { return l.Addr().String() }

// idle waits until nothing is being answered.
func (l *listener) idle() error {
	done := make(chan struct{})
	go func() {
		l.work.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-time.After(patience):
		return errSlow
	}
}

// close closes the port, and ends who still answers.
func (l *listener) close() error {
	err := l.Close()
	if idle := l.idle(); idle != nil {
		err = errors.Join(err, idle)
	}
	l.cancel()
	l.accept.Wait()
	return err
}
