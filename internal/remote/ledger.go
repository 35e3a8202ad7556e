package remote

import (
	"context"
	"errors"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
)

// ledgerFile keeps what init wrote into this clone.
const ledgerFile = "init.json"

// initPatience is how long another init is waited for.
const initPatience = 5 * time.Second

// ledger is what init wrote, so that it can be taken out again to the byte. A clone without one has nothing of init's.
type ledger struct {
	Added []addition `json:"added,omitempty"`
}

// addition is a line of configuration with its very bytes.
type addition struct {
	Remote string `json:"remote,omitempty"`
	Setting
	At   int    `json:"at"`
	Text []byte `json:"text"`
}

// withLedger reads the ledger, calls do, and writes it again. Only one process does so at a time.
func withLedger(ctx context.Context, repo *git.Repo, do func(*ledger) error) (err error) {
	release, err := repo.Local().File("init.lock").Lock(ctx, initPatience)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	var l ledger
	if _, err := repo.Local().File(ledgerFile).ReadState(&l); err != nil {
		return err
	}
	if err := do(&l); err != nil {
		return err
	}
	return l.write(repo)
}

// write keeps the ledger. An empty one is no file.
func (l *ledger) write(repo *git.Repo) error {
	if len(l.Added) == 0 {
		return repo.Local().File(ledgerFile).Remove()
	}
	return repo.Local().File(ledgerFile).WriteState(l)
}
