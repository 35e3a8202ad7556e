package trust

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/sign"

	"github.com/git-ltm/git-ltm/internal/local"
)

// The files of a list, in its folder.
const (
	signersFile     = "allowed_signers"
	keyringFile     = "keyring"
	revocationsFile = "revoked"
	storeFile       = "store"
)

// TeamFolder is where a team keeps its list in the tree.
const TeamFolder = ".ltm"

// maxFile bounds each file of a list, in bytes.
const maxFile = 1 << 20

// The lists by what they are called.
const (
	GitList  = "your git configuration"
	OwnList  = "your own list"
	TeamList = "the team's list"
	KeyList  = "your user.signingKey" // one key, so that what the same person signs elsewhere counts here
)

// StoreKey is the key of git's configuration that names the store.
const StoreKey = "ltm.store"

// storeForm says what an id of a store is.
const storeForm = "1 to 64 letters, digits, dots, dashes and underscores"

// List is one list of keys as it was read.
type List struct {
	sign.Source
	Place    string   // where it lies, for a person
	Problems []string // lines that do not count
	Team     bool     // it is the team's, accepted here
	texts    texts
}

// texts are the files of a list, by their names.
type texts map[string][]byte

// parseList reads the files. What cannot be read at all is an error; a line that cannot is a problem.
func parseList(name, place string, files texts) (*List, error) {
	l := &List{Source: sign.Source{Name: name}, Place: place, texts: files}
	var bad []sign.Problem
	l.Signers, bad = sign.ParseAllowedSigners(files[signersFile])
	for i, p := range bad {
		if i == mostProblems {
			l.Problems = append(l.Problems,
				fmt.Sprintf("%s: %d more lines do not count", signersFile, len(bad)-i))
			break
		}
		l.Problems = append(l.Problems,
			fmt.Sprintf("%s line %d does not count: %s", signersFile, p.Line, p.Text))
	}
	l.Revoked, bad = sign.ParseRevocations(files[revocationsFile])
	if len(bad) > 0 {
		return nil, fmt.Errorf("%s: a line of %q cannot be read, and it may take back a key: line %d, %s",
			name, revocationsFile, bad[0].Line, bad[0].Text)
	}
	for _, id := range l.linesOf(storeFile) {
		if !sign.IsStore(id) {
			return nil, fmt.Errorf("%s: %q: a line is no id of a store: %s", name, storeFile, storeForm)
		}
	}
	if l.Revoked.Opaque() && name != GitList {
		return nil, fmt.Errorf(
			"%s: %q is a binary list of OpenSSH, which git reads from gpg.ssh.revocationFile alone; write "+
				"a key or a fingerprint a line", name, revocationsFile)
	}
	if data := files[keyringFile]; len(data) > 0 {
		var err error
		if l.Keyring, err = sign.ParseKeyring(data); err != nil {
			return nil, fmt.Errorf("%s: read %q: %w", name, keyringFile, err)
		}
	}
	return l, nil
}

// Stores returns the ids of the store that the list names.
func (l *List) Stores() []string { return l.linesOf(storeFile) }

// linesOf returns the lines of a file that say something.
func (l *List) linesOf(file string) []string {
	var all []string
	for line := range strings.Lines(string(l.texts[file])) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			all = append(all, line)
		}
	}
	return all
}

// mostProblems is how many lines of a file are told one by one.
const mostProblems = 10

// readLists reads every list that counts.
func (t *Trust) readLists(ctx context.Context) ([]*List, error) {
	var failures []error
	signers, err := readFile(t.settings.signers)
	if errors.Is(err, fs.ErrNotExist) { // Without it fewer keys count, and none more.
		t.settings.warnings = append(t.settings.warnings,
			"gpg.ssh.allowedSignersFile names a file that is not there")
		err = nil
	}
	failures = append(failures, err)
	revocations, err := readFile(t.settings.revocations)
	failures = append(failures, err)
	own := texts{}
	for _, file := range []string{signersFile, keyringFile, revocationsFile} {
		if t.settings.home == "" {
			continue
		}
		own[file], err = readFile(filepath.Join(t.settings.home, file))
		if !errors.Is(err, fs.ErrNotExist) { // No file is an empty one.
			failures = append(failures, err)
		}
	}
	if err := errors.Join(failures...); err != nil {
		return nil, err
	}
	lists := make([]*List, 0, 4)
	for _, part := range []struct {
		name, place string
		files       texts
	}{
		{GitList, "git config, gpg", texts{signersFile: signers, revocationsFile: revocations}},
		{OwnList, t.settings.home, own},
	} {
		l, err := parseList(part.name, part.place, part.files)
		if err != nil {
			return nil, err
		}
		lists = append(lists, l)
	}
	if t.settings.pin != "" {
		team, err := t.teamAt(ctx, t.settings.pin)
		if err != nil {
			return nil, err
		}
		lists = append(lists, team)
	}
	signing, err := parseList(KeyList, "git config", texts{signersFile: t.settings.sshSigner})
	if err != nil {
		return nil, err
	}
	// A list that names the key says for how long it counts, and whose it is.
	for _, key := range signing.fingerprintsOf() {
		if !slices.ContainsFunc(lists, func(l *List) bool { return slices.Contains(l.fingerprintsOf(), key) }) {
			lists = append(lists, signing)
		}
	}
	return lists, nil
}

// readFile reads a regular file; an empty name is none.
func readFile(path string) ([]byte, error) {
	if path == "" {
		return nil, nil
	}
	data, err := local.ReadFile(path, maxFile)
	if err != nil {
		return nil, fmt.Errorf("read list of keys: %w", err)
	}
	return data, nil
}
