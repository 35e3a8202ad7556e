package scan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/ruleset"
)

const (
	// scanConfig is the key that names the rule file of a repository.
	scanConfig = "ltm.scanConfig"
	// ownRules is the rule file of a work tree.
	ownRules = ".gitleaks.toml"
)

// readRules reads the rule files that count: the trusted one, and that of the work tree, which only adds.
// Where there is none, the answer is nil.
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

// parseRules returns nil for no file.
func (f *ruleFile) parseRules() (*ruleset.File, error) {
	if f == nil {
		return nil, nil //nolint:nilnil // No file gives no rules.
	}
	file, err := ruleset.Parse(f.name, []byte(f.text))
	if invalid, ok := errors.AsType[*ruleset.InvalidError](err); ok {
		for i := range invalid.Problems {
			invalid.Problems[i] = f.tellProblems(invalid.Problems[i])
		}
	}
	if file != nil {
		for i := range file.Ignored {
			file.Ignored[i] = f.tellProblems(file.Ignored[i])
		}
	}
	return file, err
}

// cutQuote is a quote that ends before what it quotes does.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var cutQuote = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"(?:[^"\\]|\\.)*…"`) })

// CleanError returns what is said of the file without the quotes that may end in the middle of a secret: no
// rule would know that again.
func (f *ruleFile) tellProblems(text string) string {
	var builtIn *Rules
	if !strings.Contains(text, `…"`) || len(builtIn.SecretsIn(f.text)) == 0 {
		return text
	}
	return cutQuote().ReplaceAllLiteralString(text, `"…"`)
}

// trustedFile reads the file that the caller names, or else the one that the configuration of git names.
func trustedFile(ctx context.Context, repo *git.Repo, config string) (*ruleFile, error) {
	if config != "" {
		return readRuleFile(config)
	}
	if repo == nil {
		return nil, nil //nolint:nilnil // No repository names no file.
	}
	name, ok, err := repo.Settings().Path(ctx, scanConfig)
	switch {
	case errors.Is(err, git.ErrOneCall):
		return nil, fmt.Errorf(
			"%s: %w; set it in a file with 'git config %s FILE'. For one call check and scan take "+
				"--config FILE", scanConfig, git.ErrOneCall, scanConfig)
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
		return nil, fmt.Errorf("%s is %q, and there is no work tree here; name a whole path, or REV:PATH",
			scanConfig, name)
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
func readRuleFile(name string) (*ruleFile, error) {
	text, err := local.ReadFile(name, ruleset.MaxSize)
	if err != nil {
		return nil, fmt.Errorf("read rule file: %w", err)
	}
	return &ruleFile{name, string(text)}, nil
}
