package trust

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// cacheVersion changes when verdicts are made in another way.
const cacheVersion = "1"

// unit stands between the fields of a cached verdict. No field holds it.
const unit = '\u241f'

// Stamp is another one where verdicts may be others.
func (t *Trust) Stamp() string { return t.digest }

// remembered returns a verdict that was made before and still holds.
func (t *Trust) remembered(oid string) (sign.Verdict, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if v, ok := t.known[oid]; ok {
		return v, true
	}
	text, ok := t.kept.Find(oid)
	if !ok {
		return sign.Verdict{}, false
	}
	v, ok := t.decode(text)
	if ok {
		t.known[oid] = v
	}
	return v, ok
}

// remember keeps a verdict for this process, and for others when [Trust.Keep] is called.
func (t *Trust) remember(oid string, v sign.Verdict) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.known[oid] = v
	if v.Until.IsZero() || v.Until.After(t.now) {
		t.fresh = append(t.fresh, journal.Entry{Key: oid, Value: t.encode(v)})
	}
}

// Keep writes the new verdicts to the cache. It may be lost, so that a failure is told to nobody.
func (t *Trust) Keep() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.fresh) > 0 {
		_ = t.cache.Append(t.fresh)
		t.fresh = nil
	}
}

func (t *Trust) encode(v sign.Verdict) string {
	until := int64(0)
	if !v.Until.IsZero() {
		until = v.Until.Unix()
	}
	fields := []string{t.digest, string(v.Standing), strconv.FormatInt(until, 10), v.Key, v.By, v.Why}
	for i, f := range fields {
		fields[i] = strings.Map(printable, f)
	}
	return strings.Join(fields, string(unit))
}

// printable takes out what may not stand in a line of the cache.
func printable(r rune) rune {
	if unicode.IsControl(r) || r == unit {
		return -1
	}
	return r
}

// decode reads a verdict, unless it was made by other lists or its time has ended.
func (t *Trust) decode(text string) (sign.Verdict, bool) {
	f := strings.Split(text, string(unit))
	if len(f) != 6 || f[0] != t.digest {
		return sign.Verdict{}, false
	}
	seconds, err := strconv.ParseInt(f[2], 10, 64)
	if err != nil {
		return sign.Verdict{}, false
	}
	v := sign.Verdict{Standing: sign.Standing(f[1]), Key: f[3], By: f[4], Why: f[5]}
	if seconds != 0 {
		v.Until = time.Unix(seconds, 0)
		if !v.Until.After(t.now) {
			return sign.Verdict{}, false
		}
	}
	return v, true
}
