package hook

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/git-ltm/git-ltm/internal/check"
)

// The bounds of what git may say.
const (
	maxLine   = 64 << 10 // longer than any name that travels
	maxOffers = 1 << 17  // refs of one push
)

// The reasons for which the input of a hook is not read.
var (
	errLine = errors.New("not a line that git writes")
	errLong = fmt.Errorf("longer than %d bytes", maxLine)
	errMany = fmt.Errorf("more than %d refs of git ltm in one push", maxOffers)
)

// Read reads the standard input of a hook to its end, and returns what is offered of memory. Refs that are
// deleted and refs that are none of ours are left out.
func (n Name) Read(r io.Reader) ([]check.Offer, error) {
	lines := bufio.NewReaderSize(r, maxLine)
	var offers []check.Offer
	for number, more := 1, true; more; number++ {
		var line string
		var err error
		if line, more, err = nextLine(lines); err != nil {
			return nil, fmt.Errorf("read line %d of standard input: %w", number, err)
		}
		if line == "" {
			continue
		}
		o, ok := n.parseLine(line)
		if !ok {
			return nil, fmt.Errorf("read line %d of standard input: %w", number, errLine)
		}
		if o.OID == "" || !check.Travels(o.Ref) && !check.Travels(o.From) {
			continue
		}
		if offers = append(offers, o); len(offers) > maxOffers {
			return nil, errMany
		}
	}
	return offers, nil
}

// nextLine returns the next line without its end, and whether there are more.
func nextLine(lines *bufio.Reader) (line string, more bool, err error) {
	text, err := lines.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return "", false, errLong
	case errors.Is(err, io.EOF):
		return string(text), false, nil
	case err != nil:
		return "", false, err
	}
	return string(text[:len(text)-1]), true, nil
}

// parseLine reads one line. An offer without an object is a deletion.
func (n Name) parseLine(line string) (check.Offer, bool) {
	if n == PreReceive {
		return parseReceive(line)
	}
	return parsePush(line)
}

// parsePush reads "<local ref> <local object> <remote ref> <remote object>". The local ref is whatever the
// user typed, so blanks may stand in it: the line is read from its end.
func parsePush(line string) (check.Offer, bool) {
	rest, was, ok := cutLast(line)
	rest, ref, ok2 := cutLast(rest)
	from, oid, ok3 := cutLast(rest)
	if !ok || !ok2 || !ok3 || from == "" {
		return check.Offer{}, false
	}
	return newOffer(ref, from, oid, was)
}

// parseReceive reads "<old object> <new object> <ref>".
func parseReceive(line string) (check.Offer, bool) {
	was, rest, ok := strings.Cut(line, " ")
	oid, ref, ok2 := strings.Cut(rest, " ")
	if !ok || !ok2 || strings.Contains(ref, " ") {
		return check.Offer{}, false
	}
	return newOffer(ref, "", oid, was)
}

func cutLast(s string) (before, last string, ok bool) {
	i := strings.LastIndexByte(s, ' ')
	if i < 0 {
		return "", s, false
	}
	return s[:i], s[i+1:], true
}

// newOffer puts a line together, and writes what is not there as nothing.
func newOffer(ref, from, oid, was string) (check.Offer, bool) {
	oid, ok := parseObject(oid)
	was, ok2 := parseObject(was)
	return check.Offer{Ref: ref, From: from, OID: oid, Was: was}, ok && ok2 && strings.HasPrefix(ref, "refs/")
}

// parseObject reads the name of an object. The name of nothing is all zeros.
func parseObject(oid string) (string, bool) {
	if len(oid) != 40 && len(oid) != 64 || strings.Trim(oid, "0123456789abcdef") != "" {
		return "", false
	}
	if strings.Trim(oid, "0") == "" {
		return "", true
	}
	return oid, true
}
