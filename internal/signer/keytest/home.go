package keytest

import (
	"testing"
	"time"
)

// Home is a [Ring] of a test: what goes wrong ends the test.
type Home struct {
	*Ring
	tb testing.TB
}

// GPGHome makes an empty ring that is closed at the end of the test. It needs gpg.
func GPGHome(tb testing.TB) *Home {
	tb.Helper()
	Needs(tb, "gpg", "gpgconf")
	ring, err := NewRing()
	check(tb, err)
	tb.Cleanup(func() {
		if err := ring.Close(); err != nil {
			tb.Error(err)
		}
	})
	return &Home{Ring: ring, tb: tb}
}

// Generate is [Ring.Generate].
func (h *Home) Generate(uid, algorithm, expiry string) string {
	h.tb.Helper()
	fingerprint, err := h.Ring.Generate(uid, algorithm, expiry)
	check(h.tb, err)
	return fingerprint
}

// GenerateAt is [Ring.GenerateAt].
func (h *Home) GenerateAt(at time.Time, uid, algorithm, expiry string) string {
	h.tb.Helper()
	fingerprint, err := h.Ring.GenerateAt(at, uid, algorithm, expiry)
	check(h.tb, err)
	return fingerprint
}

// GenerateLocked is [Ring.GenerateLocked].
func (h *Home) GenerateLocked(uid, algorithm, passphrase string) string {
	h.tb.Helper()
	fingerprint, err := h.Ring.GenerateLocked(uid, algorithm, passphrase)
	check(h.tb, err)
	return fingerprint
}

// AddSubkey is [Ring.AddSubkey].
func (h *Home) AddSubkey(fingerprint, algorithm, expiry string) string {
	h.tb.Helper()
	subkey, err := h.Ring.AddSubkey(fingerprint, algorithm, expiry)
	check(h.tb, err)
	return subkey
}

// ExpireAt is [Ring.ExpireAt].
func (h *Home) ExpireAt(fingerprint string, end time.Time) {
	h.tb.Helper()
	check(h.tb, h.Ring.ExpireAt(fingerprint, end))
}

// ExpireNow ends a key a few seconds ago. What it signed before that, it signed while it was valid: see
// [Home.Sign].
func (h *Home) ExpireNow(fingerprint string) {
	h.tb.Helper()
	h.ExpireAt(fingerprint, time.Now().Add(-2*time.Second))
}

// Revoke is [Ring.Revoke].
func (h *Home) Revoke(fingerprint string) {
	h.tb.Helper()
	check(h.tb, h.Ring.Revoke(fingerprint))
}

// Certify is [Ring.Certify].
func (h *Home) Certify(by, fingerprint string) {
	h.tb.Helper()
	check(h.tb, h.Ring.Certify(by, fingerprint))
}

// Import is [Ring.Import].
func (h *Home) Import(data []byte) {
	h.tb.Helper()
	check(h.tb, h.Ring.Import(data))
}

// ExportArmored is [Ring.Export].
func (h *Home) ExportArmored(fingerprints ...string) []byte {
	h.tb.Helper()
	data, err := h.Export(fingerprints...)
	check(h.tb, err)
	return data
}

// Sign is [Ring.Sign].
func (h *Home) Sign(fingerprint string, payload []byte, at time.Time) []byte {
	h.tb.Helper()
	signature, err := h.Ring.Sign(fingerprint, payload, at)
	check(h.tb, err)
	return signature
}

// FakedProgram is [Ring.FakedProgram].
func (h *Home) FakedProgram(at time.Time) string {
	h.tb.Helper()
	path, err := h.Ring.FakedProgram(at)
	check(h.tb, err)
	return path
}

func check(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
