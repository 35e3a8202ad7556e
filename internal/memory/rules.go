package memory

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/ruleset"
)

const (
	// scanConfig is the key that names the rule file of a repository.
	scanConfig = "ltm.scanConfig"
	// ownRules is the rule file of a work tree.
	ownRules = ".gitleaks.toml"
)

// RulesError is a rule file that cannot be used. Nothing is scanned then, and so nothing is stored and nothing that
// needs a scan is handed on.
type RulesError struct {
	Err error // a *[ruleset.InvalidError] where the file was read
}

func (e *RulesError) Error() string { return "rules of your own: " + e.Err.Error() }

func (e *RulesError) Unwrap() error { return e.Err }

// Rules are what texts are scanned by: the built-in rules and what rule files make of them. Nil are the built-in rules
// alone. They are safe for concurrent use.
type Rules struct {
	scanner  *redact.Scanner
	ids      map[string]bool
	version  string
	warnings []string
}

// Version names the rules. Behind the version of the built-in ones stands the beginning of the digest of the rule files.
func (r *Rules) Version() string {
	if r == nil {
		return redact.RulesVersion
	}
	return r.version
}

// Warnings tells what of the rule files does not apply, and why.
func (r *Rules) Warnings() []string {
	if r == nil {
		return nil
	}
	return r.warnings
}

func (r *Rules) scan(data []byte) ([]redact.Finding, error) {
	if r == nil {
		return redact.Scan(data)
	}
	return r.scanner.Scan(data)
}

func (r *Rules) scanText(text string) []redact.Finding {
	if r == nil {
		return redact.ScanText(text)
	}
	return r.scanner.ScanText(text)
}

func (r *Rules) mask(data []byte) ([]byte, []redact.Finding, error) {
	if r == nil {
		return redact.Mask(data)
	}
	return r.scanner.Mask(data)
}

// list returns the rules, the most specific first.
func (r *Rules) list() []redact.Rule {
	if r == nil {
		return redact.Rules()
	}
	return r.scanner.Rules()
}

// known tells whether one of the rules has that id.
func (r *Rules) known(id string) bool {
	if r == nil {
		return secretTable()[id]
	}
	return r.ids[id]
}

// RulesQuery says whose rules are meant.
type RulesQuery struct {
	Dir    string   // directory to start from; "" is the current one
	Env    []string // required: environment for git
	Config string   // a rule file to trust in the place of the one that ltm.scanConfig names
}

// FindRules returns the rules of the repository in which a directory lies; outside of one, the built-in rules and those
// of the file that the query names.
func FindRules(ctx context.Context, q RulesQuery) (*Rules, error) {
	repo, err := git.Find(ctx, q.Dir, q.Env)
	switch {
	case errors.Is(err, git.ErrNotRepository):
		return readRules(ctx, nil, q.Config)
	case err != nil:
		return nil, err
	}
	return readRules(ctx, repo, q.Config)
}

// Rules returns the rules of the repository. They are read when they are first asked for.
func (m *Memory) Rules(ctx context.Context) (*Rules, error) {
	if m.ruled {
		return m.rules, nil
	}
	rules, err := readRules(ctx, m.repo, m.config)
	if err != nil {
		return nil, err
	}
	m.rules, m.ruled = rules, true
	return rules, nil
}

// UseRules makes the memory trust a rule file in the place of the one that ltm.scanConfig names. It comes before the
// first call that scans.
func (m *Memory) UseRules(config string) { m.config = config }

// readRules reads the rule files that count: the trusted one, and that of the work tree, which only adds. Where there is
// none, the answer is nil.
func readRules(ctx context.Context, repo *git.Repo, config string) (*Rules, error) {
	trusted, err := trustedFile(ctx, repo, config)
	if err != nil {
		return nil, &RulesError{err}
	}
	added, err := addedFile(repo)
	if err != nil {
		return nil, &RulesError{err}
	}
	if trusted != nil && added != nil && trusted.text == added.text {
		added = nil
	}
	if trusted == nil && added == nil {
		return nil, nil //nolint:nilnil // Nil is the built-in rules.
	}
	rules, err := newRules(trusted, added)
	if err != nil {
		return nil, &RulesError{err}
	}
	return rules, nil
}

