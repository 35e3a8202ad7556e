package trust

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/signer"
	"github.com/git-ltm/git-ltm/internal/upstream"
	"github.com/git-ltm/git-ltm/internal/words"
)

// The keys of the configuration that decide whom this clone believes, beside [StoreKey].
const (
	pinKey        = "ltm.trustPin" // the accepted commit of the team's list
	refKey        = "ltm.trustRef" // where the list is read from
	requireKey    = "ltm.requireSigned"
	endorseKey    = "ltm.requireEndorsed"
	gpgLevelKey   = "gpg.minTrustLevel"
	signersKey    = "gpg.ssh.allowedSignersFile"
	revocationKey = "gpg.ssh.revocationFile"
	gpgKey        = "gpg.program" // it says how valid a key is
	openPGPKey    = "gpg.openpgp.program"
	x509Key       = "gpg.x509.program"
)

// The keys of the configuration that say which key the person signs with, and as whom. From a file that a
// checkout can change they are passed over: without them fewer keys count.
const (
	signingKey = "user.signingKey"
	formatKey  = "gpg.format"
	emailKey   = "user.email"
)

// UpstreamKey is the key that says how far the remote of memory is believed.
const UpstreamKey = "ltm.trust"

// Deciding returns these keys. None of them is taken from a file that a checkout can change.
func Deciding() []string {
	return []string{
		pinKey, refKey, StoreKey, requireKey, endorseKey, gpgLevelKey, signersKey, revocationKey,
		gpgKey, openPGPKey, x509Key,
		UpstreamKey,
	}
}

// OfUpstream returns how far records are believed that the upstream delivered: what ltm.trust says, else what
// was fixed at setup.
func OfUpstream(config git.Config, u upstream.Upstream) (upstream.Trust, error) {
	if err := config.Own(UpstreamKey); err != nil {
		return upstream.Signed, &PolicyError{err}
	}
	said, ok := config.Get(UpstreamKey)
	if !ok {
		said = string(u.Trust)
	}
	switch t := upstream.Trust(strings.ToLower(said)); t {
	case upstream.Remote, upstream.Signed:
		return t, nil
	case "":
		return upstream.Signed, nil
	}
	return upstream.Signed,
		&PolicyError{fmt.Errorf("%s is neither remote nor signed%s", UpstreamKey,
			DidYouMean(said, "remote", "signed"))}
}

// DidYouMean asks whether one of some words was meant by a value that is none of them, or says nothing.
func DidYouMean(value string, valid ...string) string {
	value = strings.ToLower(value)
	best, least := "", min(3, len(value))
	for _, word := range valid {
		if d := words.CountEdits(value, strings.ToLower(word)); d < least {
			best, least = word, d
		}
	}
	if best == "" {
		return ""
	}
	return ", did you mean " + best + "?"
}

// settings are the keys of git's configuration that say whose keys count.
type settings struct {
	signers     string // the file of allowed signers; empty where there is none
	revocations string
	gpg         string // the program for OpenPGP; empty is gpg
	level       int    // what gpg must think of a key at least, as the place among levelNames
	trustRef    string
	pin         string   // the commit of the team's list; empty where nobody accepted one
	pins        []string // every value of that key
	stores      []string
	remotes     []string
	home        string // the folder of the user's own list; empty where there is no home
	gpgHome     string
	sshSigner   []byte // the line of an allowed signer for the key of SSH that user.signingKey names
	gpgKey      string // the fingerprint or the long id of the key of gpg that it names
	warnings    []string
}

// settingsOf reads the keys.
func settingsOf(ctx context.Context, repo *git.Repo, config git.Config) (*settings, error) {
	if err := config.Own(Deciding()...); err != nil {
		return nil, err
	}
	u, _, err := upstream.Of(repo)
	if err != nil {
		return nil, err
	}
	s := &settings{stores: config.All(StoreKey), remotes: config.Remotes(), home: repo.UserFolder()}
	if s.gpgHome, _ = repo.Env("GNUPGHOME"); s.gpgHome == "" {
		home, _ := repo.Env("HOME")
		s.gpgHome = filepath.Join(home, ".gnupg")
	}
	s.pin, _ = config.Get(pinKey)
	s.pins = config.All(pinKey)
	s.trustRef, _ = config.Get(refKey)
	s.gpg, _ = config.Get(gpgKey)
	if program, ok := config.Get(openPGPKey); ok {
		s.gpg = program
	}
	if u.Store != "" {
		s.stores = append(s.stores, u.Store)
	}
	s.level = signer.Marginal.Rank() // which git asks of merges
	if text, ok := config.Get(gpgLevelKey); ok {
		s.level = slices.Index(levelNames(), strings.ToLower(text))
		if s.level < 0 {
			return nil, fmt.Errorf("%s is not one of undefined, never, marginal, fully and ultimate%s", gpgLevelKey,
				DidYouMean(text, levelNames()...))
		}
	}
	for _, file := range []struct {
		key string
		to  *string
	}{{signersKey, &s.signers}, {revocationKey, &s.revocations}} {
		if *file.to, err = s.fileOutside(ctx, repo, config, file.key); err != nil {
			return nil, err
		}
	}
	s.signingKey(repo, config)
	return s, nil
}

