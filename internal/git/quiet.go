package git

import (
	"path/filepath"
	"slices"
	"strings"
)

// Unattended returns the repository as one whose processes ask nobody: no terminal, no window, no passphrase. What can
// answer without a person does, such as an agent of SSH and the helpers for credentials.
func (r *Repo) Unattended(config Config) *Repo {
	quiet := *r
	quiet.run.env = Unattended(r.run.env, config)
	return &quiet
}

// EnvOutside returns the environment for a program that works on the repository, also when it is started from a hook, where git
// sets variables for itself.
func (r *Repo) EnvOutside() []string {
	env := At(r.run.given, r.GitDir)
	if r.WorkTree != "" {
		env = append(env, "GIT_WORK_TREE="+r.WorkTree)
	}
	return env
}

// Unattended returns an environment in which git and what it starts ask nobody: no program for passwords, no window, no terminal,
// and no key that waits for a touch.
func Unattended(env []string, config Config) []string {
	quiet := append(slices.Clone(env),
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS_REQUIRE=never", "GCM_INTERACTIVE=never")
	if command := quietSSH(env, config); command != "" {
		quiet = append(quiet, "GIT_SSH_COMMAND="+command)
	}
	return quiet
}

// quietSSH returns the command with which git reaches servers over SSH, told to ask nothing, and to leave keys alone that wait
// until somebody touches them. A program that is not ssh is left as it is.
func quietSSH(env []string, config Config) string {
	command, ok := LookupEnv(env, "GIT_SSH_COMMAND")
	if !ok || command == "" {
		command, ok = config.Get("core.sshCommand")
	}
	if _, other := LookupEnv(env, "GIT_SSH"); !ok && other {
		return ""
	}
	if command == "" {
		command = "ssh"
	}
	words := strings.Fields(command)
	if len(words) == 0 || strings.TrimSuffix(filepath.Base(words[0]), ".exe") != "ssh" {
		return ""
	}
	return command + " -o BatchMode=yes -o 'PubkeyAcceptedKeyTypes=-sk-*'"
}
