package gittest

import (
	"context"
	"errors"
	"net"
	"sync"
)

// Direction is where bytes go.
type Direction int

// The directions of a connection.
const (
	Up   Direction = iota // Up is from the client to the server.
	Down                  // Down is from the server to the client.
	// Answer is what the server says once it was told so much: the first byte of that is lost.
	Answer
)

// Link is the network before a server: it passes everything on until it is told to break.
type Link struct {
	front *listener

	mu    sync.Mutex
	conns map[*net.TCPConn]bool
	armed map[Direction]int64 // armed says after how many more bytes the network breaks.
	down  bool                // down says that it broke and is not mended.
	seen  [2]int64            // seen counts what was passed on.
}

// newLink opens a port from which everything is passed on to the address, and back.
func newLink(address string) (*Link, error) {
	link := &Link{conns: map[*net.TCPConn]bool{}, armed: map[Direction]int64{}}
	var err error
	link.front, err = listen(func(ctx context.Context, client *net.TCPConn) {
		var dialer net.Dialer
		conn, err := dialer.DialContext(ctx, "tcp", address)
		server, ok := conn.(*net.TCPConn)
		if err != nil || !ok || !link.hold(client, server) {
			_ = client.Close()
			if ok {
				_ = server.Close()
			}
			return
		}
		var both sync.WaitGroup
		both.Go(func() { link.pass(Up, client, server) })
		both.Go(func() { link.pass(Down, server, client) })
		both.Wait()
		link.drop(client, server)
	})
	return link, err
}

// Cut breaks the network after so many bytes in one direction, counted from now over all connections. From
// then on nothing comes through. For [Answer] the bytes to the server are counted.
func (l *Link) Cut(direction Direction, after int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.armed[direction] = after
}

// Passed returns how many bytes went in each direction since the start.
func (l *Link) Passed() (up, down int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seen[Up], l.seen[Down]
}

// errNoCut says that the network did not break.
var errNoCut = errors.New("the network was not cut: too few bytes came")

// mend lets everything through again.
func (l *Link) mend() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.armed)
	if !l.down {
		return errNoCut
	}
	l.down = false
	return nil
}

// hold notes the two ends of a connection, unless the network is broken.
func (l *Link) hold(conns ...*net.TCPConn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, conn := range conns {
		l.conns[conn] = true
	}
	return !l.down
}

// drop closes the two ends of a connection.
func (l *Link) drop(conns ...*net.TCPConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, conn := range conns {
		delete(l.conns, conn)
		_ = conn.Close()
	}
}

// pass copies until the end of a connection, or of the network.
func (l *Link) pass(direction Direction, from, to *net.TCPConn) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		allowed, broken := l.allow(direction, n)
		if _, failed := to.Write(buffer[:allowed]); failed != nil || broken {
			if broken {
				l.sever()
			}
			return
		}
		if err != nil {
			_ = to.CloseWrite()
			return
		}
	}
}

// allow returns how many of n bytes still come through, and whether the network breaks behind them.
func (l *Link) allow(direction Direction, n int) (allowed int, broken bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.down {
		return 0, true
	}
	if left, armed := l.armed[Answer]; armed && direction == Up {
		l.armed[Answer] = left - int64(n)
	} else if armed && left <= 0 {
		l.down = true
		return 0, true
	}
	left, armed := l.armed[direction]
	if armed && left <= int64(n) {
		n, l.down = int(left), true
	}
	if armed {
		l.armed[direction] = left - int64(n)
	}
	l.seen[direction] += int64(n)
	return n, l.down
}

// sever closes every connection.
func (l *Link) sever() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for conn := range l.conns {
		_ = conn.Close()
	}
}

// end ends the link.
func (l *Link) end() error {
	l.mu.Lock()
	l.down = true
	l.mu.Unlock()
	l.sever()
	return l.front.close()
}
