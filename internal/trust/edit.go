package trust

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/git-ltm/git-ltm/internal/sign"

	"github.com/git-ltm/git-ltm/internal/local"
)

// Which names a list that can be written.
type Which int

// The lists that can be written: the user's own counts at once, the team's is a file of the work tree that
// has to be committed and reach the protected ref.
const (
	Own Which = iota
	Team
)

// folderOf is where the files of a list lie.
func (t *Trust) folderOf(which Which) (string, error) {
	switch {
	case which == Team && t.repo.WorkTree == "":
		return "", errors.New("there is no work tree here to write the team's list in")
	case which == Team:
		folder := filepath.Join(t.repo.WorkTree, TeamFolder)
		if info, err := os.Lstat(folder); err == nil && !info.IsDir() {
			return "", fmt.Errorf("%s of the work tree is no folder; a link would lead somewhere else",
				TeamFolder)
		}
		return folder, nil
	case t.settings.home == "":
		return "", errors.New(
			"there is no home directory for a list of your own; set HOME or XDG_CONFIG_HOME")
	default:
		return t.settings.home, nil
	}
}

// An Edit is a change of a list, which [Trust.Write] makes.
type Edit struct {
	File string // where it will be written
	Add  []byte // what is added at the end
}

// AddStore proposes that the team's list names the store.
func (t *Trust) AddStore(id string) (Edit, error) {
	if !sign.IsStore(id) {
		return Edit{}, fmt.Errorf("%q is no id of a store", id)
	}
	return t.editOf(Team, storeFile, []byte(id+"\n"))
}

// TeamHasStore tells whether the team's list in the work tree names the store.
func (t *Trust) TeamHasStore() bool {
	folder, err := t.folderOf(Team)
	if err != nil {
		return false
	}
	text, err := os.ReadFile(filepath.Join(folder, storeFile))
	return err == nil && strings.TrimSpace(string(text)) != ""
}

// Home is the folder of the user's own list; empty where there is no home.
func (t *Trust) Home() string { return t.settings.home }

// Role is what a key does for whom a list names, in the words of a file of allowed signers.
type Role string

// The roles of a key.
const (
	Signs     Role = `namespaces="git"`                // records and commits
	Certifies Role = `cert-authority,namespaces="git"` // other keys, which count where they name the principal
)

// SignerLine returns the line that names an SSH key in a file of allowed signers, for signatures of git
// alone. The principal is a name without blanks, such as a mail address.
func SignerLine(principal string, role Role, authorized string) (string, error) {
	if principal == "" || strings.ContainsFunc(principal, func(r rune) bool { // It would have another meaning.
		return r <= ' ' || !unicode.IsGraphic(r) || unicode.IsSpace(r) || strings.ContainsRune(`"',*?!#\`, r)
	}) {
		return "", fmt.Errorf("principal %q: it is a name without blanks, quotes, commas and wildcards",
			principal)
	}
	line := principal + " " + string(role) + " " + strings.TrimSpace(authorized) + "\n"
	if entries, bad := sign.ParseAllowedSigners([]byte(line)); len(bad) > 0 || len(entries.Entries()) != 1 {
		return "", errors.New("the key is no public key of SSH")
	}
	return line, nil
}

// AddSigner proposes a line for an SSH key.
func (t *Trust) AddSigner(which Which, principal string, role Role, authorized string) (Edit, error) {
	line, err := SignerLine(principal, role, authorized)
	if err != nil {
		return Edit{}, err
	}
	return t.editOf(which, signersFile, []byte(line))
}

// AddKeyring proposes OpenPGP keys in armor.
func (t *Trust) AddKeyring(which Which, armored []byte) (Edit, error) {
	keys, err := sign.ParseKeyring(armored)
	if err != nil || len(keys.Keys()) == 0 {
		return Edit{}, errors.Join(errors.New("it holds no OpenPGP key"), err)
	}
	return t.editOf(which, keyringFile, armored)
}

// AddSigners proposes the lines of a file of allowed signers.
func (t *Trust) AddSigners(which Which, lines []byte) (Edit, error) {
	entries, bad := sign.ParseAllowedSigners(lines)
	if len(bad) > 0 {
		return Edit{}, fmt.Errorf("line %d: %s", bad[0].Line, bad[0].Text)
	}
	if len(entries.Entries()) == 0 {
		return Edit{}, errors.New("it holds no allowed signer")
	}
	return t.editOf(which, signersFile, lines)
}

// AddRevocation proposes that a key counts no longer.
func (t *Trust) AddRevocation(which Which, fingerprint string) (Edit, error) {
	line := fingerprint + "\n"
	if got, bad := sign.ParseRevocations([]byte(line)); len(bad) > 0 || len(got.Lines()) != 1 ||
		strings.ContainsAny(fingerprint, "\r\n") {
		return Edit{}, fmt.Errorf(
			"%q is no fingerprint: SHA256:... of an SSH key, or 40 or 64 digits of an OpenPGP key",
			fingerprint)
	}
	return t.editOf(which, revocationsFile, []byte(line))
}

func (t *Trust) editOf(which Which, file string, add []byte) (Edit, error) {
	folder, err := t.folderOf(which)
	if add[len(add)-1] != '\n' {
		add = append(slices.Clone(add), '\n')
	}
	return Edit{File: filepath.Join(folder, file), Add: add}, err
}

// Known tells whether the file holds every line of an edit already. A file that cannot be read holds none.
func (e Edit) Known() bool {
	text, err := os.ReadFile(e.File)
	added := strings.Split(strings.TrimSuffix(string(e.Add), "\n"), "\n")
	return err == nil && len(listWithout(added, strings.Split(string(text), "\n"))) == 0
}

// Write makes an edit: the new file takes the place of the old one in one step.
func (e Edit) Write() (err error) {
	folder := filepath.Dir(e.File)
	if err := os.MkdirAll(folder, 0o755); err != nil { //nolint:gosec // A list of keys is public.
		return fmt.Errorf("write list of keys: %w", err)
	}
	if info, err := os.Lstat(e.File); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("write list of keys %q: it is no regular file", e.File)
	}
	old, err := os.ReadFile(e.File)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("write list of keys: %w", err)
	}
	if n := len(old); n > 0 && old[n-1] != '\n' {
		old = append(old, '\n')
	}
	if err := local.At(e.File).ReplaceAs(slices.Concat(old, e.Add),
		local.Replacement{Perm: 0o644, Exact: true}); err != nil {
		return fmt.Errorf("write list of keys: %w", err)
	}
	return nil
}
