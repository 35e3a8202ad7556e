package redact

import (
	"strings"
	"sync"
)

// A command is a line in the table of programs that take a secret as an
// argument.
type command struct {
	programs string // Names, parted by blanks; "+" stands for a blank in a name.
	sub      string // A word that must have stood before, such as "login", or several parted by "|".
	options  string // How the secret is given, in the notation of parseFlag.
}

// commandTable lists programs by what they are for.
//
//nolint:gochecknoglobals,misspell // A table that nobody writes to, with names of programs.
var commandTable = [...]command{
	// Databases.
	{"mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlslap mysqlsh mysqlpump mysqlbinlog mariadb mariadb-dump mariadb-admin mariadb-backup xtrabackup", "", "-p* --password="},
	{"mysqladmin mariadb-admin", "password", "#1"},
	{"mycli mydumper myloader", "", "-p? --password? --pass?"},
	{"redis-cli valkey-cli keydb-cli redis-benchmark memtier_benchmark", "", "-a --pass? --authenticate?"},
	{"mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop mongofiles", "", "-p? --password?"},
	{"sqlcmd bcp osql isql tsql sqsh", "", "-P? /P"},
	{"isql", "", "#3"},
	{"sqlplus sqlldr expdp impdp rman sqlcl", "", "#1@/"},
	{"db2", "connect|attach", "using"},
	{"cqlsh cypher-shell beeline hdbsql couchbase-cli cbq cbbackup cbimport impala-shell", "", "-p? --password?"},
	{"vsql nzsql", "", "-w? -pw"},
	{"isql-fb gbak gfix", "", "-pas? -password?"},
	{"influx", "", "-t? --token? -password? --password? -p?"},
	{"clickhouse-client clickhouse arangosh etcdctl", "", "--password? --server.password? --user?@:"},
	{"ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldapcompare ldapmodrdn ldapexop ldapvi", "", "-w?"},
	{"ldappasswd", "", "-w? -s -a"},
	{"rabbitmqctl", "add_user|change_password|authenticate_user", "#2"},
	{"mosquitto_passwd", "-b", "#0"},
	{"mosquitto_pub mosquitto_sub mosquitto_rr", "", "-P --pw?"},
	// Registries, clusters and clouds.
	{"docker podman buildah nerdctl helm oras crane regctl skopeo apptainer singularity cosign argocd acr", "login", "-p? --password?"},
	{"skopeo buildah podman", "", "--creds?@: --src-creds?@: --dest-creds?@:"},
	{"oc cf ibmcloud rancher odo", "login", "-p? --password? --token? --apikey?"},
	{"cf", "auth", "#2"},
	{"az", "login|acr", "-p --password? --client-secret?"},
	{"az", "sql|mysql|postgres|vm|vmss|synapse", "-p --admin-password? --administrator-login-password?"},
	{"vault", "login|unseal", "#1"},
	{"aws", "aws_secret_access_key|aws_session_token", "#1"},
	{"mc", "alias|host", "#5"},
	{"gh", "secret", "-b? --body?"},
	{"ngrok", "authtoken|add-authtoken", "#1"},
	{"snyk", "auth", "#1"},
	{"doctl", "", "-t --access-token?"},
	{"sfdx", "force:user:password|force:user:create", "-p --password?"},
	{"b2", "authorize-account|authorize_account", "#2"},
	{"codecov codecovcli vercel", "", "-t --token?"},
	{"netlify", "", "--auth?"},
	{"bw", "unlock", "#1"},
	{"bw", "login", "#2"},
	{"altool notarytool", "", "-p --password?"},
	{"security", "add-generic-password|add-internet-password", "-w? -p"},
	{"security", "unlock-keychain|create-keychain|set-keychain-password|set-key-partition-list|import", "-p? -k -P"},
	// Packages.
	{"cargo", "login", "#1"},
	{"twine", "", "-p --password?"},
	{"dotnet nuget", "push|add|update|sources|setapikey", "-k --api-key? -apikey? -p --password? -password?"},
	{"nuget", "setapikey", "#1"},
	{"yarn pnpm", "npmauthtoken", "#1"},
	{"poetry", "pypi-token.pypi", "#1"},
	{"composer", "github-oauth.github.com|gitlab-token.gitlab.com|github-oauth", "#1"},
	{"jenkins-cli jenkins-cli.jar", "", "-auth?@:"},
	// Files.
	{"zip unzip zipcloak zipnote", "", "-P+ --password?"},
	{"7z 7za 7zr 7zz 7zzs rar unrar", "", "-p* -hp*"},
	{"gpg gpg2 gpg-preset-passphrase steghide", "", "--passphrase? -P? -p?"},
	{"openssl", "", "-k -K -pass? -passin? -passout? -hmac"},
	{"openssl", "passwd", "#0"},
	{"ssh-keygen", "", "-N -P"},
	{"ccrypt mcrypt aescrypt", "", "-K -k -p?"},
	{"veracrypt truecrypt", "", "-p? --password?"},
	{"manage-bde", "", "-rp? -recoverypassword? -pw?"},
	{"qpdf", "", "--encrypt --password?"},
	{"pdftk", "", "user_pw owner_pw input_pw"},
	{"pdftotext pdftoppm pdfinfo pdfimages", "", "-upw? -opw?"},
	{"rclone", "obscure", "#1"},
	{"restic borg duplicity", "", "--password?"},
	// Addresses.
	{"curl", "", "-u+@: --user?@: --proxy-user?@: -U+@: --cert?@: -E?@: --pass? --oauth2-bearer? --proxy-pass?"},
	{"wget aria2c", "", "--password? --http-password? --http-passwd? --ftp-password? --ftp-passwd? --proxy-password? --rpc-secret?"},
	{"http https httpie xh xhs", "", "-a?@: --auth?@:"},
	{"lftp", "", "-u?@, --user?@,"},
	{"ncftp ncftpput ncftpget ncftpls", "", "-p?"},
	{"svn svnsync svnrdump", "", "--password?"},
	{"sendemail", "", "-xp"},
	{"swaks", "", "-ap --auth-password?"},
	// Other machines.
	{"sshpass", "", "-p?"},
	{"smbclient smbget smbcacls smbspool smbtree rpcclient winexe pth-winexe wmiexec net+rpc net+ads", "", "-U?@% --user?@%"},
	{"smbclient", "", "//~"},
	{"mount mount.cifs mount_smbfs mount.davfs", "", "-o?@password= -o?@pass="},
	{"net+use net.exe+use", "", `\\~`},
	{"net+user net.exe+user", "", "#2"},
	{"psexec psexec64 paexec pslist pskill psservice psinfo", "", "-p"},
	{"plink pscp psftp putty kitty klink", "", "-pw -passphrase"},
	{"xfreerdp xfreerdp3 wlfreerdp sdl-freerdp freerdp mstsc", "", "/p:* /gp:* /pwd:* -p"},
	{"rdesktop", "", "-p?"},
	{"winrs", "", "-p:* /p:* -password:* /password:*"},
	{"schtasks", "", "/rp /p"},
	{"systeminfo tasklist taskkill driverquery getmac", "", "/p"},
	{"cmdkey wmic", "", "/pass:* /password:*"},
	{"dsadd dsmod", "", "-pwd"},
	{"dscl", "-passwd|-password", "#0"},
	{"netsh", "", "key=* keymaterial=* userkey=*"},
	{"signtool osslsigncode", "", "/p -pass"},
	{"x11vnc", "", "-passwd?"},
	{"teamviewer", "passwd", "#1"},
	{"snmpwalk snmpget snmpset snmpbulkwalk snmpbulkget snmpgetnext snmptable snmptrap snmpdelta snmpstatus", "", "-A -X -c?"},
	{"ipmitool racadm ilorest", "", "-P? -p"},
	{"ipmitool", "password", "#2"},
	{"vmrun", "", "-gp -vp"},
	{"nmcli", "", "password wifi-sec.psk 802-11-wireless-security.psk wifi-sec.wep-key0"},
	{"wpa_passphrase", "", "#2"},
	{"iwctl", "", "--passphrase?"},
	{"hydra medusa ncrack crackmapexec cme nxc netexec smbmap enum4linux-ng bloodhound-python evil-winrm certipy ldapdomaindump", "", "-p --password?"},
	{"psexec wmiexec smbexec secretsdump atexec dcomexec getuserspns getnpusers mssqlclient lookupsid gettgt getst", "", "#1@:"},
	// Accounts.
	{"htpasswd", "-b", "#0"},
	{"useradd usermod adduser", "", "-p --password?"},
	{"kadmin kadmin.local", "", "-w -pw"},
	{"kcadm.sh kcadm wsadmin asadmin", "", "--password? --secret? -password?"},
	{"convertto-securestring", "", "-string #1"},
}