// A ruleFile is a rule file as it was read.
type ruleFile struct {
	name, text string
}

// parse returns nil for no file.
func (f *ruleFile) parse() (*ruleset.File, error) {
	if f == nil {
		return nil, nil //nolint:nilnil // No file gives no rules.
	}
	return ruleset.Parse(f.name, []byte(f.text))
}

// newRules makes the rules that two files give, of which one may be nil.
func newRules(trusted, added *ruleFile) (*Rules, error) {
	ours, errOurs := trusted.parse()
	theirs, errTheirs := added.parse()
	if err := errors.Join(errOurs, errTheirs); err != nil {
		return nil, err
	}
	scanner, err := redact.NewWith(ruleset.Merge(ours, theirs))
	if err != nil {
		return nil, err
	}
	r := &Rules{scanner: scanner, ids: map[string]bool{}}
	for _, rule := range scanner.Rules() {
		r.ids[rule.ID] = true
	}
	sum := sha256.New()
	for _, f := range []*ruleFile{trusted, added} {
		if f == nil {
			f = &ruleFile{}
		}
		_, _ = fmt.Fprintf(sum, "%d:%s", len(f.text), f.text) // A hash takes whatever comes.
	}
	r.version = redact.RulesVersion + "+" + hex.EncodeToString(sum.Sum(nil)[:4])
	if ours != nil {
		r.warn(ours.Name, ours.Ignored)
	}
	if theirs != nil {
		r.warn(theirs.Name, theirs.Ignored)
		r.warn(theirs.Name, theirs.LeftOut())
	}
	return r, nil
}

func (r *Rules) warn(name string, what []string) {
	for _, text := range what {
		r.warnings = append(r.warnings, name+": "+text)
	}
}

// trustedFile reads the file that the caller names, or else the one that the configuration of git names.
func trustedFile(ctx context.Context, repo *git.Repo, config string) (*ruleFile, error) {
	if config != "" {
		return readRuleFile(config)
	}
	if repo == nil {
		return nil, nil //nolint:nilnil // No repository names no file.
	}
	name, ok, err := repo.PathSetting(ctx, scanConfig)
	switch {
	case err != nil || !ok:
		return nil, err
	case name == "":
		return nil, fmt.Errorf("%s is empty; it names a rule file, or is not set at all", scanConfig)
	case filepath.IsAbs(name):
		return readRuleFile(name)
	}
	if revision, path, ok := strings.Cut(name, ":"); ok {
		text, err := repo.File(ctx, revision, path, ruleset.MaxSize)
		if err != nil {
			return nil, err
		}
		return &ruleFile{name, string(text)}, nil
	}
	if repo.WorkTree == "" {
		return nil, fmt.Errorf("%s is %q, and there is no work tree here; name a whole path, or REV:PATH", scanConfig, name)
	}
	return readRuleFile(filepath.Join(repo.WorkTree, name))
}

// addedFile reads the file of the work tree, if there is one.
func addedFile(repo *git.Repo) (*ruleFile, error) {
	if repo == nil || repo.WorkTree == "" {
		return nil, nil //nolint:nilnil // Without a work tree there is none.
	}
	f, err := readRuleFile(filepath.Join(repo.WorkTree, ownRules))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // Most work trees have none.
	}
	if err != nil {
		return nil, err
	}
	f.name = ownRules
	return f, nil
}

// readRuleFile reads a regular file. Nothing else can be opened without waiting for it.
func readRuleFile(name string) (f *ruleFile, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("read rule file: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read rule file %q: it is no regular file", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read rule file: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	text, err := io.ReadAll(io.LimitReader(file, ruleset.MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("read rule file: %w", err)
	}
	return &ruleFile{name, string(text)}, nil
}
