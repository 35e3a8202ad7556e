package remote

import (
	"context"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/signer"
	"github.com/git-ltm/git-ltm/internal/signing"
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

// signatures tells why what is to be signed would not be. It asks no program to sign: that might ask a person.
func signatures(ctx context.Context, p *patient) ([]Finding, error) {
	if mode, err := p.memory.Signer().Configured(ctx); err != nil || mode == signing.NoSign {
		return nil, nil //nolint:nilerr // That a value cannot be read is said of the setting.
	}
	c, err := p.memory.Signer().ProgramConfig(ctx)
	if err != nil {
		return nil, err
	}
	var found []Finding
	if c.Identity == "" || strings.HasSuffix(c.Identity, "<>") {
		found = append(found, Finding{Level: Problem, What: "records are to be signed, and git knows no name and address of yours", Mend: "git config user.name NAME; git config user.email ADDRESS"})
	}
	if program := c.SignerProgram(); !p.repo.HasProgram(program) {
		found = append(found, Finding{Level: Problem, What: "records are to be signed, and the program " + program + " is not here", Mend: "install it, or git config gpg." + string(c.Format) + ".program FILE"})
	}
	// A key of SSH that is none, or whose file is not there.
	const mend = "git config user.signingKey FILE, or git ltm key init"
	switch _, unread := os.Stat(c.Key); {
	case c.Format != signer.SSH || strings.HasPrefix(c.Key, "key::") || strings.HasPrefix(c.Key, "ssh-"):
	case c.Key == "" && c.DefaultKeyCommand == "":
		found = append(found, Finding{Level: Problem, What: "records are to be signed with SSH, and no key is named", Mend: mend})
	case strings.HasPrefix(c.Key, "/") && unread != nil:
		found = append(found, Finding{Level: Problem, What: "records are to be signed with " + c.Key + ", which cannot be read", Mend: mend})
	}
	lists, err := p.memory.Judge().Trust(ctx)
	if err == nil && len(lists.Stores()) == 0 {
		what := "records are to be signed, and this clone does not know which store it is; the first signature draws an id that other clones do not have"
		found = append(found, Finding{Level: Advice, What: what, Mend: "git config ltm.store ID, the same in every clone"})
	}
	return found, err
}
