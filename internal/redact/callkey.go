package redact

import "strings"

// keyCallRules are keys that stand at their place among the arguments of a
// call that signs or encrypts.
func keyCallRules() []Rule {
	return []Rule{{
		ID: "key-argument", Severity: Block,
		Why:    "looks like a key that is handed to a function",
		Advice: "replace the key, and write only where it is kept",
		keywords: []string{
			"hmac(", "hmac.new(", "hmac::digest(", "openssl_encrypt(", "openssl_decrypt(", "openssl::hmac.", "aes.new(", "des3.new(", "chacha20.new(", "fernet(",
			"cookieparser(", "cookiesession(", "signwith(", "hmacshakeyfor(", "jwt.sign(", "jwt.encode(", "jwt.decode(", "jwt.verify(", "jwt::encode(",
			"jwt::decode(", "signedstring(", "key::from_secret(", "keyspec(", "secret.fromstring(", "createcipheriv(", "createdecipheriv(", "createcipher(",
			"aes.encrypt(", "aes.decrypt(", "timedserializer(", "urlsafeserializer(", "timestampsigner(", "messageverifier.new(", "messageencryptor.new(",
			"newcookiestore(", "securecookie.new(", "csrf.protect(", "algorithm.hmac256(", "algorithm.hmac512(", "hs256(", "symmetricsecuritykey(",
		},
		find: findKeyArgument,
	}}
}

// findKeyArgument finds the first string among the arguments that a machine
// made.
func findKeyArgument(text string, keyword span) (span, bool) {
	return eachArgument(text, keyword.end, func(value string) bool {
		if len(value) < 12 || strings.ContainsAny(value, " \t=;{}<>") && !strings.HasSuffix(value, "=") || isUUID(value) || isNamed(value) {
			return false
		}
		return hasDigit(value) && isTokenValue(value) && !algorithm(value) && !callOrPath(value)
	})
}

// eachArgument returns the first string among the arguments from text[at] on
// that judge accepts.
func eachArgument(text string, at int, judge func(string) bool) (span, bool) {
	limit := min(len(text), at+maxArguments)
	for at < limit && text[at] != '\n' {
		if !isQuote(text[at]) {
			at++
			continue
		}
		end := strings.IndexByte(text[at+1:limit], text[at])
		if end < 0 {
			break
		}
		value := span{at + 1, at + 1 + end}
		if judge(value.of(text)) {
			return value, true
		}
		at = value.end + 1
	}
	return span{}, false
}
