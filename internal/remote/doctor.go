package remote

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/signer"
	"github.com/git-ltm/git-ltm/internal/trust"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

// Level is how much a finding of the doctor matters.
type Level string

// The levels of findings.
const (
	Fine    Level = "ok"
	Advice  Level = "advice"
	Problem Level = "problem"
)

// Finding is what one check found.
type Finding struct {
	Check string `json:"check"`
	Level Level  `json:"level"`
	What  string `json:"what"`
	Mend  string `json:"mend,omitempty"` // the command that mends it
}

// healCommand mends what [memory.Memory.HealAll] mends.
const healCommand = "git ltm doctor --fix"

// Fixable reports whether [memory.Memory.HealAll] mends it, which harms nothing.
func (f Finding) Fixable() bool { return f.Mend == healCommand }

// A patient is a set-up that is looked at.
type patient struct {
	memory  *memory.Memory
	repo    *git.Repo
	store   *refs.Store
	config  git.Config
	remotes []string
	own     string // the remote that memory goes to; empty for none
	alone   error  // why there is none
	now     time.Time
	found   []Finding // by the check that is under way
}

// tell notes what a check found, and the command that mends it, where there is one.
func (p *patient) tell(level Level, what, mend string) {
	p.found = append(p.found, Finding{Level: level, What: what, Mend: mend})
}

// Examine looks at everything about the set-up of a repository that may keep memory from being kept, found or
// exchanged. It asks no network and no person, and changes nothing but what the clone keeps of what was
// counted.
func Examine(ctx context.Context, m *memory.Memory, now time.Time) ([]Finding, error) {
	p := &patient{memory: m, repo: m.Repo(), store: refs.Open(m.Repo()), now: now}
	defer func() { _ = p.store.Close() }() // It only read.
	var err error
	if p.config, err = m.Config(ctx); err != nil {
		return nil, err
	}
	p.remotes = p.config.Remotes()
	if p.own, p.alone = Default(p.repo, p.config); p.alone != nil {
		p.own = "" // Default may name one that is gone.
	}
	var all []Finding
	for _, c := range allChecks() {
		p.found = nil
		err := c.look(ctx, p)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		all = append(all, Judge(c.name, c.fine, p.found, err)...)
	}
	return all, nil
}

// Judge names what a check found. Where it found nothing, that is a finding too, and so is that it could not
// look.
func Judge(name, fine string, found []Finding, err error) []Finding {
	if err != nil {
		found = append(found, Finding{Level: Problem, What: "it could not be looked at: " + err.Error()})
	}
	if len(found) == 0 {
		found = []Finding{{Level: Fine, What: fine}}
	}
	for i := range found {
		found[i].Check = name
	}
	return found
}

// examination is one thing that is looked at. Where nothing is found, it is fine.
type examination struct {
	name, fine string
	look       func(context.Context, *patient) error
}

// allChecks are all checks, in the order in which they are told.
func allChecks() []examination {
	return []examination{
		{"git", "git is new enough", gitVersion},
		{"silenced", "memory is not silenced", checkSilenced},
		{"settings", "every setting of ltm is known and can be read", checkSettings},
		{"remote", "it is clear where memory goes", whichRemote},
		{
			"trust", "no remote is fixed for memory, so agents are shown automatically only what is trusted",
			howTrusted,
		},
		{"refspecs", "no refspec overwrites or prunes records of this clone", checkRefspecs},
		{"mirror", "no push mirrors this clone", checkMirrors},
		{"addresses", "each remote is one place", checkAddresses},
		{"broken", "every object of memory is there; 'git ltm check' reads each", checkBroken},
		{"locks", "no lock was left behind", checkLocks},
		{"live", "few enough refs that a push stays quick", checkLive},
		{
			"unpushed", "nothing waits to be pushed, as of the last exchange: 'git ltm sync --dry-run' " +
				"asks the remote", checkUnpushed,
		},
		{"purged", "no remote was seen to hold what was purged", checkPurged},
		{"sharing", "memory travels by itself where it should", checkSharing},
		{"background", "nothing that goes to a remote in the background is held back", checkBackground},
		{"signing", "the signing program runs", checkSignatures},
		{"disk", "files can be stored, and none is left over", checkDisk},
	}
}

// gitVersion tells a git that lacks what keeps records safe.
func gitVersion(ctx context.Context, p *patient) error {
	v, err := p.repo.Version(ctx)
	if err == nil && v.Before(2, 36) {
		p.tell(Problem, fmt.Sprintf("git %s lacks what keeps records safe and reads many of them", v),
			"install git 2.36 or newer")
	}
	return err
}

