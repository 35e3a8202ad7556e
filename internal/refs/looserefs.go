package refs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/git-ltm/git-ltm/internal/trace"
)

// looseState is what a loose ref file holds.
type looseState int

const (
	looseGone     looseState = iota // looseGone says that there is no file.
	looseObject                     // looseObject is an ordinary ref.
	looseSymbolic                   // looseSymbolic names another ref; it is never followed.
	looseBroken                     // looseBroken is empty or garbage.
)

// maxLoose bounds how much of a loose ref file is read; a good one holds an object name.
const maxLoose = 4096

// looseRefs reads the loose ref files of one repository.
type looseRefs struct {
	dir       string // dir is the common directory.
	oidLength int
}

// path is the file of a ref.
func (l looseRefs) path(ref string) string {
	return filepath.Join(l.dir, filepath.FromSlash(ref))
}

// read returns what a loose ref holds.
func (l looseRefs) read(ref string) (oid string, state looseState, err error) {
	text, err := l.text(ref)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.EISDIR) {
		return "", looseGone, nil
	}
	if err != nil {
		return "", looseBroken, err
	}
	switch {
	case strings.HasPrefix(text, "ref:"):
		return "", looseSymbolic, nil
	case len(text) < l.oidLength || !isHex([]byte(text[:l.oidLength])):
		return "", looseBroken, nil
	case len(text) > l.oidLength && !strings.ContainsAny(text[l.oidLength:l.oidLength+1], " \t\n\r\v\f"):
		return "", looseBroken, nil
	}
	return text[:l.oidLength], looseObject, nil
}

// text returns the beginning of a loose ref file.
func (l looseRefs) text(ref string) (string, error) {
	file, err := os.Open(l.path(ref))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(io.LimitReader(file, maxLoose))
	return string(text), errors.Join(err, file.Close())
}

// names returns the loose refs whose names begin with prefix, which ends in a slash, sorted. Lock files of git are
// no refs.
func (l looseRefs) names(prefix string) ([]string, error) {
	found, err := l.below(nil, prefix)
	slices.Sort(found)
	return found, err
}

// below appends what lies in one directory and in those under it.
func (l looseRefs) below(found []string, prefix string) ([]string, error) {
	files, err := os.ReadDir(l.path(prefix))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return found, nil
	}
	if err != nil {
		return found, err
	}
	for _, file := range files {
		name := file.Name()
		switch {
		case file.IsDir():
			if found, err = l.below(found, prefix+name+"/"); err != nil {
				return found, err
			}
		case !strings.HasSuffix(name, ".lock"):
			trace.Refs.Add(1)
			found = append(found, prefix+name)
		}
	}
	return found, nil
}

// remotes returns the remotes that have a directory of loose tracking refs below dir, which ends in a slash.
func (l looseRefs) remotes(dir string) ([]string, error) {
	files, err := os.ReadDir(l.path(dir))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var found []string
	remote := strings.TrimSuffix(strings.TrimPrefix(dir, TrackingRoot), "/")
	for _, file := range files {
		if !file.IsDir() {
			continue
		}
		kind := Kind(file.Name())
		records := kind.known() || kind == endorsements
		if remote != "" && SafeRemote(remote) && (records || kind == archives && l.holdsArchive(dir+archives)) {
			found = append(found, remote)
		}
		if remote != "" && records {
			continue
		}
		under, err := l.remotes(dir + file.Name() + "/")
		if err != nil {
			return nil, err
		}
		found = append(found, under...)
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// holdsArchive reports whether a directory of loose tracking refs holds an archive. A remote's name may end as it does.
func (l looseRefs) holdsArchive(dir string) bool {
	names, err := l.names(dir + "/")
	return err == nil && slices.ContainsFunc(names, func(name string) bool { return isArchive(name[len(dir)+1:]) })
}
