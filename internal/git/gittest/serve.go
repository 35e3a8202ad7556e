package gittest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Service is a way on which git reaches a server.
type Service string

// The services, all on the loopback interface.
const (
	HTTP       Service = "http"        // HTTP wants a name and a password for everything.
	HTTPPublic Service = "http-public" // HTTPPublic lets everybody read.
	SSH        Service = "ssh"         // SSH wants a key, which stands in the server's configuration for ssh.
	Daemon     Service = "daemon"      // Daemon wants nothing.
)

// User is the name that [HTTP] knows.
const User = "ada"

// Password is the password of [User].
func Password() string { return "correct" + "-" + "horse" }

// Server is a real server for the repositories below a folder. It is reached over a [Link].
type Server struct {
	*Link

	URL       string // URL is the address of the folder, without a slash at its end.
	SSHConfig string // SSHConfig is the file for ssh -F, for [SSH] alone.

	dir  string // dir holds the server's own files.
	back *listener
}

// Serve starts a server for the repositories below a folder, with the programs on the PATH of env. It must be
// closed.
func Serve(service Service, folder string, env []string) (*Server, error) {
	dir, err := os.MkdirTemp("", "s")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir}
	env, err = s.environment(env)
	if err == nil {
		err = s.start(service, folder, env)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("serve %s: %w", service, err), os.RemoveAll(dir))
	}
	return s, nil
}

// Served is [Serve] for a test. It skips the test where a program is missing; with CI=true it fails instead.
func Served(tb testing.TB, service Service, folder string, env []string) *Server {
	tb.Helper()
	if missing := MissingFor(service); missing != "" {
		if os.Getenv("CI") == "true" {
			tb.Fatalf("CI has no %s", missing)
		}
		tb.Skipf("there is no %s", missing)
	}
	s, err := Serve(service, folder, env)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// MissingFor names what this machine does not have for a service, or returns "".
func MissingFor(service Service) string {
	if service != SSH {
		return ""
	}
	for _, program := range []string{"ssh", "ssh-keygen"} {
		if _, err := exec.LookPath(program); err != nil {
			return program
		}
	}
	if sshd() == "" {
		return "sshd"
	}
	if info, err := os.Stat(sshdFolder); os.Getuid() == 0 && (err != nil || !info.IsDir()) {
		return "folder " + sshdFolder + ", which sshd wants when root runs it"
	}
	return ""
}

// environment is what the processes of a server see: nothing of the user's, and no collector of garbage that
// works on.
func (s *Server) environment(env []string) ([]string, error) {
	config := filepath.Join(s.dir, "gitconfig")
	const text = "[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[receive]\n\tautogc = false\n[safe]\n\tdirectory = *\n"
	kept := []string{
		"HOME=" + s.dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + config, "LC_ALL=C",
		"TZ=UTC",
	}
	for _, entry := range env {
		if strings.HasPrefix(entry, "PATH=") {
			kept = append(kept, entry)
		}
	}
	return kept, os.WriteFile(config, []byte(text), 0o600)
}

// start opens the port of the server and the link to it.
func (s *Server) start(service Service, folder string, env []string) error {
	var err error
	path := ""
	switch service {
	case HTTP, HTTPPublic:
		s.back, err = serveHTTP(service, folder, env)
	case Daemon:
		s.back, err = serveDaemon(folder, env)
	case SSH:
		s.back, err = serveSSH(s.dir, env)
		path = filepath.ToSlash(folder)
	default:
		return errors.New("there is no such service")
	}
	if err != nil {
		return err
	}
	if s.Link, err = newLink(s.back.address()); err != nil {
		return errors.Join(err, s.back.close())
	}
	scheme := map[Service]string{HTTP: "http", HTTPPublic: "http", SSH: "ssh", Daemon: "git"}[service]
	s.URL = scheme + "://" + s.front.address() + path
	if service == SSH {
		s.SSHConfig, err = writeSSHConfig(s.dir, s.front.Addr())
	}
	return err
}

// Mend lets the network work again after a cut, when the server is done with what it had. A cut that did not
// happen is an error: whoever waited for it has shown nothing.
func (s *Server) Mend() error {
	if err := s.back.idle(); err != nil {
		return err
	}
	return s.mend()
}

// Close ends the server and removes its files.
func (s *Server) Close() error {
	return errors.Join(s.end(), s.back.close(), os.RemoveAll(s.dir))
}