// checkSilenced tells that every command keeps quiet.
func checkSilenced(_ context.Context, p *patient) error {
	if value, _ := p.repo.Env("GIT_LTM_DISABLE"); value != "" && value != "0" {
		p.tell(Advice, "GIT_LTM_DISABLE is set: no command stores, prints or sends memory",
			"unset GIT_LTM_DISABLE")
	}
	return nil
}

// whichRemote tells that memory has nowhere to go.
func whichRemote(_ context.Context, p *patient) error {
	none, ok := errors.AsType[*NoDefaultError](p.alone)
	changed, moved := errors.AsType[*upstream.ChangedError](p.alone)
	switch {
	case moved && changed.Now == "":
		p.tell(Problem, changed.Error(), "git ltm setup --remote NAME")
	case moved:
		what := changed.Error() + "; nothing goes there by itself, and nothing is trusted for it"
		p.tell(Problem, what, "git ltm setup --remote "+changed.Remote)
	case ok && len(none.Remotes) == 0:
		p.tell(Fine, "there is no remote, so memory stays in this clone", "")
	case ok:
		p.tell(Advice, none.Error()+", so memory goes nowhere by itself", "git config ltm.remote NAME")
	case errors.Is(p.alone, ErrNone):
		p.tell(Problem, "ltm.remote: "+p.alone.Error(), "git config ltm.remote NAME")
	default:
		return p.alone
	}
	return nil
}

// howTrusted says how far the fixed remote is believed, and what does not fit to what was fixed.
func howTrusted(ctx context.Context, p *patient) error {
	u, fixed, err := upstream.Of(p.repo)
	if err == nil && !fixed && p.own != "" {
		p.tell(Fine, "no remote is fixed for memory, so agents are shown automatically only what is trusted; "+
			"also what "+p.own+" delivers unsigned: git ltm setup --trust remote", "")
	}
	if err != nil || !fixed || p.own == "" {
		return err
	}
	x, err := Look(ctx, p.memory)
	if err != nil {
		return err
	}
	p.tell(Fine, fmt.Sprintf("memory goes to %s (%s), as setup fixed it; trust is %s, since %s", u.Remote, u.URL,
		x.Trust, x.Why), "")
	if what, mend := Ignored(p.repo, p.config); what != "" {
		p.tell(Advice, what, mend)
	}
	if what, mend := x.StoreChanged(); what != "" {
		p.tell(Advice, what, mend)
	}
	return nil
}

// checkUnpushed tells of records that only this clone is known to hold.
func checkUnpushed(ctx context.Context, p *patient) error {
	if p.own == "" {
		return nil
	}
	x, err := Look(ctx, p.memory)
	if err != nil || x.Unpushed == 0 {
		return err
	}
	what := fmt.Sprintf("not on %s when it was last looked at: %s", p.own, CountRefs(x.Unpushed, x.Changes))
	u, _, err := upstream.Of(p.repo)
	if err != nil || u.NoShare {
		p.tell(Fine, what+", which stay here: you turned sharing off", "")
	} else {
		p.tell(Advice, what, "git ltm sync "+p.own)
	}
	return err
}

// checkPurged tells of remotes that were last seen to hold what was purged here.
func checkPurged(ctx context.Context, p *patient) error {
	there, err := PurgedThere(ctx, p.memory, p.remotes)
	for _, name := range slices.Sorted(maps.Keys(there)) {
		p.tell(Problem, fmt.Sprintf("%s was last seen to hold %s of what was purged here", name, CountRefs(there[name], 0)),
			"git ltm sync "+name)
	}
	return err
}

// checkSharing says why memory does not travel by itself where setup lets it.
func checkSharing(_ context.Context, p *patient) error {
	u, ok, err := upstream.Of(p.repo)
	if err != nil || !ok || !u.Share {
		return err
	}
	t, err := LastTravel(p.repo, u)
	fault := t.Fault(p.now)
	switch {
	case err != nil:
		return err
	case len(HeldBack(p.repo, p.config)) > 0: // That is said apart.
	case fault != "":
		p.tell(Problem, "memory could not be exchanged with "+u.Remote+": "+fault, "git ltm sync "+u.Remote)
	case checkPlace(p.repo, u) != nil:
		p.tell(Advice, u.Remote+" was not fixed for the memory of the repository at this place",
			"git ltm setup --remote "+u.Remote)
	case t.Held:
		what := "nothing is sent to " + u.Remote + ", because everybody can read it: " + t.Open +
			" answers without an account"
		p.tell(Advice, what, "git ltm setup --yes-public")
	}
	return nil
}

