package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// Delivered writes down that a remote delivered records, now and by its effective URL. The names are full names of refs that this
// clone accepted. What is not written down, because the process died before or plain git brought it, came from nobody knows where.
func (m *Memory) Delivered(names []string, address string) {
	var arrived []refs.Name
	for _, full := range names {
		if name, ok := refs.ParseName(full); ok {
			arrived = append(arrived, name)
		}
	}
	m.seen.arrive(arrived, withoutPassword(address), m.opts.Now())
}

// withoutPassword leaves out of a URL what only its owner may know.
func withoutPassword(address string) string {
	if u, err := url.Parse(address); err == nil && u.User != nil {
		u.User = url.User(u.User.Username())
		if strings.HasPrefix(u.Scheme, "http") {
			u.User = nil // A token may stand in the place of the name.
		}
		address = u.String()
	}
	return clean.Line(address)
}

// arrive notes one delivery of records. The address is written once for all of them.
func (s *seen) arrive(names []refs.Name, address string, at time.Time) {
	value := strconv.FormatInt(at.Unix(), 10) + " " + address
	sum := sha256.Sum256([]byte(value))
	id := hex.EncodeToString(sum[:6])
	if len(names) > 0 {
		s.Notebook.Note("delivery/"+id, value)
	}
	for _, name := range names {
		s.Notebook.Note("from/"+keyOf(name), id)
	}
}

// delivery says which remote delivered a record, and when; not ok where that was not written down.
func (s *seen) delivery(name refs.Name) (address string, at time.Time, ok bool) {
	id, ok := s.Notebook.Find("from/" + keyOf(name))
	if !ok {
		return "", time.Time{}, false
	}
	value, ok := s.Notebook.Find("delivery/" + id)
	seconds, address, cut := strings.Cut(value, " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if !ok || !cut || err != nil {
		return "", time.Time{}, false
	}
	return address, time.Unix(unix, 0).UTC(), true
}
