package remote

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// reader says what a value of a setting must be, or returns nothing.
type reader func(value string) (want string)

// known are the settings of ltm, and how each is read. Every name is in lower case, as git lists it.
func known() map[string]reader {
	text := func(string) string { return "" }
	return map[string]reader{
		"ltm.deadend": words("warn", "once", "ask"), "ltm.distillcommand": text, "ltm.distillkeyenv": text, "ltm.distillmodel": text,
		"ltm.distillremote": boolean, "ltm.distilltimeout": number,
		"ltm.budget": number, "ltm.mintrustlevel": words("undefined", "never", "marginal", "fully", "ultimate"),
		"ltm.mcprepository": text, "ltm.public": boolean, "ltm.remote": text, "ltm.remotetimeout": number,
		"ltm.requireendorsed": number, "ltm.requiresigned": text, "ltm.scanconfig": text,
		"ltm.sign": words("true", "yes", "on", "1", "false", "no", "off", "0", "", "required"), "ltm.signtimeout": text,
		"ltm.signingkey": text, "ltm.store": text, "ltm.trust": words("remote", "signed"), "ltm.trustpin": text, "ltm.trustref": text, "ltm.userstore": text,
	}
}

func boolean(value string) string {
	_, err := strconv.ParseInt(value, 10, 32)
	if err == nil || slices.Contains([]string{"true", "yes", "on", "false", "no", "off", ""}, strings.ToLower(value)) {
		return ""
	}
	return "true or false"
}

func number(value string) string {
	if n, err := strconv.Atoi(value); err == nil && n >= 0 {
		return ""
	}
	return "a number"
}

func words(list ...string) reader {
	return func(value string) string {
		if slices.Contains(list, strings.ToLower(value)) {
			return ""
		}
		return "one of " + strings.Join(slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == "" }), ", ") + trust.DidYouMean(value, list...)
	}
}

// settings tells of those that a checkout can change, of those that no command reads, and of values that no command can read.
func settings(_ context.Context, p *patient) ([]Finding, error) {
	var found []Finding
	list := known()
	for _, key := range slices.Concat(trust.Deciding(), []string{"ltm.scanConfig", memory.UserStoreKey, "ltm.deadEnd", "ltm.remote", "ltm.public"}) {
		if err := p.config.Own(key); err != nil {
			what := err.Error() + ", and whoever writes a branch decides it"
			found = append(found, Finding{Level: Problem, What: what, Mend: "take it out of that file, and where it is meant: git config " + key + " VALUE"})
		}
	}
	for _, key := range p.config.Keys("ltm.") {
		read, ok := list[key]
		if !ok {
			found = append(found, Finding{Level: Advice, What: key + " is no setting of this version" + trust.DidYouMean(key, slices.Sorted(maps.Keys(list))...), Mend: "git config --show-origin --get-all " + key + " says where it is set"})
			continue
		}
		value, _ := p.config.Get(key)
		if want := read(value); want != "" {
			found = append(found, Finding{Level: Problem, What: key + " is " + strconv.Quote(value) + ", and must be " + want, Mend: "git config " + key + " VALUE"})
		}
	}
	return found, nil
}

// signing tells why what is to be signed would not be. It asks no program to sign: that might ask a person.
func signing(ctx context.Context, p *patient) ([]Finding, error) {
	if !p.signs() {
		return nil, nil
	}
	var found []Finding
	name, mail, err := p.repo.Identity(ctx)
	if err != nil {
		return nil, err
	}
	if name == "" || mail == "" {
		found = append(found, Finding{Level: Problem, What: "records are to be signed, and git knows no name and address of yours", Mend: "git config user.name NAME; git config user.email ADDRESS"})
	}
	format, key := p.signingKey()
	if program := p.signer(format); program != "" && !p.repo.HasProgram(program) {
		found = append(found, Finding{Level: Problem, What: "records are to be signed, and the program " + program + " is not here", Mend: "install it, or git config gpg." + format + ".program FILE"})
	}
	if format == "ssh" {
		f, err := p.sshKey(ctx, key)
		if err != nil {
			return found, err
		}
		found = append(found, f...)
	}
	lists, err := p.memory.Judge().Trust(ctx)
	if err != nil {
		return found, err
	}
	if len(lists.Stores()) == 0 {
		what := "records are to be signed, and this clone does not know which store it is; the first signature draws an id that other clones do not have"
		found = append(found, Finding{Level: Advice, What: what, Mend: "git config ltm.store ID, the same in every clone"})
	}
	return found, nil
}

// signs reports whether records are to be signed.
func (p *patient) signs() bool {
	if text, _ := p.config.Get("ltm.sign"); text == "required" {
		return true
	}
	commits, _ := p.config.Bool("commit.gpgSign", false)
	wanted, err := p.config.Bool("ltm.sign", commits)
	return wanted && err == nil
}

// signingKey returns the format of signatures and the key that makes them.
func (p *patient) signingKey() (format, key string) {
	format = "openpgp"
	if text, ok := p.config.Get("gpg.format"); ok {
		format = strings.ToLower(text)
	}
	key, _ = p.config.Get("user.signingKey")
	if own, _ := p.config.Get("ltm.signingKey"); own != "" {
		key = own
		if strings.ContainsAny(own, `/\`) || strings.HasPrefix(own, "key::") || strings.HasPrefix(own, "ssh-") {
			format = "ssh"
		}
	}
	return format, key
}

// signer is the program that signs; empty where the format is none.
func (p *patient) signer(format string) string {
	program, ok := p.config.Get("gpg." + format + ".program")
	if own, set := p.config.Get("gpg.program"); !ok && set && format == "openpgp" {
		program = own
	}
	if program != "" {
		return program
	}
	return map[string]string{"openpgp": "gpg", "x509": "gpgsm", "ssh": "ssh-keygen"}[format]
}

// sshKey tells of a key of SSH that is none, or whose file is not there.
func (p *patient) sshKey(ctx context.Context, key string) ([]Finding, error) {
	const mend = "git config user.signingKey FILE, or git ltm key init"
	if _, asks := p.config.Get("gpg.ssh.defaultKeyCommand"); key == "" && !asks {
		return []Finding{{Level: Problem, What: "records are to be signed with SSH, and no key is named", Mend: mend}}, nil
	}
	if key == "" || strings.HasPrefix(key, "key::") || strings.HasPrefix(key, "ssh-") {
		return nil, nil
	}
	if strings.HasPrefix(key, "~") {
		for _, name := range []string{"user.signingKey", "ltm.signingKey"} {
			path, ok, err := p.repo.PathSetting(ctx, name)
			if err != nil && !errors.Is(err, git.ErrOneCall) {
				return nil, err
			}
			if ok && path != "" {
				key = path
			}
		}
	}
	if _, err := os.Stat(key); err != nil && strings.HasPrefix(key, "/") {
		return []Finding{{Level: Problem, What: "records are to be signed with " + key + ", which cannot be read", Mend: mend}}, nil
	}
	return nil, nil
}