// commandRules are secrets in the arguments of programs.
func commandRules() []Rule {
	const advice = "change it, and write the command with a variable in its place"
	// Returns the names of all programs as a command line has them. A name that stands in two
	// rows is returned twice, which costs less than to see it.
	names := make([]string, 0, 4*len(commandTable))
	for i := range commandTable {
		for name := range strings.FieldsSeq(commandTable[i].programs) {
			if strings.Contains(name, "+") {
				name = strings.ReplaceAll(name, "+", " ")
			}
			names = append(names, name)
		}
	}
	return []Rule{
		{
			ID: "command-password", Severity: Block,
			Why: "looks like a password in a command line", Advice: advice,
			keywords: names, find: newCommands().find,
		},
		{
			ID: "option-password", Severity: Block,
			Why: "looks like a password behind an option of a command", Advice: advice,
			keywords: []string{"-pass", "storepass", "keypass", "-pwd", "-pw "}, find: findOption,
		},
		{
			ID: "dialog-password", Severity: Block,
			Why: "looks like a password in a dialog with a server", Advice: advice,
			keywords: []string{"auth ", "user ", "sshpass=", "credential]::new(", "credentials(\""}, find: findDialog,
		},
		{
			ID: "literal-secret", Severity: Block,
			Why: "looks like a secret that a command writes into a cluster", Advice: advice,
			keywords: []string{"--from-literal"}, find: findLiteral,
		},
		{
			ID: "piped-password", Severity: Block,
			Why: "looks like a password that is piped to a command", Advice: advice,
			keywords: []string{"echo ", "printf ", "yes ", "<<<", "convertto-securestring", "send ", "sendline("}, find: findPiped,
		},
	}
}