// checkBackground tells of settings that nobody accepted, where something would go to a remote in the
// background.
func checkBackground(_ context.Context, p *patient) error {
	u, ok, err := upstream.Of(p.repo)
	missing := HeldBack(p.repo, p.config)
	if err != nil || !ok || !u.Share || len(missing) == 0 {
		return err
	}
	what := fmt.Sprintf(
		"nothing goes to %s in the background, since nobody has accepted %s of this repository", u.Remote,
		strings.Join(missing, ", "))
	p.tell(Advice, what, "git ltm setup")
	return nil
}

// checkSettings tells of those that a checkout can change, of those that no command reads, and of values that
// no command can read.
func checkSettings(_ context.Context, p *patient) error {
	const text, boolean, number = "", "true or false", "a number" // Else the words that it may be.
	settings := map[string]string{
		"ltm.ask": "once never", "ltm.budget": number, "ltm.deadend": "warn once ask", "ltm.distillcommand": text, "ltm.distillkeyenv": text,
		"ltm.distillmodel": text, "ltm.distillremote": boolean, "ltm.distilltimeout": number,
		"ltm.mcprepository": text,
		"ltm.public":        boolean, "ltm.remote": text, "ltm.remotetimeout": number, "ltm.requireendorsed": number,
		"ltm.requiresigned": text, "ltm.scanconfig": text, "ltm.sign": "true yes on 1 false no off 0 required",
		"ltm.signingkey": text, "ltm.signtimeout": text, "ltm.store": text, "ltm.trust": "remote signed",
		"ltm.trustpin": text, "ltm.trustref": text, "ltm.userstore": text,
	}
	for _, key := range slices.Concat(trust.Deciding(),
		[]string{"ltm.scanConfig", memory.UserStoreKey, "ltm.deadEnd", "ltm.remote", "ltm.public"}) {
		if err := p.config.Own(key); err != nil {
			what := err.Error() + ", and whoever writes a branch decides it"
			p.tell(Problem, what,
				"take it out of that file, and where it is meant: git config "+key+" VALUE")
		}
	}
	for _, key := range p.config.Keys("ltm.") {
		want, known := settings[key]
		value, _ := p.config.Get(key)
		var readable bool
		switch want {
		case text:
			readable = true
		case boolean:
			_, err := p.config.Bool(key, false)
			readable = err == nil
		case number:
			_, err := strconv.ParseUint(value, 10, 31)
			readable = err == nil
		default:
			words := strings.Fields(want)
			readable = slices.Contains(words, strings.ToLower(value)) || value == "" && key == "ltm.sign"
			want = "one of " + strings.Join(words, ", ") + trust.DidYouMean(value, words...)
		}
		switch {
		case !known:
			p.tell(Advice, key+" is no setting of this version"+
				trust.DidYouMean(key, slices.Sorted(maps.Keys(settings))...),
				"git config --show-origin --get-all "+key+" says where it is set")
		case !readable:
			p.tell(Problem, key+" is "+strconv.Quote(value)+", and must be "+want,
				"git config "+key+" VALUE")
		}
	}
	return nil
}

// checkSignatures tells why what is to be signed would not be. It asks no program to sign: that might ask a
// person.
func checkSignatures(ctx context.Context, p *patient) error {
	if mode, err := p.memory.Signer().Configured(ctx); err != nil || mode == gate.NoSign {
		return nil //nolint:nilerr // That a value cannot be read is said of the setting.
	}
	c, err := p.memory.Signer().ProgramConfig(ctx)
	if err != nil {
		return err
	}
	if c.Identity == "" || strings.HasSuffix(c.Identity, "<>") {
		p.tell(Problem, "records are to be signed, and git knows no name and address of yours",
			"git config user.name NAME; git config user.email ADDRESS")
	}
	if program := c.SignerProgram(); !p.repo.HasProgram(program) {
		p.tell(Problem, "records are to be signed, and the program "+program+" is not here",
			"install it, or git config gpg."+string(c.Format)+".program FILE")
	}
	// A key of SSH that is none, or whose file is not there.
	const mend = "git config user.signingKey FILE, or git ltm key init"
	switch _, unread := os.Stat(c.Key); {
	case c.Format != signer.SSH || strings.HasPrefix(c.Key, "key::") || strings.HasPrefix(c.Key, "ssh-"):
	case c.Key == "" && c.DefaultKeyCommand == "":
		p.tell(Problem, "records are to be signed with SSH, and no key is named", mend)
	case strings.HasPrefix(c.Key, "/") && unread != nil:
		p.tell(Problem, "records are to be signed with "+c.Key+", which cannot be read", mend)
	}
	lists, err := p.memory.Judge().Trust(ctx)
	if err == nil && len(lists.Stores()) == 0 {
		what := "records are to be signed, and this clone does not know which store it is; the first " +
			"signature draws an id that other clones do not have"
		p.tell(Advice, what, "git config ltm.store ID, the same in every clone")
	}
	return err
}
