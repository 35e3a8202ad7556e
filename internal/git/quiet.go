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
	quiet.run.env = unattended(r.run.env, config)
	return &quiet
}

// EnvOutside returns the environment for a program that works on the repository without anybody who could be asked, also when
// it is started from a hook, where git sets variables for itself. A program that the user named to answer for passwords stays.
func (r *Repo) EnvOutside(config Config) []string {
	asks, named := LookupEnv(r.run.given, "GIT_ASKPASS")
	env := unattended(At(r.run.given, r.GitDir), config)
	if r.WorkTree != "" {
		env = append(env, "GIT_WORK_TREE="+r.WorkTree)
	}
	if named {
		env = append(env, "GIT_ASKPASS="+asks)
	}
	return env
}

// unattended returns an environment in which git and what it starts ask nobody.
func unattended(env []string, config Config) []string {
	quiet := append(slices.Clone(env),
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS_REQUIRE=never", "GCM_INTERACTIVE=never")
	if command := quietSSH(env, config); command != "" {
		quiet = append(quiet, "GIT_SSH_COMMAND="+command)
	}
	return quiet
}

// quietSSH returns the command with which git reaches servers over SSH, told to ask nothing. A program that is not ssh is
// left as it is.
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
	return command + " -o BatchMode=yes"
}
