package deadend

import (
	"slices"
	"strings"
)

// wrapper is a program, or a subcommand of one, that runs another command.
type wrapper struct {
	values string // its options that are followed by a value
	skip   int    // so many words come before the command: the host of ssh, the image of docker run
	after  string // the option behind which the command stands, where it stands behind one
	line   bool   // the command is a line for a shell
	file   bool   // the command may be a script, which is named
	unless string // its own subcommands
}

// dockerValues are the options of docker run and docker exec that are followed by a value.
const dockerValues = "-e --env -v --volume -p --publish -w --workdir -u --user --name --network --net " +
	"--entrypoint --env-file --mount " +
	"--platform --gpus -m --memory --cpus -l --label --add-host -h --hostname --pull --restart --ulimit " +
	"--shm-size --tmpfs"

// subcommandsOfNode are what managers of packages do themselves; any other word is a program of a package.
const subcommandsOfNode = "add audit bin build cache ci config create dedupe deploy dev dlx exec fetch global import info init " +
	"install i in link list ls log login outdated pack patch pm prune publish rebuild remove rm run start store test t un uninstall " +
	"unlink up update upgrade upgrade-interactive version versions why workspace workspaces x"

// wrappers are those that are known, by the words before the command.
var wrappers = map[string]wrapper{ //nolint:gochecknoglobals // A table that nobody writes to.
	"sudo": {values: "-u -g -h -p -C -U -r -t"}, "doas": {values: "-u -C"},
	"env": {values: "-u -C --chdir --unset"}, "time": {values: "-f -o"},
	"nohup": {}, "command": {}, "builtin": {}, "exec": {values: "-a"}, "setsid": {}, "nice": {values: "-n"},
	"ionice": {values: "-c -n"},
	"stdbuf": {values: "-i -o -e"}, "timeout": {values: "-s -k --signal --kill-after", skip: 1},
	"gtimeout": {values: "-s -k", skip: 1},
	"xargs":    {values: "-n -I -P -L -d -a -s -E"}, "caffeinate": {values: "-t"},
	"strace": {values: "-e -o -s"}, "flock": {values: "-w", skip: 1},
	"chroot": {skip: 1}, "gosu": {skip: 1}, "unbuffer": {}, "xvfb-run": {values: "-s -n"},
	"systemd-run": {values: "-p -u"}, "corepack": {},

	"npx": {values: "-p --package"}, "bunx": {}, "bun x": {}, "pnpx": {}, "pnpm dlx": {}, "pnpm exec": {},
	"yarn dlx": {values: "-p"}, "yarn exec": {},
	"npm exec": {values: "-p --package"}, "npm x": {}, "python": {after: "-m", file: true}, "py": {after: "-m", file: true},
	"node": {file: true}, "php": {file: true}, "deno run": {file: true}, "torchrun": {file: true},
	"accelerate launch": {file: true}, "deepspeed": {file: true},
	"coverage run": {after: "-m", file: true}, "pnpm": {unless: subcommandsOfNode}, "yarn": {unless: subcommandsOfNode},
	"bun": {unless: subcommandsOfNode},
	"bundle exec": {},
	"uv run":      {values: "--with --python -p --extra --group --env-file --package --directory --project"},
	"uv tool run": {values: "--from --with"},
	"uvx":         {values: "--from --with --python -p"}, "pipx run": {values: "--spec"}, "poetry run": {},
	"pipenv run": {}, "pdm run": {}, "hatch run": {},
	"rye run": {}, "conda run": {values: "-n -p --name"}, "mise exec": {}, "mise x": {}, "asdf exec": {},
	"rbenv exec": {}, "pyenv exec": {}, "direnv exec": {skip: 1}, "dotenv": {values: "-e -f"},
	"doppler run": {}, "op run": {values: "--env-file"},
	"aws-vault exec": {skip: 1},

	"docker run": {values: dockerValues, skip: 1}, "docker exec": {values: dockerValues, skip: 1},
	"docker container run":  {values: dockerValues, skip: 1},
	"docker container exec": {values: dockerValues, skip: 1},
	"docker compose run":    {values: dockerValues, skip: 1},
	"docker compose exec":   {values: dockerValues + " --index", skip: 1},
	"podman run":            {values: dockerValues, skip: 1}, "podman exec": {values: dockerValues, skip: 1},
	"kubectl exec": {values: "-n --namespace -c --container --context", skip: 1},
	"heroku run":   {values: "-a --app"},
	"ssh":          {values: "-p -i -l -o -J -F -L -R -D -b -c", skip: 1, line: true},
	"watch":        {values: "-n --interval", line: true},

	"sh": {after: "-c", line: true, file: true}, "bash": {after: "-c", line: true, file: true}, "zsh": {after: "-c", line: true, file: true},
	"dash": {after: "-c", line: true, file: true},
	"ksh":  {after: "-c", line: true}, "fish": {after: "-c", line: true, file: true}, "su": {after: "-c", line: true},
	"script": {after: "-c", line: true},
	"eval":   {line: true}, "nix-shell": {after: "--run", line: true},
	"vagrant ssh": {after: "-c", line: true},
	"find":        {after: "-exec"},
}

