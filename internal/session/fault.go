package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Fault is the last time that a hook of an agent could not do what it is for. Agents are told nothing of it.
type Fault struct {
	Host  string    `json:"host"`
	Event string    `json:"event"`
	At    time.Time `json:"at"`
	Error string    `json:"error"` // on one line, clean and without a secret
}

// faultFile keeps the last fault.
const faultFile = "hook.json"

// maxFault is the number of bytes of that file.
const maxFault = 16 << 10

// LastFault returns the last fault of a hook here, and whether there was one. A file that is damaged is none.
func LastFault(commonDir string) (f Fault, ok bool, err error) {
	path := filepath.Join(commonDir, "ltm", faultFile)
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || err == nil && (!info.Mode().IsRegular() || info.Size() > maxFault) {
		return f, false, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return f, false, fmt.Errorf("read the last fault of a hook: %w", err)
	}
	return f, json.Unmarshal(data, &f) == nil, nil
}

// HealFault forgets the last fault, if it was one of the same event: what works again is no concern any more.
func HealFault(commonDir, host, event string) {
	if f, ok, err := LastFault(commonDir); ok && err == nil && f.Host == host && f.Event == event {
		_ = os.Remove(filepath.Join(commonDir, "ltm", faultFile)) // It is told once more, at worst.
	}
}

// KeepFault keeps a fault in the place of the one before.
func KeepFault(commonDir string, f Fault) (err error) {
	data, err := json.Marshal(f)
	if err != nil {
		return err
	}
	dir := filepath.Join(commonDir, "ltm")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("keep the fault of a hook: %w", err)
	}
	tmp, err := os.CreateTemp(dir, faultFile+".*")
	if err != nil {
		return fmt.Errorf("keep the fault of a hook: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(tmp.Name())
		}
	}()
	_, err = tmp.Write(append(data, '\n'))
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), filepath.Join(dir, faultFile))
	}
	return err
}
