package memory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// UserStoreKey is the key of the configuration that says where the user-wide memory lies.
const UserStoreKey = local.UserStoreKey

// The errors of a user-wide memory that was asked for.
var (
	// ErrNoUserStore says that there is no user-wide memory yet.
	ErrNoUserStore = errors.New("there is no user-wide memory yet")
	// ErrUserStoreOff says that the configuration turns it off, or that no place for it is known.
	ErrUserStoreOff = errors.New("the user-wide memory is turned off")
)

// UserStore is the place of the user-wide memory: a bare repository that belongs to no project.
type UserStore struct{ Path string }

// FindUserStore says where the user-wide memory of whoever works in dir lies, which need not be in a
// repository. It is [ErrUserStoreOff] where there shall be none.
func FindUserStore(ctx context.Context, dir string, env []string) (UserStore, error) {
	path, _, err := git.PathSetting(ctx, dir, env, UserStoreKey)
	if err != nil {
		return UserStore{}, err
	}
	return userStoreAt(path, func(name string) string {
		value, _ := git.LookupEnv(env, name)
		return value
	})
}

// userStoreAt reads the value of the key; where there is none, the memory lies among the data of the user.
func userStoreAt(setting string, env func(string) string) (UserStore, error) {
	switch {
	case strings.EqualFold(setting, "off"):
		return UserStore{}, ErrUserStoreOff
	case setting != "" && !filepath.IsAbs(setting):
		return UserStore{}, fmt.Errorf("%s: %q is neither off nor an absolute path", UserStoreKey,
			replay.Quotable(setting))
	case setting != "":
		return UserStore{filepath.Clean(setting)}, nil
	}
	path, ok := local.UserMemory(env)
	if !ok {
		return UserStore{}, fmt.Errorf("%w: neither XDG_DATA_HOME nor HOME says where it lies",
			ErrUserStoreOff)
	}
	return UserStore{path}, nil
}

// Exists tells whether the memory was made. It looks at one file.
func (s UserStore) Exists() (bool, error) {
	_, err := os.Stat(filepath.Join(s.Path, "HEAD"))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Make makes the memory.
func (s UserStore) Make(ctx context.Context, env []string) error {
	return git.InitBare(ctx, s.Path, env)
}

// Env is an environment in which git works in this memory.
func (s UserStore) Env(env []string) []string { return git.At(env, s.Path) }

// wide is the user-wide memory beside that of a repository.
type wide struct {
	asked  bool
	memory *Memory // nil for none
	err    error   // why it cannot be read
}

// User returns the user-wide memory, which is opened when it is first asked for; nil where there is none,
// where it cannot be read, and for the user-wide memory itself. Where it was not made, that costs one look.
func (m *Memory) User(ctx context.Context) *Memory {
	if !m.wide.asked {
		m.wide.asked = true
		m.wide.memory, m.wide.err = m.openUser(ctx)
		if errors.Is(m.wide.err, ErrUserStoreOff) {
			m.wide.err = nil
		}
	}
	return m.wide.memory
}

// UserOpened returns the user-wide memory where it was opened so far, or nil.
func (m *Memory) UserOpened() *Memory { return m.wide.memory }

// UserError says why the user-wide memory could not be read so far, or nothing. No command fails by that.
func (m *Memory) UserError() error { return m.wide.err }

// ForgetUser notes that the user-wide memory turned out to be unreadable, and closes it.
func (m *Memory) ForgetUser(why error) {
	if m.wide.memory != nil {
		why = errors.Join(why, m.wide.memory.Close())
	}
	m.wide = wide{asked: true, err: why}
}

func (m *Memory) openUser(ctx context.Context) (*Memory, error) {
	if m.opts.UserStore != "" {
		return nil, nil //nolint:nilnil // There is none behind it.
	}
	setting, _, err := m.repo.Settings().AnyPath(ctx, UserStoreKey)
	if err != nil {
		return nil, err
	}
	store, err := userStoreAt(setting, func(name string) string {
		value, _ := m.repo.Env(name)
		return value
	})
	if err != nil {
		return nil, err
	}
	if made, err := store.Exists(); err != nil || !made {
		return nil, err
	}
	ours, err := os.Stat(m.repo.CommonDir)
	theirs, failed := os.Stat(store.Path)
	if err == nil && failed == nil && os.SameFile(ours, theirs) {
		return nil, nil //nolint:nilnil // It is this one.
	}
	opts := m.opts
	opts.UserStore = store.Path
	return Open(ctx, opts)
}

// FindWide finds a packet as Find does, and where the repository has no such record, in the user-wide memory.
// It returns the memory in which the packet lies.
func (m *Memory) FindWide(ctx context.Context, spec string) (replay.Entry, *Memory, error) {
	return m.findWide(ctx, spec, (*Memory).Find)
}

// FindAnyWide finds a record as FindAny does, and where the repository has no such record, in the user-wide
// memory. It returns the memory in which the record lies.
func (m *Memory) FindAnyWide(ctx context.Context, spec string) (replay.Entry, *Memory, error) {
	return m.findWide(ctx, spec, (*Memory).FindAny)
}

// findWide finds a record here, or else in the user-wide memory. A place in the list of this branch is of
// here alone.
func (m *Memory) findWide(ctx context.Context, spec string,
	find func(*Memory, context.Context, string) (replay.Entry, error),
) (replay.Entry, *Memory, error) {
	e, err := find(m, ctx, spec)
	if _, relative := replay.Nth(spec); relative || !isUnknown(err) {
		return e, m, err
	}
	user := m.User(ctx)
	if user == nil {
		return e, m, err
	}
	theirs, failure := find(user, ctx, spec)
	_, ambiguous := errors.AsType[*replay.AmbiguousError](failure)
	if failure != nil && !ambiguous && !replay.IsStoredUnreadable(failure) &&
		!errors.Is(failure, replay.ErrPurged) && !errors.Is(failure, replay.ErrWithheld) {
		if !isUnknown(failure) {
			m.ForgetUser(failure)
		}
		return e, m, err
	}
	return theirs, user, failure
}

// ChooseWide picks the packet to resume from as Choose does. Where the repository has none at all, it picks
// one of the user-wide memory. It returns the memory in which the packet lies.
func (m *Memory) ChooseWide(ctx context.Context, reading replay.Reading) (replay.Choice, *Memory, error) {
	e, err := m.threads.Choose(ctx, reading)
	if !isUnknown(err) || len(m.Skipped()) > 0 {
		return e, m, err
	}
	user := m.User(ctx)
	if user == nil {
		return e, m, err
	}
	theirs, failure := user.threads.Choose(ctx, reading)
	if failure != nil && !errors.Is(failure, replay.ErrWithheld) {
		if !isUnknown(failure) {
			m.ForgetUser(failure)
		}
		return e, m, err
	}
	return theirs, user, failure
}

// isUnknown tells that no record answers, other than because it was purged or is withheld.
func isUnknown(err error) bool {
	return errors.Is(err, replay.ErrNotFound) && !errors.Is(err, replay.ErrPurged) &&
		!errors.Is(err, replay.ErrWithheld)
}
