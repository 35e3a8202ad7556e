package git

import (
	"context"
	"fmt"
	"strings"
)

// File returns a file as it is in a revision: at most limit bytes of it. A revision or a path that is not here is
// ErrMissing. The revision is the full name of a ref, a whole id, or a short name that fits one ref alone, and steps behind
// it such as "~2"; else it is an error.
func (r *Repo) File(ctx context.Context, revision, path string, limit int64) (data []byte, err error) {
	subject := revision + ":" + path
	if revision == "" || path == "" {
		return nil, fmt.Errorf("read %q: it names no file of a revision", subject)
	}
	base, err := r.strictly(ctx, revision)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", subject, err)
	}
	out, err := r.run.output(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", base+":"+path)
	oid := strings.TrimSuffix(string(out), "\n")
	if exitCode(err) > 0 || err == nil && !isObjectID(oid) {
		return nil, fmt.Errorf("read %q: %w", subject, ErrMissing)
	}
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", subject, err)
	}
	objects, err := r.Objects(ctx)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", subject, err)
	}
	defer func() {
		if closing := objects.Close(); err == nil {
			err = closing
		}
	}()
	typ, data, err := objects.Read(oid, limit)
	if err == nil && typ != "blob" {
		err = fmt.Errorf("it is a %s", typ)
	}
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", subject, err)
	}
	return data, nil
}
