package redact

import (
	"slices"
	"strings"
)

// A nameKind says what a name makes of its value.
type nameKind int

const (
	unnamed nameKind = iota // The name speaks of no secret.
	hinted                  // A key of some kind: the value must look random by itself.
	keyed                   // The key of something that is named: an id or a digest will do, too.
	strong                  // A token or key that a machine made.
	chosen                  // A password that a person chose.
)

// maxName is how much of a name is read before and behind the word in it.
const maxName = 64

// nameAround returns the whole name that a naming word is part of.
func nameAround(text string, word span) span {
	return span{
		back(text, word.start, max(0, word.start-maxName), isDotted),
		run(text, word.end, min(len(text), word.end+maxName), isURLSafe),
	}
}

// kindOfName says what the name at s in text makes of its value. Words in
// front of it, with single blanks between, count as in "API key".
func kindOfName(text string, s span) nameKind {
	var words [8]string
	n := splitName(s.of(text), &words)
	if n > 0 && n < 3 {
		before := s.start
		for i := 0; i < 2 && byteBefore(text, before) == ' '; i++ {
			start := back(text, before-1, max(0, before-1-24), isLetter)
			if start == before-1 {
				break
			}
			copy(words[1:], words[:n])
			words[0] = strings.ToLower(text[start : before-1])
			n = min(n+1, len(words))
			before = start
		}
	}
	return kindOfWords(words[:n])
}

// foreignPasswords are words for a password in languages whose letters a name
// in a program may not have. They are names by themselves.
func foreignPasswords() []string {
	return []string{
		"mdp", "mot de passe", "mot_de_passe", "lösenordet", "kata sandi", "kata_sandi", "पासवर्ड", "Şifre", "ŞİFRE", "Hasło", "parola", "passord", "пароль", "Пароль", "ПАРОЛЬ", "密码", "密碼", "口令", "パスワード", "비밀번호", "contraseña", "contrasena", "clave_secreta", "clave secreta",
		"clave ", "chiave_segreta", "chiave segreta", "hasło", "şifre", "sifre", "lösenord", "wachtwoord", "adgangskode", "salasana", "heslo", "kodeord", "palavra-passe",
		"jelszó", "parolă", "geslo", "lozinka", "κωδικός", "סיסמה", "كلمة المرور", "mật khẩu", "รหัสผ่าน",
	}
}

// foreign says whether a naming word is one of them.
func foreign(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return r >= 0x80 }) || slices.Contains(foreignPasswords(), strings.ToLower(word))
}

// particles stand between a password and its name in languages that write no
// blanks.
func particles() []string { return []string{"是", "为", "為", "は", "が", "을", "는", "은"} }

// splitName puts the words of a name into words, in small letters, and returns
// how many there are. Of a long name it keeps the last ones.
func splitName(name string, words *[8]string) int {
	n := 0
	for end := len(name); end > 0 && n < len(words); {
		if !isAlnum(name[end-1]) {
			end--
			continue
		}
		start := wordStart(name, end)
		n++
		words[len(words)-n] = strings.ToLower(name[start:end])
		end = start
	}
	copy(words[:], words[len(words)-n:])
	return n
}

// wordStart returns where the word that ends at name[end] begins: digits
// belong to the word before them, and a capital begins a word.
func wordStart(name string, end int) int {
	start := back(name, end, 0, isDigit)
	if start > 0 && isUpper(name[start-1]) {
		return back(name, start, 0, isUpper)
	}
	start = back(name, start, 0, isLower)
	if start > 0 && isUpper(name[start-1]) && start < end && isLower(name[start]) {
		start--
	}
	return start
}

// kindOfWords judges the words of a name by the last one that says something.
func kindOfWords(words []string) nameKind {
	for len(words) > 1 && isQualifier(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return unnamed
	}
	for _, word := range words[max(0, len(words)-3):] {
		if word == "public" || word == "publishable" || word == "socket" || word == "postman" || word == "hashed" || word == "encrypted" {
			return unnamed
		}
	}
	last := strings.TrimRight(words[len(words)-1], "0123456789")
	before := ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	switch kind := kindOfWord(last); {
	case kind == unnamed, harmlessBefore(before):
		return unnamed
	case kind == chosen && len(last) == len("pass") && before == "by":
		return unnamed
	case kind != hinted:
		return kind
	case isKey(last) && keyBefore(before):
		return strong
	case isKey(last) && harmlessKey(before):
		return unnamed
	case isKey(last) && before != "" && !isArticle(before):
		return keyed
	default:
		return hinted
	}
}

func isKey(word string) bool { return word == "key" || word == "keys" }

