package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-ltm/git-ltm/internal/signer/keytest"
)

// owned is the key of the rings of GnuPG of a script.
type owned struct{}

// rings are the rings of GnuPG by the home directory of their owner.
type rings map[string]*keytest.Ring

// as NAME lets the rest of a script be another person, with a home directory, a configuration of git and keys
// of their own. A script begins as ada.
func as(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 || args[0] == "" {
		ts.Fatalf("usage: as NAME")
	}
	name, home := args[0], filepath.Join(ts.Getenv("WORK"), "home")
	if name != "ada" {
		home += "-" + name
	}
	global := filepath.Join(home, ".gitconfig")
	if _, err := os.Stat(global); err != nil {
		config := strings.NewReplacer("Ada Tester", fullName(name), "ada@", name+"@").Replace(gitConfig)
		ts.Check(os.MkdirAll(home, 0o700))
		ts.Check(os.WriteFile(global, []byte(config), 0o600))
	}
	gnupg := filepath.Join(home, ".gnupg")
	if ring := ts.Value(owned{}).(rings)[home]; ring != nil {
		gnupg = ring.Dir
	}
	for k, v := range map[string]string{
		"HOME": home, "USERPROFILE": home, "XDG_CONFIG_HOME": filepath.Join(home, ".config"),
		"XDG_DATA_HOME":     filepath.Join(home, ".data"),
		"GIT_CONFIG_GLOBAL": global, "GNUPGHOME": gnupg, "SSH_AUTH_SOCK": "",
	} {
		ts.Setenv(k, v)
	}
}

