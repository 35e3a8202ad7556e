package trust

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/signer"
)

// mostAsked is how often git is asked to verify a signature in one process. Each takes two processes and
// more, and whoever can push can make up any number.
const mostAsked = 16

// patience is how long git and gpg may take for one answer. Whatever signatures a pusher made up, a list has
// to come to an end.
const patience = 10 * time.Second

// gpgDay is how long a verdict holds that rests on the keyring of gpg: a program in its place may keep it
// elsewhere.
const gpgDay = 24 * time.Hour

// Judge says what the signature of a tag object is worth here. The oid has to be the name of that very
// object: verdicts are kept by it. What binds the tag to its record is not its business.
func (t *Trust) Judge(ctx context.Context, tag sign.Tag, oid string) (sign.Verdict, error) {
	if v, ok := t.recallVerdict(oid); ok {
		return v, nil
	}
	v, err := t.judgeTag(ctx, tag, oid)
	if err == nil {
		t.mu.Lock()
		// Whoever holds the key can put another user id on it, and prefer that: the one for which gpg vouches
		// says who it is.
		if key, ok := t.gpg.held[v.Key]; ok && v.By != "" && tag.Form() == sign.FormOpenPGP &&
			key.Validity.Rank() >= signer.Marginal.Rank() {
			v.By = key.UserID
		}
		t.mu.Unlock()
		t.keepVerdict(oid, v)
	}
	return v, err
}

// judgeTag verifies in this process, and asks git where that cannot decide.
func (t *Trust) judgeTag(ctx context.Context, tag sign.Tag, oid string) (sign.Verdict, error) {
	trust, why := t.sourcesFor(ctx, tag)
	v, err := trust.Verify(tag, t.now)
	switch {
	case errors.Is(err, sign.ErrUndecided):
		v, err = t.askGit(ctx, tag, oid, v)
		if list := t.takenBack(trust, tag, v); err == nil && list != "" {
			v.Standing, v.By, v.Why = sign.Revoked, "", list+" has taken the key back"
		}
		return v, err
	case err != nil:
		return sign.Verdict{}, err
	}
	if v.Standing == sign.Unknown && why != "" {
		v.Why += "; " + why
		v.Until = t.now // The next process asks gpg again.
		return v, nil
	}
	if limit := t.now.Add(gpgDay); tag.Form() == sign.FormOpenPGP &&
		(v.Until.IsZero() || v.Until.After(limit)) {
		v.Until = limit
	}
	return v, nil
}

// takenBack returns the list whose revocations only OpenSSH reads, where git refuses for them what is good
// else: git does not tell such a key from one that nobody knows.
func (t *Trust) takenBack(trust sign.Trust, tag sign.Tag, asked sign.Verdict) string {
	if tag.Form() != sign.FormSSH || asked.Standing != sign.Unknown || !asked.Until.After(t.now) {
		return ""
	}
	name := ""
	open := sign.Trust{Known: trust.Known}
	for _, s := range trust.Sources {
		if s.Revoked.Opaque() {
			name, s.Revoked = s.Name, sign.Revocations{}
		}
		open.Sources = append(open.Sources, s)
	}
	v, err := open.Verify(tag, t.now)
	if name == "" || err != nil || v.Standing != sign.Good && v.Standing != sign.Expired {
		return ""
	}
	return name
}