// An invocation is what is known of a program: in which way it is given
// secrets behind which word.
type invocation struct {
	subs  []string
	flags []flag
}

// commands finds secrets in the arguments of the programs of commandTable,
// which is read when one of them is first seen.
type commands struct {
	table func() map[string][]invocation
}

func newCommands() *commands {
	return &commands{sync.OnceValue(func() map[string][]invocation {
		table := map[string][]invocation{}
		for i := range commandTable {
			row := &commandTable[i]
			known := invocation{flags: parseFlags(row.options)}
			if row.sub != "" {
				known.subs = strings.Split(row.sub, "|")
			}
			for name := range strings.FieldsSeq(row.programs) {
				table[name] = append(table[name], known)
			}
		}
		return table
	})}
}

// find looks for a secret in the words that follow the name of a program.
func (c *commands) find(text string, keyword span) (span, bool) {
	at, ok := programEnd(text, keyword)
	if !ok {
		return span{}, false
	}
	name := strings.ReplaceAll(strings.ToLower(keyword.of(text)), " ", "+")
	known := c.table()[name]
	words := argumentsAt(text, at)
	for i := range known {
		if secret, ok := known[i].find(words, text); ok {
			return secret, true
		}
	}
	return span{}, false
}

// programEnd says whether the keyword is the name of a program and where its
// arguments begin. In a list of strings the name stands in quotes.
func programEnd(text string, keyword span) (int, bool) {
	before := byteBefore(text, keyword.start)
	if before == '-' && strings.HasSuffix(text[:keyword.start], "impacket-") {
		before = ' '
	}
	if isWord(before) || before == '-' || before == '.' || before == '@' || before == '$' || before == '=' {
		return 0, false
	}
	at := keyword.end
	for _, suffix := range [...]string{".exe", ".py", ".bat"} {
		if hasFold(text[at:], suffix) {
			at += len(suffix)
		}
	}
	if c := byteAt(text, at); c == '"' || c == '\'' {
		at++
		return at, byteAt(text, at) == ',' || isBlank(byteAt(text, at))
	}
	return at, isBlank(byteAt(text, at))
}

// maxSub is how many words may stand before the word that an invocation needs.
const maxSub = 8

func (c *invocation) find(words []span, text string) (span, bool) {
	words, ok := c.behindSub(words, text)
	if !ok {
		return span{}, false
	}
	var bare []span
	for i, word := range words {
		if secret, ok := c.first(func(f *flag) (span, bool) { return f.value(text, words, i) }); ok {
			return secret, true
		}
		if isOptionWord(text, word) {
			continue
		}
		bare = append(bare, word)
		if secret, ok := c.first(func(f *flag) (span, bool) { return f.positional(text, bare) }); ok {
			return secret, true
		}
	}
	return c.first(func(f *flag) (span, bool) { return f.last(text, bare) })
}

// first returns the first secret that judge finds with one of the flags.
func (c *invocation) first(judge func(*flag) (span, bool)) (span, bool) {
	for i := range c.flags {
		if secret, ok := judge(&c.flags[i]); ok {
			return secret, true
		}
	}
	return span{}, false
}

// behindSub returns the words behind the one that the invocation needs.
func (c *invocation) behindSub(words []span, text string) ([]span, bool) {
	if len(c.subs) == 0 {
		return words, true
	}
	for i, word := range words[:min(len(words), maxSub)] {
		if c.begins(unquoted(text, word).of(text)) {
			return words[i+1:], true
		}
	}
	return nil, false
}

// begins says whether word is one of those that the invocation needs: the
// word itself, or a group of letters with the letter of an option.
func (c *invocation) begins(word string) bool {
	for _, sub := range c.subs {
		if strings.EqualFold(word, sub) {
			return true
		}
		if sub[0] == '-' && len(word) > 1 && word[0] == '-' && word[1] != '-' && strings.Contains(word, sub[1:]) {
			return true
		}
	}
	return false
}

// isOptionWord says whether a word is an option rather than an argument.
func isOptionWord(text string, word span) bool {
	word = unquoted(text, word)
	c := byteAt(text, word.start)
	return c == '-' || c == '/' && isLetter(byteAt(text, word.start+1)) && strings.IndexByte(word.of(text), ':') > 0 ||
		c == '/' && word.end-word.start < 8
}
