package judge

import (
	"encoding/base64"
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// IsOpaqueID says whether s is of letters and digits that no person made up.
func IsOpaqueID(s string) bool {
	n := lex.ClassesOf(s)
	return n.Digit > 0 && n.Lower+n.Upper > 0 && lex.Run(s, 0, len(s), lex.IsURLSafe) == len(s) &&
		!IsIdentifier(s) && !IsPlaceholder(s)
}

// SecretArgument says whether value can be a secret in a command line, and is
// no variable, no filler, no file and no other option.
func SecretArgument(value string) bool {
	if len(value) < 4 || len(value) > 4096 || IsVariableRef(value) {
		return false
	}
	file := strings.IndexByte("/.", value[0]) >= 0 && strings.ContainsAny(value[1:], "/.")
	if file || strings.IndexByte("-@~*", value[0]) >= 0 {
		return false
	}
	if n := lex.ClassesOf(value); n.Lower == 0 && n.Digit == 0 &&
		n.Upper+strings.Count(value, "_")+strings.Count(value, "-") == len(value) && !isLetterJumble(value) {
		return false // A name such as PASSWORD.
	}
	return !plainWord(strings.ToLower(value)) && !IsPlaceholder(value)
}

// IsVariableRef says whether value is replaced by something else when the command
// runs.
func IsVariableRef(value string) bool {
	value = value[:min(len(value), MaxValue)]
	if rules.Words("variable-sign").Within(value) || strings.IndexByte("$%!", value[0]) < 0 {
		return rules.Words("variable-sign").Within(value)
	}
	// A name is of capitals or of small letters, with few digits.
	end := lex.Run(value, 1, len(value), lex.IsWord)
	name, n := value[1:end], lex.ClassesOf(value[1:end])
	return end > 1 && !lex.IsDigit(name[0]) && n.Digit <= 2 &&
		(n.Upper == 0 || n.Lower == 0 || IsIdentifier(name)) &&
		strings.IndexByte("\x00%!.[:", lex.ByteAt(value, end)) >= 0
}

// plainWord says whether a word in lower case is what manuals write for a
// secret, or is known to everybody.
func plainWord(word string) bool { return rules.Words("plain-word").Has(strings.Trim(word, "_-.")) }

// StrongArgument says whether value is more than a word: it has a digit, a
// sign, or capitals inside.
func StrongArgument(value string) bool {
	n := lex.ClassesOf(value)
	return n.Digit > 0 && (n.Lower+n.Upper > 0 || len(value) >= 8) && !IsVersion(value) ||
		CountMarks(value) > 0 || IsPhrase(value) ||
		n.Upper > 0 && n.Lower > 0 && !IsIdentifier(value)
}

// StrongWord says whether value can be a secret in a command line and is more
// than a word.
func StrongWord(value string) bool {
	return SecretArgument(value) && StrongArgument(value) && (!IsIdentifier(value) || IsPhrase(value))
}

// IsTokenValue says whether a machine made a token, as far as its beginning
// shows.
func IsTokenValue(token string) bool {
	const head = 64
	token = token[:min(len(token), head)]
	n := lex.ClassesOf(token)
	if n.Digit == 0 && (n.Lower == 0 || n.Upper == 0 || len(token) < 20) {
		return isLetterJumble(token)
	}
	return (n.Lower+n.Upper > 0 || len(token) >= 20) && !IsIdentifier(token) &&
		!IsVariableRef(token) && !IsPlaceholder(token)
}

// IsLogin says whether a value is base64 of a user and a password, or of a key alone.
func IsLogin(value string) bool {
	decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "="))
	user, password, ok := strings.Cut(string(decoded), ":")
	key := password == "" && len(user) >= MinNear && IsOpaqueID(user) // In the place of the user.
	return err == nil && lex.IsReadable(decoded) && ok &&
		(key || password != "" && !UrlFiller(password) && !IsVariableRef(password))
}

// IsGivenKey says whether a value that a service's name and a word for a secret
// stand before is a key, though it could be an id or a digest elsewhere.
func IsGivenKey(value string) bool {
	n := lex.ClassesOf(value)
	return len(value) >= 12 && n.Digit > 1 && n.Lower+n.Upper > 1 && !IsPlaceholder(value) &&
		!CallOrPath(value) && !IsIdentifier(value)
}

// UrlFiller says whether a password in a URL stands for none. Unlike a value
// of an assignment, a short word is a real password here.
func UrlFiller(password string) bool {
	word := strings.ToLower(password)
	return rules.Words("url-filler").Has(word) || len(password) >= 4 && lex.CountDistinct(password) == 1 ||
		strings.HasSuffix(password, "]") || password[0] == '{' && strings.HasSuffix(password, "}") ||
		isReference(password) || fillerWord(password) || plainWord(word)
}