// sourcesFor returns what a tag is judged by. Of gpg's keyring only what the signature names is read; why
// says what hindered.
func (t *Trust) sourcesFor(ctx context.Context, tag sign.Tag) (trust sign.Trust, why string) {
	for _, l := range t.lists {
		trust.Sources = append(trust.Sources, l.Source)
	}
	if tag.Form() != sign.FormOpenPGP {
		return trust, ""
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	held, err := t.heldKeys(ctx)
	for _, issuer := range tag.Issuers() {
		key, ok := held[issuer]
		if !ok || err != nil {
			continue
		}
		var r ring
		if r, err = t.ringOf(ctx, key); r.trusted {
			trust.Sources[0].Keyring, trust.Known = r.keys, sign.Keyring{}
			break
		}
		trust.Known = r.keys
	}
	if err != nil {
		return trust, "the keys of gpg cannot be read: " + err.Error()
	}
	return trust, ""
}

// askGit lets git verify the tag object.
func (t *Trust) askGit(ctx context.Context, tag sign.Tag, oid string,
	otherwise sign.Verdict,
) (sign.Verdict, error) {
	t.mu.Lock()
	t.asked++
	tooOften := t.asked > mostAsked
	t.mu.Unlock()
	if tooOften {
		otherwise.Why = fmt.Sprintf(
			"git has to verify it, which was done for %d others; ask for it by its id", mostAsked)
		otherwise.Until = t.now // It is looked at again the next time.
		return otherwise, nil
	}
	signers := ""
	if tag.Form() == sign.FormSSH {
		// The allowed signers of every list in one file, for ssh-keygen.
		file, err := os.CreateTemp("", "git-ltm-signers-")
		if err != nil {
			return sign.Verdict{}, fmt.Errorf("write allowed signers: %w", err)
		}
		signers = file.Name()
		defer func() { _ = os.Remove(signers) }()
		var all []byte
		for _, l := range t.lists {
			all = append(append(all, l.texts[signersFile]...), '\n')
		}
		_, err = file.Write(all)
		if err = errors.Join(err, file.Close()); err != nil {
			return sign.Verdict{}, fmt.Errorf("write allowed signers: %w", err)
		}
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	said, err := t.repo.VerifyTag(limited, oid, signers)
	if err == nil && !said.OK {
		// One that lies in an archive alone is no object, so it is made again first. Where that cannot be,
		// there is nothing more that git could verify.
		if _, gone := t.readObject(limited, oid); errors.Is(gone, git.ErrMissing) {
			made, failed := t.repo.WriteObject(limited, "tag", slices.Concat(tag.Payload, tag.Signature))
			if failed == nil && made == oid {
				said, err = t.repo.VerifyTag(limited, oid, signers)
			}
		}
	}
	if limited.Err() != nil && ctx.Err() == nil {
		otherwise.Why, otherwise.Until = "git took too long to verify it", t.now
		return otherwise, nil
	}
	if err != nil {
		return sign.Verdict{}, fmt.Errorf("ask git about tag %s: %w", oid, err)
	}
	// Takes the answer of git. Only its exit code and the lines that gpg and gpgsm write for
	// programs count. A key that one list takes back counts for none.
	v, keys := readStatus(said.Status, t.settings.level)
	if tag.Form() == sign.FormSSH {
		fingerprint, _, _ := tag.PublicKey()
		v = sign.Verdict{Standing: sign.Good, Key: fingerprint, Why: "ssh-keygen accepts it"}
		for _, l := range t.lists { // Who holds it says the first list that names it.
			for _, e := range l.Signers.Entries() {
				if e.Fingerprint == fingerprint {
					v.By = cmp.Or(v.By, e.Principals)
				}
			}
		}
		authority, _, _ := tag.Authority()
		keys = []string{fingerprint, authority}
	}
	switch {
	case v.Standing == sign.Good && !said.OK:
		v.Standing, v.By, v.Why = sign.Unknown, "", "git does not accept it"
	case v.Standing == sign.Good && !tag.Formed():
		v.Standing, v.By, v.Why = sign.Unknown, "", "the tag is not of the form of a record's"
	}
	for _, key := range keys {
		if list := t.RevokedBy(key); list != "" && v.Standing != sign.Bad {
			v.Standing, v.By, v.Why = sign.Revoked, "", list+" has taken the key back"
		}
	}
	v.Until = t.now.Add(gpgDay)
	return v, nil
}

// readStatus reads the lines that gpg and gpgsm write with --status-fd (doc/DETAILS of GnuPG). It returns the
// fingerprints of the keys that signed too, and of the primary keys of those.
func readStatus(status string, least int) (v sign.Verdict, keys []string) {
	v = sign.Verdict{Standing: sign.Unknown, Why: "it cannot be checked here"}
	best, words := 0, map[string][]string{}
	for line := range strings.Lines(status) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "[GNUPG:] ")
		if !ok {
			continue
		}
		fields := strings.Fields(rest)
		if len(fields) == 0 {
			continue
		}
		words[fields[0]] = fields[1:]
		if fields[0] == "VALIDSIG" && len(fields) > 1 {
			keys = append(keys, strings.ToUpper(fields[1]), strings.ToUpper(fields[len(fields)-1]))
		}
		if word, ok := strings.CutPrefix(fields[0], "TRUST_"); ok {
			best = max(0, slices.Index(levelNames(), strings.ToLower(word)))
		}
	}
	if valid := words["VALIDSIG"]; len(valid) > 0 {
		v.Key = valid[0]
	}
	_, bad := words["BADSIG"]
	_, revoked := words["REVKEYSIG"]
	_, expired := words["EXPKEYSIG"]
	good, isGood := words["GOODSIG"]
	switch {
	case bad:
		v.Standing, v.Why = sign.Bad, "the signature does not fit the tag"
	case revoked:
		v.Standing, v.Why = sign.Revoked, "its key was taken back"
	case expired:
		v.Why = "its key has expired"
	case isGood && best >= least && best != signer.Never.Rank():
		v.Standing, v.Why = sign.Good, "git accepts it"
		if len(good) > 1 {
			v.By = strings.Join(good[1:], " ")
		}
	case isGood:
		v.Why = "its key is not trusted"
	}
	return v, keys
}

// cacheVersion changes when verdicts are made or kept in another way.
const cacheVersion = "4"

// keptVerdict is a verdict as it is kept for other processes.
type keptVerdict struct {
	Digest string `json:"of"` // of all that it hangs on
	sign.Verdict
	Until time.Time `json:"until,omitzero"`
}

// Stamp is another one where verdicts may be others.
func (t *Trust) Stamp() string { return t.digest }

// recallVerdict returns a verdict that was made before and still holds.
func (t *Trust) recallVerdict(oid string) (sign.Verdict, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if v, ok := t.known[oid]; ok {
		return v, true
	}
	text, _ := t.kept.Find(oid)
	var k keptVerdict
	err := json.Unmarshal([]byte(text), &k)
	if err != nil || k.Digest != t.digest || !k.Until.IsZero() && !k.Until.After(t.now) {
		return sign.Verdict{}, false // It was made by other lists, or its time has ended.
	}
	k.Verdict.Until = k.Until
	t.known[oid] = k.Verdict
	return k.Verdict, true
}

// keepVerdict keeps a verdict for this process, and for others when [Trust.Keep] is called.
func (t *Trust) keepVerdict(oid string, v sign.Verdict) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.known[oid] = v
	if v.Until.IsZero() || v.Until.After(t.now) {
		text, _ := json.Marshal(keptVerdict{t.digest, v, v.Until})     // Texts and a time are always JSON.
		t.kept.Note(oid, strings.ReplaceAll(string(text), "\x7f", "")) // No line of a journal holds it.
	}
}

// Keep writes the new verdicts to the cache. It may be lost, so that a failure is told to nobody.
func (t *Trust) Keep() {
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = t.kept.Keep()
}
