package local

import (
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// Sharing is what core.sharedRepository says of new files and folders, as git keeps it: bits that are added to what the
// umask left, or, when negative, the very bits.
type Sharing int

// The sharings that have a name.
const (
	Private   Sharing = 0     // Private leaves it to the umask.
	Group     Sharing = 0o660 // Group lets the group write.
	Everybody Sharing = 0o664 // Everybody lets the group write and all others read.
)

// ParseSharing reads a value of core.sharedRepository as git does. A key that stands alone has the value "true".
func ParseSharing(value string) (Sharing, error) {
	switch value {
	case "umask":
		return Private, nil
	case "group":
		return Group, nil
	case "all", "world", "everybody":
		return Everybody, nil
	}
	bits, err := strconv.ParseInt(value, 8, 32)
	if err != nil {
		switch strings.ToLower(value) {
		case "true", "yes", "on":
			return Group, nil
		case "false", "no", "off", "":
			return Private, nil
		}
		return Private, fmt.Errorf("core.sharedRepository: %q is no value of it", value)
	}
	switch bits {
	case 0:
		return Private, nil
	case 1:
		return Group, nil
	case 2:
		return Everybody, nil
	}
	if bits < 0 || bits&0o600 != 0o600 {
		return Private, fmt.Errorf("core.sharedRepository: %q takes files away from their owner", value)
	}
	return -Sharing(bits & 0o666), nil
}

// mode is what becomes of the mode of a new file or folder.
func (s Sharing) mode(old fs.FileMode) fs.FileMode {
	bits := fs.FileMode(s)
	if s < 0 {
		bits = fs.FileMode(-s)
	}
	if old&0o200 == 0 {
		bits &^= 0o222
	}
	if old&0o100 != 0 {
		bits |= bits & 0o444 >> 2 // Who may read a folder may enter it.
	}
	perm := old.Perm() | bits
	if s < 0 {
		perm = bits
	}
	if old.IsDir() && perm&0o060 != 0 {
		return perm | old&fs.ModeSticky | fs.ModeSetgid // What is made in it belongs to its group.
	}
	return perm | old&(fs.ModeSetgid|fs.ModeSticky)
}

// adjust gives a new file or folder the mode that is asked for, against which the umask has no say.
func (s Sharing) adjust(path string) error {
	if s == Private {
		return nil
	}
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	return os.Chmod(path, s.mode(info.Mode()))
}