// kindOfWord judges one word, which may be several that are written as one.
func kindOfWord(word string) nameKind {
	switch word {
	case "pass", "pw", "psw", "pin", "puk", "pswd", "pword", "passwrd", "pasword", "kennwort", "contraseña", "senha", "userpwd":
		return chosen
	case "key", "keys", "auth", "authentication", "authorization", "dsn", "sas", "cookie", "session", "license":
		return hinted
	case "salt", "pepper", "requirepass", "masterauth", "rootpw", "bindpw", "hec", "credential", "credentials", "creds", "cred", "bearer", "jwt", "pat", "psk", "otp", "totp", "appid", "mnemonic", "apitoken", "secrets", "tokens", "wif":
		return strong
	}
	for _, end := range [...]string{"password", "passwd", "passwort", "pwd", "passphrase", "passcode", "passwords"} {
		if strings.HasSuffix(word, end) {
			return chosen
		}
	}
	for _, end := range [...]string{
		"secret", "token", "apikey", "accesskey", "secretkey", "privatekey", "authkey", "licensekey", "masterkey", "signingkey",
		"encryptionkey", "sessionkey", "clientkey", "appkey", "accountkey", "sharedkey", "keybase",
	} {
		if strings.HasSuffix(word, end) {
			return strong
		}
	}
	for _, owner := range [...]string{"db", "my", "user", "root", "admin", "ftp", "smtp", "mail", "mysql", "pg", "redis", "ldap", "imap", "proxy", "keystore", "wifi"} {
		if strings.HasPrefix(word, owner) && (word[len(owner):] == "pass" || word[len(owner):] == "pw") {
			return chosen
		}
	}
	return unnamed
}

// isQualifier says whether a word behind a naming word only says which one.
func isQualifier(word string) bool {
	switch strings.TrimRight(word, "0123456789") {
	case "", "prod", "production", "staging", "stage", "dev", "test", "live", "sandbox", "old", "new", "value", "val", "string", "str", "text", "raw",
		"plain", "main", "primary", "secondary", "backup", "default", "env", "var", "b", "base", "encoded", "base64", "b64", "current", "data", "content",
		"a", "x", "preview", "ci", "qa", "uat", "local", "global", "readonly", "ro", "rw":
		return true
	default:
		return false
	}
}

// keyBefore says whether a word makes a key one that must be kept secret.
func keyBefore(word string) bool {
	switch word {
	case "api", "access", "secret", "private", "auth", "authentication", "encryption", "encrypt", "decryption", "signing", "sign", "signature", "session",
		"master", "account", "license", "licence", "admin", "service", "server", "app", "application", "client", "integration", "ingestion", "ingest",
		"insert", "write", "read", "routing", "record", "rest", "consumer", "subscription", "shared", "webhook", "deploy", "deployment", "personal",
		"user", "function", "functions", "channel", "validation", "aws", "hmac", "jwt", "cookie", "root", "ssh", "registration", "activation",
		"management", "security", "developer", "live", "sandbox", "prod", "production", "storage", "notification", "publish", "subscribe", "stream",
		"apis", "agent", "sdk", "monitor", "site", "team", "bot", "device", "merchant", "pre", "vault", "wallet", "crypto", "enc", "aes", "rsa", "des":
		return true
	default:
		return false
	}
}

// harmlessKey says whether a word makes a key one that finds things.
func harmlessKey(word string) bool {
	switch word {
	case "cache", "partition", "sort", "primary", "foreign", "public", "idempotency", "object", "hash", "group", "map", "dict", "row", "column",
		"translation", "index", "lookup", "query", "registry", "hot", "arrow", "short", "order", "composite", "unique", "range", "natural", "surrogate",
		"dedup", "dedupe", "shard", "join", "config", "settings", "json", "yaml", "message", "label", "locale", "state", "event", "route", "first", "last",
		"next", "issue", "ticket", "redis", "bucket", "item", "did", "blob", "entity", "each", "every", "no", "any", "one", "same":
		return true
	default:
		return false
	}
}

// isArticle says whether a word in front of "key" names nothing.
func isArticle(word string) bool {
	switch word {
	case "the", "a", "an", "this", "that", "with", "by", "from", "of", "my", "our", "its", "new", "old", "is", "in", "for", "on", "and", "or", "as", "to", "der", "den", "das", "la", "le":
		return true
	default:
		return false
	}
}

// harmlessBefore says whether a word in front of a naming word makes it the
// name of something that is no secret, such as a page token.
func harmlessBefore(word string) bool {
	switch word {
	case "page", "next", "prev", "previous", "continuation", "continue", "cancellation", "cancel", "design", "syntax", "sync", "eos", "bos",
		"pad", "unk", "stop", "max", "min", "num", "sort", "partition", "start", "end", "left", "right", "total", "input", "output", "prompt",
		"completion", "lexer", "parser", "mask", "special", "image", "resume", "pagination", "cursor", "no", "bypass":
		return true
	default:
		return false
	}
}
