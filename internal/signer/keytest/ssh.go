package keytest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// SSHKey makes a key without a passphrase in a new directory of the test. It returns the path of the private
// key, beside which the public one lies as name.pub, and the public line. The type is "ed25519", "rsa2048" or
// "ecdsa".
func SSHKey(tb testing.TB, kind, name string) (path, public string) {
	tb.Helper()
	return LockedSSHKey(tb, kind, name, "")
}

// LockedSSHKey makes a key with a passphrase.
func LockedSSHKey(tb testing.TB, kind, name, passphrase string) (path, public string) {
	tb.Helper()
	Needs(tb, "ssh-keygen")
	path = filepath.Join(tb.TempDir(), name)
	public, err := NewSSHKey(path, kind, passphrase)
	check(tb, err)
	return path, public
}

// NewSSHKey makes a key at a path and returns the public line. The comment is the name of the file.
func NewSSHKey(path, kind, passphrase string) (string, error) {
	args := []string{"-q", "-N", passphrase, "-C", filepath.Base(path), "-f", path}
	switch kind {
	case "ed25519", "ecdsa":
		args = append(args, "-t", kind)
	case "rsa2048":
		args = append(args, "-t", "rsa", "-b", "2048")
	default:
		return "", fmt.Errorf("no such type of SSH key: %q", kind)
	}
	if _, err := run("", environment(filepath.Dir(path)), nil, "ssh-keygen", args...); err != nil {
		return "", err
	}
	line, err := os.ReadFile(path + ".pub")
	return strings.TrimSpace(string(line)), err
}

// Certificate signs the public key beside a private key with the key of an authority, and returns the path of
// the certificate, which ends with "-cert.pub". The validity is an interval of ssh-keygen, such as
// "20200101Z:20210101Z" or "" for always.
func Certificate(tb testing.TB, authority, path, validity string, principals ...string) string {
	tb.Helper()
	Needs(tb, "ssh-keygen")
	certificate, err := NewCertificate(authority, path, validity, principals...)
	check(tb, err)
	return certificate
}

// NewCertificate is [Certificate] with an error.
func NewCertificate(authority, path, validity string, principals ...string) (string, error) {
	args := []string{"-q", "-s", authority, "-I", filepath.Base(path), "-n", strings.Join(principals, ",")}
	if validity != "" {
		args = append(args, "-V", validity)
	}
	_, err := run("", environment(filepath.Dir(path)), nil, "ssh-keygen", append(args, path+".pub")...)
	return path + "-cert.pub", err
}

// SignSSH returns a signature in a namespace by a private key without a passphrase. git's namespace is "git".
func SignSSH(tb testing.TB, path, namespace string, payload []byte) []byte {
	tb.Helper()
	Needs(tb, "ssh-keygen")
	signature, err := NewSSHSignature(path, namespace, payload)
	check(tb, err)
	return signature
}

// NewSSHSignature is [SignSSH] with an error.
func NewSSHSignature(path, namespace string, payload []byte) ([]byte, error) {
	return run("", environment(filepath.Dir(path)), payload, "ssh-keygen", "-q", "-Y", "sign", "-n",
		namespace, "-f", path)
}

// Agent starts an agent that holds the private keys and lives as long as the test. It returns the value for
// SSH_AUTH_SOCK.
func Agent(tb testing.TB, paths ...string) string {
	tb.Helper()
	Needs(tb, "ssh-agent", "ssh-add")
	agent, err := NewSSHAgent(paths...)
	check(tb, err)
	tb.Cleanup(func() {
		if err := agent.Close(); err != nil {
			tb.Error(err)
		}
	})
	return agent.Socket
}

// SSHAgent is an agent that runs.
type SSHAgent struct {
	Socket string // Socket is the value for SSH_AUTH_SOCK.
	pid    int
}

// NewSSHAgent starts an agent that holds the private keys. The caller closes it.
func NewSSHAgent(paths ...string) (*SSHAgent, error) {
	dir, err := shortDir()
	if err != nil {
		return nil, err
	}
	agent := &SSHAgent{Socket: filepath.Join(dir, "s")}
	out, err := run(dir, environment(dir), nil, "ssh-agent", "-s", "-a", agent.Socket)
	if err != nil {
		return nil, err
	}
	_, rest, _ := strings.Cut(string(out), "SSH_AGENT_PID=")
	number, _, _ := strings.Cut(rest, ";")
	if agent.pid, err = strconv.Atoi(number); err != nil || agent.pid < 2 {
		return nil, fmt.Errorf("ssh-agent named no process: %q", out)
	}
	if len(paths) == 0 {
		return agent, nil
	}
	_, err = run(dir, environment(dir, "SSH_AUTH_SOCK="+agent.Socket), nil, "ssh-add",
		append([]string{"-q"}, paths...)...)
	if err != nil {
		_ = agent.Close()
		return nil, err
	}
	return agent, nil
}

// Close ends the agent.
func (a *SSHAgent) Close() error {
	process, err := os.FindProcess(a.pid)
	if err == nil {
		err = process.Signal(syscall.SIGTERM)
	}
	if err != nil {
		return fmt.Errorf("end ssh-agent: %w", err)
	}
	return os.RemoveAll(filepath.Dir(a.Socket))
}
