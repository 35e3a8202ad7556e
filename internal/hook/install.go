package hook

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// TakenError is a hook that is not ours to write.
type TakenError struct{ Place }

// Error names the file and who keeps it.
func (e *TakenError) Error() string {
	switch e.Keeper {
	case Foreign:
		return fmt.Sprintf("hook %q is not one that git ltm wrote", e.Path)
	case Checkout:
		return fmt.Sprintf("hook %q would lie in the work tree, and its files are the project's", e.Path)
	default:
		return fmt.Sprintf("hook %q is kept by %s", e.Path, e.Keeper)
	}
}

// Script is the whole hook that Install writes. Where git-ltm is not to be found, as in a program with a path
// of its own, a push of code passes, and one that holds memory does not.
func (n Name) Script() string {
	return "#!/bin/sh\n" +
		"if ! command -v git-ltm >/dev/null 2>&1; then\n" +
		"\t! grep -qi refs/ltm && exit\n" +
		"\techo 'git-ltm: error: this push holds memory, and no git-ltm is on the PATH to look at it' >&2\n" +
		"\texit 1\n" +
		"fi\n" +
		"exec git-ltm hook " + string(n) + " \"$@\"\n"
}

// Line calls git ltm from a hook that does more.
func (n Name) Line() string { return "git-ltm hook " + string(n) + ` "$@" || exit` }

// Install writes a hook where git looks for it, unless it stands there, and returns its path. A place that
// somebody else keeps is a *TakenError.
func (n Name) Install(site Site) (path string, written bool, err error) {
	place, err := n.At(site)
	switch {
	case err != nil:
		return place.Path, false, err
	case place.Own:
		return place.Path, false, nil
	case place.Keeper != Nobody:
		return place.Path, false, &TakenError{place}
	}
	if err := os.MkdirAll(site.Dir, 0o755); err !=
		nil { //nolint:gosec // Whoever may push runs the hooks of a shared repository.
		return place.Path, false, fmt.Errorf("install hook: %w", err)
	}
	file, err := os.OpenFile(place.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL,
		0o755) //nolint:gosec // Git runs it.
	if errors.Is(err, fs.ErrExist) {
		return n.Install(site) // Another process was faster.
	}
	if err != nil {
		return place.Path, false, fmt.Errorf("install hook: %w", err)
	}
	_, err = file.WriteString(n.Script())
	if err := errors.Join(err, file.Close()); err != nil {
		return place.Path, false, errors.Join(fmt.Errorf("install hook: %w", err), os.Remove(place.Path))
	}
	return place.Path, true, nil
}

// Uninstall takes a hook out that Install wrote, and returns its path. Another hook of the name is a
// *TakenError; where there is none, nothing is removed.
func (n Name) Uninstall(site Site) (path string, removed bool, err error) {
	place, err := n.At(site)
	switch {
	case err != nil:
		return place.Path, false, err
	case place.Own:
		if err := os.Remove(place.Path); err != nil {
			return place.Path, false, fmt.Errorf("uninstall hook: %w", err)
		}
		return place.Path, true, nil
	case place.Exists:
		return place.Path, false, &TakenError{place}
	}
	return place.Path, false, nil
}

// isCalledIn reports whether a text calls git ltm for a hook.
func (n Name) isCalledIn(text string) bool {
	return strings.Contains(text, "git-ltm hook "+string(n)) ||
		strings.Contains(text, "git ltm hook "+string(n))
}