// fileOutside returns the file that a key names. One that lies in a work tree does not count: whoever
// writes a branch would write the list. A list of revoked keys counts as long as it is there, because it
// lets no key in.
func (s *settings) fileOutside(ctx context.Context, repo *git.Repo, config git.Config,
	key string,
) (string, error) {
	value, ok := config.Get(key)
	if !ok || value == "" {
		return "", nil
	}
	if strings.HasPrefix(value, "~") {
		var err error
		if value, _, err = repo.Settings().Path(ctx, key); err != nil {
			return "", err
		}
	}
	if filepath.IsAbs(value) && !repo.InCheckout(value) {
		return value, nil
	}
	warning := key + " names a file that a checkout can change, so it does not count here; a list of the " +
		"team counts from a protected ref: git ltm trust init"
	defer func() { s.warnings = append(s.warnings, warning) }()
	if key != revocationKey || repo.WorkTree == "" {
		return "", nil
	}
	if !filepath.IsAbs(value) {
		value = filepath.Join(repo.WorkTree, value)
	}
	if _, err := os.Stat(value); err != nil {
		return "", nil // The warning tells it.
	}
	warning = key + " names a file that a checkout can change: it takes keys back, and whoever writes a " +
		"branch can let them in again; a list of the team counts from a protected ref: git ltm trust init"
	return value, nil
}

// levelNames are the levels of gpg.minTrustLevel, in rising order, which is that of [signer.Validity.Rank].
func levelNames() []string { return []string{"undefined", "never", "marginal", "fully", "ultimate"} }

// Require is how much policy asks of a record that nobody here vouches for.
type Require int

// The values of ltm.requireSigned.
const (
	Warn   Require = iota // it is handed on when somebody asks for it, and labelled
	Never                 // it is handed on always
	Always                // it is withheld
)

// Policy is what is asked of a record before a session reads it.
type Policy struct {
	Require  Require
	Endorsed int // how many others have to vouch for a record
}

// readPolicy reads the policy.
func readPolicy(config git.Config) (Policy, error) {
	var p Policy
	if err := config.Own(requireKey, endorseKey); err != nil {
		return p, &PolicyError{err}
	}
	switch text, ok := config.Get(requireKey); {
	case !ok || strings.EqualFold(text, "warn"):
	default:
		always, err := config.Bool(requireKey, false)
		if err != nil {
			return Policy{}, &PolicyError{fmt.Errorf("%s is not one of true, false and warn%s", requireKey,
				DidYouMean(text, "true", "false", "warn"))}
		}
		p.Require = Never
		if always {
			p.Require = Always
		}
	}
	if text, ok := config.Get(endorseKey); ok {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return Policy{}, &PolicyError{fmt.Errorf("%s is not a number of people", endorseKey)}
		}
		p.Endorsed = n
	}
	return p, nil
}

// signingKey reads which key is the person's own: the one that user.signingKey names. What a checkout can
// change names none.
func (s *settings) signingKey(repo *git.Repo, config git.Config) {
	key, _ := config.Get(signingKey)
	if key == "" {
		return
	}
	if err := config.Own(signingKey, emailKey); err != nil {
		s.warnings = append(s.warnings, err.Error()+", so the key does not count here")
		return
	}
	format, _ := config.Get(formatKey)
	switch signer.Format(strings.ToLower(format)) {
	case signer.SSH:
		// Its public part is the setting itself, or a file, or lies beside that.
		line, literal := signer.LiteralKey(key)
		if !literal {
			if rest, ok := strings.CutPrefix(key, "~/"); ok {
				home, _ := repo.Env("HOME")
				key = filepath.Join(home, rest)
			}
			if !filepath.IsAbs(key) || repo.InCheckout(key) || repo.InCheckout(key+".pub") {
				s.warnings = append(s.warnings,
					signingKey+" names a file that a checkout can change, so it does not count here")
				return
			}
			var err error
			for _, file := range []string{key, key + ".pub"} {
				if line, err = signer.ReadPublic(file); err == nil {
					break
				}
			}
		}
		mail, _ := config.Get(emailKey)
		own, err := SignerLine(mail, Signs, line)
		if err != nil {
			own, _ = SignerLine("you", Signs, line)
		}
		s.sshSigner = []byte(own)
	case "", signer.OpenPGP: // A name or a short id may mean somebody else's key.
		name := strings.TrimPrefix(strings.TrimSuffix(strings.ToUpper(key), "!"), "0X")
		if len(name) >= 16 && strings.Trim(name, "0123456789ABCDEF") == "" {
			s.gpgKey = name
		}
	}
}