// whereOptions are the options that stand before the subcommand of a program and are followed by a value:
// they say where, not what.
var whereOptions = map[string]string{ //nolint:gochecknoglobals // A table that nobody writes to.
	"git":    "-C -c --git-dir --work-tree",
	"docker": "-H --context -f --file -p --project-name --profile --env-file", "go": "-C", "make": "-C -f",
	"kubectl": "-n --namespace --context --kubeconfig", "helm": "-n --namespace --kubeconfig --kube-context",
	"npm":  "-C --prefix -w --workspace",
	"pnpm": "-C --dir -F --filter", "yarn": "--cwd workspace", "cargo": "--manifest-path",
	"poetry": "-C --directory", "uv": "--directory --project",
	"terraform": "-chdir", "aws": "--profile --region", "gcloud": "--project", "cmake": "-S -B",
	"redis-cli": "-h -p -a -n -u", "psql": "-h -p -U -d --host --port --username --dbname", "mysql": "-h -P -u -D", "alembic": "-c -n",
	"gh": "-R --repo --ref", "pg_dump": "-h -p -U -d", "mongosh": "--host --port", "docker-compose": "-f -p", "rails": "-e", "nx": "--cwd", "poe": "-C",
	"bundle": "--gemfile", "ansible-playbook": "-i", "adb": "-s -t",
}

// names are the other names of programs and subcommands.
var names = map[string]string{ //nolint:gochecknoglobals // A table that nobody writes to.
	"pip3": "pip", "python3": "python", "docker-compose": "docker compose", "podman-compose": "podman compose", "uv pip": "pip",
	"apt-get": "apt", "npm i": "npm install", "npm add": "npm install", "npm in": "npm install", "npm rm": "npm uninstall",
	"npm un": "npm uninstall", "npm remove": "npm uninstall", "npm up": "npm update", "npm t": "npm test",
	"npm run-script": "npm run", "npm clean-install": "npm ci", "pnpm i": "pnpm install", "pnpm add": "pnpm install",
	"pnpm up": "pnpm update", "bun i": "bun install", "bun add": "bun install", "yarn up": "yarn upgrade",
	"yarn upgrade-interactive": "yarn upgrade",
}

// spelledOut writes a command that has two names the one way.
func spelledOut(words []string) []string {
	for n := min(2, len(words)); n > 0; n-- {
		if name, ok := names[strings.Join(append([]string{baseName(words[0])}, words[1:n]...), " ")]; ok {
			return append(strings.Fields(name), words[n:]...)
		}
	}
	return words
}

// maxWrapped is how many programs that run one another are taken off.
const maxWrapped = 12

// unwrapped returns the words of a command, and the words of what it runs in turn: "sudo -H npx jest" is also
// "npx jest" and "jest".
func (c shellCommand) unwrapped() (all [][]string) {
	for words := c.words; len(words) > 0 && len(all) < maxWrapped; words, _ = inner(words) {
		words = spelledOut(words)
		all = append(all, words)
	}
	return all
}

// script is what the command hands to another shell, as a word or as a here document.
func (c shellCommand) script() (line string) {
	if all := c.unwrapped(); len(all) > 0 {
		last := all[len(all)-1]
		if _, line = inner(last); line == "" && wrappers[baseName(last[0])].line {
			line = c.body
		}
	}
	return line
}

// inner is what a command runs that only runs another one: words, or a line for a shell.
func inner(words []string) (rest []string, line string) {
	key := programOf(words[0])
	for at, deep := 1, 0; deep < 3; deep++ {
		if w, ok := wrappers[key]; ok && (w.unless == "" || at < len(words) && !isAmong(w.unless, words[at])) {
			rest, line = w.inner(words[at:])
			if name := slices.Index(words, "-name"); key == "find" && name > 0 && name+1 < len(words) {
				for i := range rest { // What it finds is what it was told to find.
					if rest[i] == "{}" {
						rest = slices.Replace(slices.Clone(rest), i, i+1, words[name+1])
					}
				}
			}
			return rest, line
		}
		for at < len(words) && strings.HasPrefix(words[at], "-") {
			if isAmong(whereOptions[programOf(words[0])], words[at]) {
				at++
			}
			at++
		}
		if at >= len(words) {
			break
		}
		key += " " + words[at]
		at++
	}
	return nil, ""
}

// inner takes off what stands before the command.
func (w wrapper) inner(words []string) (rest []string, line string) {
	at := slices.IndexFunc(words, func(word string) bool {
		return word == w.after ||
			w.line && len(w.after) == 2 && isCluster("", word) && strings.HasSuffix(word, w.after[1:])
	})
	if w.after != "" && at >= 0 && at+1 < len(words) {
		if w.line {
			return nil, words[at+1]
		}
		return words[at+1:], ""
	}
	if w.file {
		at = slices.IndexFunc(words, func(word string) bool { return !strings.HasPrefix(word, "-") })
		if at >= 0 && strings.ContainsAny(words[at], "./") {
			return words[at:], ""
		}
	}
	if w.file || w.after != "" {
		return nil, ""
	}
	skip := w.skip
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case word == "--":
		case isAmong(w.values, word):
			i++
		case strings.HasPrefix(word, "-") || skip == 0 && isAssignment(word):
		case skip > 0:
			skip--
		case w.line:
			return nil, strings.Join(words[i:], " ")
		default:
			return words[i:], ""
		}
	}
	return nil, ""
}

// isAmong says whether a word is one of a list.
func isAmong(list, word string) bool {
	for one := range strings.FieldsSeq(list) {
		if one == word {
			return true
		}
	}
	return false
}
