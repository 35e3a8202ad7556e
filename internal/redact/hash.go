package redact

import "strings"

// hashRules are hashes of passwords, which whoever has them can guess at.
func hashRules() []Rule {
	return []Rule{{
		ID: "password-hash", Severity: Block, shape: true,
		Why:    "looks like the hash of a password",
		Advice: "change the password, then leave its hash out of the packet",
		keywords: []string{
			"$apr1$", "$1$", "$5$", "$6$", "$y$", "$gy$", "$7$", "$2a$", "$2b$", "$2y$", "$2x$", "$argon2", "$pbkdf2", "$scrypt$", "$p$b", "$h$9", "$s$d", "$s$e",
			"{sha}", "{ssha}", "{ssha256}", "{ssha512}", "{smd5}", "{pbkdf2", "pbkdf2_sha", "pbkdf2:sha", "scrypt:32768:", "scram-sha-256$", "argon2$argon2",
			"bcrypt_sha256$", "aad3b435b51404eeaad3b435b51404ee:",
		},
		find: findHash,
	}}
}

// minHash is the least length of the last part of a hash.
const minHash = 22

// findHash finds a hash that begins with the name of its kind.
func findHash(text string, keyword span) (span, bool) {
	if c := byteBefore(text, keyword.start); isWord(c) || c == '$' {
		return span{}, false
	}
	colons := strings.Contains(keyword.of(text), ":")
	end := run(text, keyword.end, min(len(text), keyword.end+2*judged), func(c byte) bool { return isHashPart(c) || colons && c == ':' })
	hash := strings.TrimRight(text[keyword.start:end], ".:,*")
	last := hash[min(len(hash), keyword.end-keyword.start):]
	if at := strings.LastIndexAny(last, "$:"); at >= 0 {
		last = last[at+1:]
	}
	n := classesOf(last)
	ok := len(last) >= minHash && n.lower+n.upper > 0 && n.digit > 0 && distinct(last) > fewDistinct && !identifier(last)
	return span{keyword.start, keyword.start + len(hash)}, ok
}

func isHashPart(c byte) bool { return isBase64(c) || c == '$' || c == '.' || c == ',' }
