package trust

import (
	"bytes"
	"context"
	"fmt"
	"maps"

	"github.com/git-ltm/git-ltm/internal/sign"
)

// mostChanges is how many changes of the list are followed without asking.
const mostChanges = 100

// maxCommit bounds a commit object that changes the list, in bytes.
const maxCommit = 1 << 20

// authorised follows the commits that changed the team's list. Each has to be signed by a key that the list before it names,
// as the policies of package repositories do it, and its list before has to be the one that counted until then: else a key
// that is no longer in the list could come back by a branch from the time at which it was. It returns who signed the last
// one, or why somebody has to decide.
func (t *Trust) authorised(ctx context.Context, pinned, tip string) (by, why string, err error) {
	ahead, err := t.repo.IsAncestor(ctx, pinned, tip)
	if err != nil {
		return "", "", err
	}
	if !ahead {
		return "", "the accepted commit is not a part of this history", nil
	}
	changes, err := t.repo.Changes(ctx, pinned, tip, TeamFolder)
	if err != nil {
		return "", "", err
	}
	if len(changes) > mostChanges {
		return "", fmt.Sprintf("the list changed in %d commits", len(changes)), nil
	}
	counted, err := t.teamAt(ctx, pinned)
	if err != nil {
		return "", "", err
	}
	for _, commit := range changes {
		if by, why, err = t.authorisedStep(ctx, commit, counted); err == nil && why == "" {
			why, err = t.takenIn(ctx, pinned, commit, tip, counted)
		}
		if err != nil || why != "" {
			return "", why, err
		}
		if counted, err = t.teamAt(ctx, commit); err != nil {
			return "", "", err
		}
	}
	final, err := t.teamAt(ctx, tip)
	if err == nil && !counted.same(final) {
		return "", "a merge changed the list", nil
	}
	return by, "", err
}

// authorisedStep tells who signed a commit that changes the list that counted until then, or why it does not count by itself.
func (t *Trust) authorisedStep(ctx context.Context, commit string, counted *List) (by, why string, err error) {
	parent, err := t.repo.Parent(ctx, commit)
	if err != nil {
		return "", "", err
	}
	before := new(List)
	if parent != "" {
		if before, err = t.teamAt(ctx, parent); err != nil {
			return "", "", err
		}
	}
	if !before.same(counted) {
		return "", fmt.Sprintf("commit %s changes another list than the one that counted before it", commit), nil
	}
	v, err := t.judgeCommit(ctx, commit, counted)
	if err == nil && v.Standing != sign.Good {
		why = fmt.Sprintf("commit %s is not signed by a key of the list before it: %s", commit, v.Why)
	}
	return v.By, why, err
}

// takenIn says why a change need not have been taken into the protected branch, or nothing. Whoever merges can put a proposal
// first that somebody of the list signed, and the branch second, so a merge of the change with history that has the accepted
// commit and not the change has to be signed by a key of the list that counted before. A branch that left before the accepted
// commit cannot be the protected one. A fast-forward to a signed commit looks as if its signer had pushed it, and counts.
func (t *Trust) takenIn(ctx context.Context, pinned, change, tip string, counted *List) (why string, err error) {
	merges, err := t.repo.MergesBeside(ctx, pinned, change, tip)
	if err != nil {
		return "", err
	}
	if len(merges) > mostChanges {
		return fmt.Sprintf("%d merges behind commit %s could have put it before the protected branch", len(merges), change), nil
	}
	for _, merge := range merges {
		v, err := t.judgeCommit(ctx, merge, counted)
		if err != nil {
			return "", err
		}
		if v.Standing != sign.Good {
			return fmt.Sprintf("merge %s is not signed by a key of the list before it, and what it brings together with commit %s "+
				"may be the protected branch: %s", merge, change, v.Why), nil
		}
	}
	return "", nil
}

// same tells whether two lists are the same files.
func (l *List) same(other *List) bool { return maps.EqualFunc(l.texts, other.texts, bytes.Equal) }

// judgeCommit verifies the signature of a commit by the keys of one list. The revocations of every list count.
func (t *Trust) judgeCommit(ctx context.Context, commit string, by *List) (sign.Verdict, error) {
	raw, err := t.commit(ctx, commit)
	if err != nil {
		return sign.Verdict{}, err
	}
	signed, err := sign.ParseCommit(raw)
	if err != nil {
		return sign.Verdict{Standing: sign.Unsigned, Why: err.Error()}, nil //nolint:nilerr // It is not signed in a form that counts.
	}
	trust := sign.Trust{Sources: []sign.Source{by.Source}}
	for _, l := range t.lists {
		trust.Sources = append(trust.Sources, sign.Source{Name: l.Name, Revoked: l.Revoked})
	}
	v, err := trust.Verify(signed, t.now)
	if err != nil {
		return sign.Verdict{Standing: sign.Unknown, Why: err.Error()}, nil //nolint:nilerr // What cannot be judged is not authorised.
	}
	return v, nil
}

// commit reads a commit object.
func (t *Trust) commit(ctx context.Context, oid string) (raw []byte, err error) {
	objects, err := t.repo.Objects(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		if closing := objects.Close(); err == nil {
			err = closing
		}
	}()
	_, raw, err = objects.Read(oid, maxCommit)
	return raw, err
}
