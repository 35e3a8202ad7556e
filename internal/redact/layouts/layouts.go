// Package layouts finds the secret that belongs to a keyword by the layout around it: an assignment, a
// header, a URL, the words of a command, a sentence. A file holds one layout; what is found is judged in
// package judge.
//
// What a finder reads before it says no is bounded, so that a text full of keywords costs time in proportion
// to its length.
package layouts

import "github.com/git-ltm/git-ltm/internal/redact/lex"

// FindersNamed returns the functions that ruleTable names.
func FindersNamed() map[string]func(string, lex.Span) (lex.Span, bool) {
	return map[string]func(string, lex.Span) (lex.Span, bool){
		"findPEM":            findPEM,
		"findKeyBody":        findKeyBody,
		"findJWK":            findJWK,
		"findWalletKey":      findWalletKey,
		"findPhrase":         findPhrase,
		"findJWT":            findJWT,
		"findUserinfo":       findUserinfo,
		"findCredentials":    findCredentials,
		"findAssigned":       findAssigned,
		"findArgument":       findArgument,
		"findCommand":        findCommand,
		"findHeaderSecret":   findHeaderSecret,
		"findCookie":         findCookie,
		"findParameterValue": findParameterValue,
		"findService":        findService,
		"findPlaceholder":    findPlaceholder,
		"findHome":           findHome,
		"findFileURL":        findFileURL,
		"findInternalHost":   findInternalHost,
	}
}
