package gittest

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
)

// sshdFolder is what sshd locks itself into while it does not know who asks. Only root's sshd wants it.
const sshdFolder = "/run/sshd"

// sshd finds the program, which is often no command of ordinary users. Its name has to be absolute.
func sshd() string {
	for _, name := range []string{"sshd", "/usr/sbin/sshd", "/usr/local/sbin/sshd", "/usr/libexec/sshd"} {
		if found, err := exec.LookPath(name); err == nil && filepath.IsAbs(found) {
			return found
		}
	}
	return ""
}

// serveSSH lets sshd answer, for one key and for git alone. Keys and configuration are made in dir.
func serveSSH(dir string, env []string) (*listener, error) {
	program := sshd()
	if program == "" {
		return nil, errors.New("there is no sshd")
	}
	for _, name := range []string{"host", "user"} {
		keygen := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f",
			filepath.Join(dir, name))
		if out, err := keygen.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("make a key: %w: %s", err, out)
		}
	}
	config := []string{
		"HostKey " + filepath.Join(dir, "host"), "AuthorizedKeysFile " + filepath.Join(dir, "user.pub"),
		"ForceCommand " + filepath.Join(dir, "only-git"), "AcceptEnv GIT_PROTOCOL", "UsePAM no",
		"StrictModes no", "PidFile none",
		"PasswordAuthentication no", "KbdInteractiveAuthentication no", "PermitRootLogin yes",
		"PermitUserRC no", "UseDNS no",
		"PrintMotd no", "PrintLastLog no", "AllowTcpForwarding no", "X11Forwarding no",
		"SetEnv HOME=" + dir, // The login shell reads files of the user there.
		// What both agree on by themselves is made for a day when somebody has a quantum computer, and costs the most.
		"KexAlgorithms curve25519-sha256",
	}
	var script strings.Builder
	script.WriteString("#!/bin/sh\n")
	for _, entry := range env {
		script.WriteString("export " + quote(entry) + "\n")
	}
	script.WriteString("exec git shell -c \"$SSH_ORIGINAL_COMMAND\"\n")
	err := errors.Join(
		os.WriteFile(filepath.Join(dir, "sshd_config"), []byte(strings.Join(config, "\n")+"\n"), 0o600),
		os.WriteFile(filepath.Join(dir, "only-git"), []byte(script.String()), 0o700),
	)
	if err != nil {
		return nil, err
	}
	return listenWith(env, program, "-i", "-f", filepath.Join(dir, "sshd_config"), "-E",
		filepath.Join(dir, "sshd.log"))
}

// quote writes a word for a shell.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// writeSSHConfig writes what ssh needs to reach the server, by its address and as the host named memory.
func writeSSHConfig(dir string, address net.Addr) (string, error) {
	account, err := user.Current()
	if err != nil {
		return "", err
	}
	host, port, err := net.SplitHostPort(address.String())
	if err != nil {
		return "", err
	}
	key, err := os.ReadFile(filepath.Join(dir, "host.pub"))
	if err != nil {
		return "", err
	}
	config := fmt.Sprintf("Host memory\n\tHostName %s\n\tPort %s\n\nHost *\n\tUser %s\n\tIdentityFile %s\n\tIdentitiesOnly yes\n"+
		"\tIdentityAgent none\n\tUserKnownHostsFile %s\n\tGlobalKnownHostsFile none\n\tStrictHostKeyChecking yes\n\tBatchMode yes\n",
		host, port, account.Username, filepath.Join(dir, "user"), filepath.Join(dir, "known_hosts"))
	file := filepath.Join(dir, "ssh_config")
	return file, errors.Join(
		os.WriteFile(filepath.Join(dir, "known_hosts"), fmt.Appendf(nil, "[%s]:%s %s", host, port, key),
			0o600),
		os.WriteFile(file, []byte(config), 0o600),
	)
}
