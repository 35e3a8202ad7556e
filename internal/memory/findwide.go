package memory

import "context"

// FindAnyWide finds a record as FindAny does, and where the repository has no such record, in the user-wide memory. It returns
// the memory in which the record lies.
func (m *Memory) FindAnyWide(ctx context.Context, spec string) (Entry, *Memory, error) {
	e, err := m.FindAny(ctx, spec)
	if _, relative := nth(spec); relative || !isUnknown(err) {
		return e, m, err
	}
	user := m.User(ctx)
	if user == nil {
		return e, m, err
	}
	theirs, failure := user.FindAny(ctx, spec)
	if !isAnswer(failure) {
		if !isUnknown(failure) {
			m.ForgetUser(failure)
		}
		return e, m, err
	}
	return theirs, user, failure
}
