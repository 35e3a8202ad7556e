package git

import (
	"bytes"
	"context"
	"fmt"
	"strings"
)

// WriteObject stores an object so that it survives a power cut, and returns its name. A tag is checked as strictly
// as git checks the tags that it makes.
func (r *Repo) WriteObject(ctx context.Context, typ string, data []byte) (string, error) {
	args := []string{"-c", "core.fsync=loose-object", "-c", "core.fsyncMethod=fsync"}
	switch typ {
	case "tag":
		args = append(args, "mktag")
	case "blob", "tree", "commit":
		args = append(args, "hash-object", "-w", "--stdin", "-t", typ)
	default:
		return "", fmt.Errorf("write object: unknown type %q", typ)
	}
	out, err := r.run.output(ctx, bytes.NewReader(data), args...)
	if err != nil {
		return "", fmt.Errorf("write object: %w", err)
	}
	oid := strings.TrimSuffix(string(out), "\n")
	if !isObjectID(oid) {
		return "", fmt.Errorf("write object: git answered %q", oid)
	}
	return oid, nil
}
