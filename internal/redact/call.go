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
			"mysqli(", "mysql_connect(", "new pdo(", "pg_connect(", "createconnection(", "createcredential(", "simplecredentials(", ".auth(",
		},
		find: findArgument,
	}}
}

// maxArguments bounds what is read of the arguments of a call.
const maxArguments = 200

// findArgument judges the last string among the arguments, or what follows a
// statement's words.
func findArgument(text string, keyword span) (span, bool) {
	if text[keyword.end-1] == ' ' {
		g := readGlue(text, keyword.end)
		return valueAt(text, g, chosen)
	}
	var last span
	limit := min(len(text), keyword.end+maxArguments)
	for at := keyword.end; at < limit && text[at] != ')' && text[at] != '\n'; {
		if !isQuote(text[at]) {
			at++
			continue
		}
		end := strings.IndexByte(text[at+1:limit], text[at])
		if end < 0 {
			break
		}
		last = span{at + 1, at + 1 + end}
		at = last.end + 1
	}
	value := last.of(text)
	if last.end == 0 || callOrPath(value) || strings.HasSuffix(value, "=") {
		return span{}, false
	}
	return last, chosen.accepts(value) && !identifier(value)
}
