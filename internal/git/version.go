package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// Version is which git is used.
type Version struct{ Major, Minor int }

// Before reports whether the version is older than another one.
func (v Version) Before(major, minor int) bool {
	return v.Major < major || v.Major == major && v.Minor < minor
}

func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

// Version asks git for its version.
func (r *Repo) Version(ctx context.Context) (Version, error) {
	out, err := r.run.output(ctx, nil, "version")
	if err != nil {
		return Version{}, fmt.Errorf("ask git for its version: %w", err)
	}
	for word := range strings.FieldsSeq(string(out)) {
		first, rest, ok := strings.Cut(word, ".")
		second, _, _ := strings.Cut(rest, ".")
		major, err := strconv.Atoi(first)
		minor, err2 := strconv.Atoi(second)
		if ok && err == nil && err2 == nil {
			return Version{Major: major, Minor: minor}, nil
		}
	}
	return Version{}, fmt.Errorf("ask git for its version: it answered %q", out)
}

// HasProgram reports whether a program is found as git would find it: by its path, or on the PATH of the environment.
func (r *Repo) HasProgram(name string) bool {
	if strings.ContainsAny(name, `/\`) {
		return exists(name)
	}
	_, err := lookPath(name, r.run.given)
	return err == nil
}
