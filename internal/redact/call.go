package redact

import "strings"

// callRules are passwords that stand at their place among the arguments of a
// call or a statement, without a name.
func callRules() []Rule {
	return []Rule{{
		ID: "password-argument", Severity: Block,
		Why:    "looks like a password that is handed to a function or statement",
		Advice: "change the password, and write only where it is kept",
		keywords: []string{
			"getconnection(", "networkcredential(", "passwordcredentials(", "basicauth(", "digestauth(", "usernamepassword(", "identified by ", "pgp_sym_encrypt(",
			"pgp_sym_decrypt(", "aes_encrypt(", "aes_decrypt(", "passwordauthentication(", "credential(", "authenticate(", ".login(", "mysqli_connect(",
			"mysqli(", "mysql_connect(", "mysql_real_connect(", "new pdo(", "pg_connect(", "createconnection(", "createcredential(", "simplecredentials(", ".auth(",
			"psycopg2.connect(", "psycopg.connect(", "pymysql.connect(", "mysqldb.connect(", "connector.connect(", "oracle.connect(", "oracledb.connect(", "pymssql.connect(",
			"asyncpg.connect(", "ssh.connect(", "ssh_client.connect(", "client.connect(", "ftp.connect(", "dbi->connect(", "dbi.connect(", "dbconnect(", "odbc_connect(",
			"oci_connect(", "sqlsrv_connect(", "ftp_login(", "auth_password(", "imap_open(", "ldap_bind(", "simple_bind_s(", "usernamepasswordtoken(",
			"usernamepasswordcredentials(", "userpasscredentials(", "new credentials(", "awscredentials(", "wifi.begin(", "wifi.softap(", "wlan.connect(", ".addap(", "username_pw_set(",
			"auth=(", "httpbasicauth(", "httpdigestauth(", "httpntlmauth(", "key_set_with_value(", "database('", ".protect \"", ".unprotect \"", ".open \"dsn=",
			"auth-credentials '(", "setcredentials(", "set_credentials(", "withbasicauth(", "setbasicauth(", "basic_auth(", "plainauth(", "usernamepasswordauth(",
		},
		find: findArgument,
	}}
}

// maxArguments bounds what is read of the arguments of a call.
const maxArguments = 200

// findArgument finds the last string among the arguments that can be a
// password, or what follows the words of a statement.
func findArgument(text string, keyword span) (span, bool) {
	if text[keyword.end-1] == ' ' {
		g := readGlue(text, keyword.end)
		return valueAt(text, g, chosen)
	}
	var last span
	limit := min(len(text), keyword.end+maxArguments)
	for at := firstArgument(text, keyword); at < limit && text[at] != ')' && text[at] != '\n'; {
		if !isQuote(text[at]) {
			at++
			continue
		}
		end := strings.IndexByte(text[at+1:limit], text[at])
		if end < 0 {
			break
		}
		if argument := (span{at + 1, at + 1 + end}); passwordArgument(argument.of(text)) {
			last = argument
		}
		at += end + 2
	}
	return last, last.end > 0
}

// firstArgument returns where the arguments begin: behind the keyword, or at
// the double quote in it or the quote at its end.
func firstArgument(text string, keyword span) int {
	if quote := strings.IndexByte(keyword.of(text), '"'); quote >= 0 {
		return keyword.start + quote
	}
	if text[keyword.end-1] == '\'' {
		return keyword.end - 1
	}
	return keyword.end
}

// passwordArgument says whether a string among arguments is a password.
func passwordArgument(value string) bool {
	if strings.HasSuffix(value, "=") || strings.Contains(value, ";") || callOrPath(value) || isNamed(value) || version(value) {
		return false
	}
	spoken := identifier(value) && (isWordy(value) || classesOf(value).digit > 2)
	return chosen.accepts(value) && !spoken
}
