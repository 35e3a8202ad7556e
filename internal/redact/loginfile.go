package redact

// findNetrc finds the password in "machine host login user password secret".
func findNetrc(text string, keyword span) (span, bool) {
	if !isSpace(byteBefore(text, keyword.start)) && keyword.start > 0 && !isQuoteSign(byteBefore(text, keyword.start)) {
		return span{}, false
	}
	const words, longest = 9, 256
	limit := min(len(text), keyword.end+2*longest)
	previous, named := "", fold(text[keyword.start]) == 'd'
	for at, n := keyword.end, 0; n < words; n++ {
		at = run(text, at, limit, isSpace)
		end := run(text, at, limit, func(c byte) bool { return !isSpace(c) })
		word := unquoted(text, span{at, end})
		switch previous {
		case "login", "user":
			named = true
		case "password":
			return word, named && secretArgument(word.of(text))
		}
		if n%2 == 1 && word.of(text) != "login" && word.of(text) != "password" && word.of(text) != "account" && word.of(text) != "user" && !named {
			return span{}, false
		}
		previous = word.of(text)
		at = end
	}
	return span{}, false
}

// findPgpass finds the last field of "host:port:database:user:password".
func findPgpass(text string, keyword span) (span, bool) {
	start := back(text, keyword.start, max(0, keyword.start-100), func(c byte) bool { return isDotted(c) || c == '*' })
	if start == keyword.start || start > 0 && !isSpace(text[start-1]) && !isQuoteSign(text[start-1]) {
		return span{}, false
	}
	at := keyword.end
	for range 2 {
		end := run(text, at, min(len(text), at+64), func(c byte) bool { return isDotted(c) || c == '*' })
		if end == at || byteAt(text, end) != ':' {
			return span{}, false
		}
		at = end + 1
	}
	end := run(text, at, min(len(text), at+maxValue), func(c byte) bool { return !isSpace(c) && !isQuoteSign(c) })
	return span{at, end}, secretArgument(text[at:end])
}

// findNpmrc finds the value of a setting of npm or yarn that logs in.
func findNpmrc(text string, keyword span) (span, bool) {
	at, end := keyword.end, min(len(text), keyword.end+4)
	if byteBefore(text, at) != '=' {
		at = run(text, at, end, func(c byte) bool { return isQuoteOrBlank(c) || c == '=' || c == ':' })
		if at == keyword.end {
			return span{}, false
		}
	}
	at = run(text, at, min(len(text), at+3), isQuoteOrBlank)
	limit := min(len(text), at+judged)
	secret := span{at, run(text, at, limit, isCookieValue)}
	n := classesOf(secret.of(text))
	if value := secret.of(text); secret.end-at < minToken || n.digit+n.upper == 0 || !secretArgument(value) || isCode(value) || value[0] == '+' {
		return span{}, false
	}
	if secret.end == limit {
		secret.end = run(text, limit, len(text), isCookieValue)
	}
	return secret, true
}

// findDockerAuth finds base64 of a user and a password.
func findDockerAuth(text string, keyword span) (span, bool) {
	at, ok := headerGlue(text, keyword.end)
	if !ok {
		return span{}, false
	}
	end := run(text, at, min(len(text), at+4*judged), isBase64)
	password, ok := basicPassword(text[at:end])
	return span{at, end}, ok && len(password) >= 4 && !urlFiller(password) && !variable(password)
}