// fullName is the name of a person, or of another holder of a key.
func fullName(name string) string {
	if name == "ada" {
		return "Ada Tester"
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// ring returns the ring of the person that a script is. It is made when it is first asked for.
func ring(ts *testscript.TestScript) *keytest.Ring {
	all, home := ts.Value(owned{}).(rings), ts.Getenv("HOME")
	if all[home] == nil {
		made, err := keytest.NewRing()
		ts.Check(err)
		ts.Defer(func() { ts.Check(made.Close()) })
		all[home] = made
		ts.Setenv("GNUPGHOME", made.Dir)
	}
	return all[home]
}

// key KIND ... makes a key with the real programs, or changes one. The variable NAME in capitals holds the
// fingerprint of a key of GnuPG, or the file of a private key of SSH, beside which NAME_PUB is the public
// key.
//
//	key gpg ALGORITHM NAME           a key of OpenPGP for NAME@example.com
//	key locked ALGORITHM NAME        one with a passphrase that nobody knows
//	key subkey ALGORITHM OF NAME     a subkey that signs
//	key expire NAME                  it ended two seconds ago
//	key revoke NAME                  it is taken back
//	key past SECONDS                 GPG_PAST is a gpg that lives in the past
//	key ssh TYPE NAME [PASSPHRASE]   a key in .ssh of the home directory
//	key cert AUTHORITY NAME MAIL     a certificate beside the key of SSH
//	key agent NAME...                an agent that alone holds the private keys of SSH from then on
//	key smime NAME                   a certificate of x509 for NAME@example.com
func key(ts *testscript.TestScript, _ bool, args []string) {
	kinds := map[string]struct {
		arguments int
		do        func(ts *testscript.TestScript, args []string)
	}{
		"gpg": {2, keyGPG}, "locked": {2, keyLocked}, "subkey": {3, keySub}, "expire": {1, keyExpire},
		"revoke": {1, keyRevoke}, "past": {1, keyPast},
		"ssh": {2, keySSH}, "cert": {3, keyCert}, "agent": {1, keyAgent}, "smime": {1, keySMIME},
	}
	if len(args) == 0 || kinds[args[0]].do == nil || len(args[1:]) < kinds[args[0]].arguments {
		ts.Fatalf("usage: key KIND ARGUMENT...")
	}
	kinds[args[0]].do(ts, args[1:])
}

// named sets the variable of a key.
func named(ts *testscript.TestScript, name, value string, err error) {
	ts.Check(err)
	ts.Setenv(strings.ToUpper(name), value)
}

// keyed returns what the variable of a key holds.
func keyed(ts *testscript.TestScript, name string) string {
	value := ts.Getenv(strings.ToUpper(name))
	if value == "" {
		ts.Fatalf("there is no key %s", name)
	}
	return value
}

func keyGPG(ts *testscript.TestScript, args []string) {
	fingerprint, err := ring(ts).Generate(userID(args[1]), args[0], "never")
	named(ts, args[1], fingerprint, err)
}

func keyLocked(ts *testscript.TestScript, args []string) {
	fingerprint, err := ring(ts).GenerateLocked(userID(args[1]), args[0], "correct horse")
	named(ts, args[1], fingerprint, err)
}

func userID(name string) string { return fullName(name) + " <" + name + "@example.com>" }

func keySub(ts *testscript.TestScript, args []string) {
	fingerprint, err := ring(ts).AddSubkey(keyed(ts, args[1]), args[0], "never")
	named(ts, args[2], fingerprint, err)
}

func keyExpire(ts *testscript.TestScript, args []string) {
	ts.Check(ring(ts).ExpireAt(keyed(ts, args[0]), time.Now().Add(-2*time.Second)))
}

func keyRevoke(ts *testscript.TestScript, args []string) {
	ts.Check(ring(ts).Revoke(keyed(ts, args[0])))
}

func keyPast(ts *testscript.TestScript, args []string) {
	seconds, err := strconv.Atoi(args[0])
	ts.Check(err)
	program, err := ring(ts).FakedProgram(time.Now().Add(-time.Duration(seconds) * time.Second))
	named(ts, "GPG_PAST", program, err)
}

func keySSH(ts *testscript.TestScript, args []string) {
	folder := filepath.Join(ts.Getenv("HOME"), ".ssh")
	ts.Check(os.MkdirAll(folder, 0o700))
	path := filepath.Join(folder, args[1])
	public, err := keytest.NewSSHKey(path, args[0], strings.Join(args[2:], ""))
	named(ts, args[1], path, err)
	fields := append(strings.Fields(public), "", "")
	ts.Setenv(strings.ToUpper(args[1])+"_PUB", fields[0]+" "+fields[1])
}

func keyCert(ts *testscript.TestScript, args []string) {
	path, err := keytest.NewCertificate(keyed(ts, args[0]), keyed(ts, args[1]), "", args[2:]...)
	named(ts, args[1]+"_CERT", path, err)
}

func keyAgent(ts *testscript.TestScript, args []string) {
	var paths []string
	for _, name := range args {
		paths = append(paths, keyed(ts, name))
	}
	agent, err := keytest.NewSSHAgent(paths...)
	ts.Check(err)
	ts.Defer(func() { ts.Check(agent.Close()) })
	for _, path := range paths {
		ts.Check(os.Remove(path))
	}
	ts.Setenv("SSH_AUTH_SOCK", agent.Socket)
}

func keySMIME(ts *testscript.TestScript, args []string) {
	fingerprint, err := keytest.NewSMIME(ring(ts), fullName(args[0]), args[0]+"@example.com")
	named(ts, args[0], fingerprint, err)
}

// standing ID STANDING [stricter] fails unless verify and ls call a packet by its standing, and stock git
// agrees: it accepts the tag where the standing is good, and no other. With "stricter" it accepts what is not
// good.
func standing(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: standing ID STANDING [stricter]")
	}
	id, word := args[0], args[1]
	// Its code says whether policy is met, which is another question.
	_ = ts.Exec("git-ltm", "verify", id, "--json")
	jsonValue(ts, false, []string{"/0/standing", word})
	verified := ts.ReadFile("stdout")
	ts.Check(ts.Exec("git-ltm", "ls", "--all", "--format", "%(id) %(trust)"))
	if listed := ts.ReadFile("stdout"); !strings.Contains(listed, id+" "+word+"\n") {
		ts.Fatalf("ls says otherwise than verify, want %s %s", id, word)
	}
	ref, _, _ := strings.Cut(verified[strings.Index(verified, `"ref": "`)+8:], `"`)
	err := ts.Exec("git", "verify-tag", ref)
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		ts.Fatalf("%v", err)
	}
	if want := word == "good" || len(args) == 3; want != (err == nil) {
		ts.Fatalf("git verify-tag ends with %v, and the packet is %s here", err, word)
	}
}
