package redact

import (
	"regexp"
	"sync"
)

// hookRules are addresses of services that let whoever knows them in, without
// a token of a known shape.
func hookRules() []Rule {
	const uuid = `[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}`
	return []Rule{{
		ID: "secret-address", Severity: Block, shape: true,
		Why:    "looks like an address that lets in whoever knows it",
		Advice: "make a new address at the service, then leave this one out of the packet",
		keywords: []string{
			"/trigger/", "/deploy/srv-", "/inputs/", "/receiver/v1/http/", "/private/", "anaconda.org/t/", "/hooks/", "/webhooks/", "/webhook/", "build_hooks/", "deploy_hooks/", "/integrations/deploy/", "/integration/", "/private-", "hc-ping.com/", "/api/push/",
			"hook.integromat.com/", "sctapi.ftqq.com/", "api.day.app/",
		},
		find: anyGroup(200, `(?i)^(?:`+
			`/hooks/([a-z0-9]{26})(?:$|[^a-z0-9/])|/hooks/([a-z0-9]{17,24}/[a-z0-9]{40,})|`+
			`/webhooks/[0-9]{15,20}/([a-z0-9_-]{40,})|/webhook/(`+uuid+`)|build_hooks/([0-9a-f]{24})|deploy_hooks/(`+uuid+`)|`+
			`/integrations/deploy/prj_[a-z0-9]+/([a-z0-9]{8,})|/integration/([0-9a-f]{32})/enqueue|/private-([0-9a-f]{32})/|hc-ping\.com/(`+uuid+`)|hc-ping\.com/([a-z0-9_-]{20,24})/|`+
			`/trigger/(`+uuid+`)|/deploy/srv-[a-z0-9]+\?key=([a-z0-9_-]{8,})|/inputs/(`+uuid+`)|/receiver/v1/http/([a-z0-9+/_-]{60,}={0,2})|`+
			`/private/([0-9a-f]{32})|anaconda\.org/t/([a-z]{2}-`+uuid+`)|`+
			`/api/push/([a-z0-9]{10,32})\?|hook\.integromat\.com/([a-z0-9]{32})|sctapi\.ftqq\.com/(SCT[a-z0-9]{20,})\.send|api\.day\.app/([a-z0-9]{20,24})/)`),
	}}
}

// anyGroup returns a finder that matches expr from the keyword on. The group
// that takes part in the match is the secret.
func anyGroup(after int, expr string) finder {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
	return func(text string, keyword span) (span, bool) {
		match := compiled().FindStringSubmatchIndex(text[keyword.start:min(len(text), keyword.end+after)])
		if match == nil {
			return span{}, false
		}
		secret := groupOf(match)
		secret = span{keyword.start + secret.start, keyword.start + secret.end}
		return secret, !placeholder(secret.of(text))
	}
}
