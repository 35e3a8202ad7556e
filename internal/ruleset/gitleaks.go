package ruleset

import (
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// gitleaksNames lists, for rules of gitleaks 8.30, the built-in rules of other
// names that look for the same: behind "=" one that is its like, behind "~" one
// that also finds other things, behind "-" none. What has the same id in both
// and no other like needs no entry.
const gitleaksNames = `
1password-secret-key~onepassword-token
1password-service-account-token~onepassword-token
adafruit-api-key=adafruit-key
age-secret-key~age-key
alibaba-access-key-id=alibaba-key-id
anthropic-admin-api-key~anthropic-key
anthropic-api-key~anthropic-key
artifactory-api-key~jfrog-token
artifactory-reference-token~jfrog-token
atlassian-api-token=atlassian-token
aws-access-token=aws-access-key-id
aws-amazon-bedrock-api-key-long-lived~aws-bedrock-key
aws-amazon-bedrock-api-key-short-lived~aws-bedrock-key
azure-ad-client-secret=azure-client-secret
clojars-api-token=clojars-token
cloudflare-origin-ca-key=cloudflare-origin-key
contentful-delivery-api-token~contentful-token
curl-auth-header~authorization-header
curl-auth-user-
databricks-api-token=databricks-token
digitalocean-access-token~digitalocean-token
digitalocean-pat~digitalocean-token
digitalocean-refresh-token~digitalocean-token
doppler-api-token=doppler-token
dynatrace-api-token=dynatrace-token
easypost-api-token~easypost-key
easypost-test-api-token~easypost-key
flutterwave-secret-key=flutterwave-key
flyio-access-token=fly-token
freemius-secret-key-
gcp-api-key=google-api-key
generic-api-key=secret-assignment
github-app-token~github-token
github-fine-grained-pat=github-fine-grained-token
github-oauth~github-token
github-pat~github-token
github-refresh-token~github-token
gitlab-cicd-job-token~gitlab-token
gitlab-deploy-token~gitlab-token
gitlab-feature-flag-client-token~gitlab-token
gitlab-feed-token~gitlab-token
gitlab-incoming-mail-token~gitlab-token
gitlab-kubernetes-agent-token~gitlab-token
gitlab-oauth-app-secret~gitlab-token
gitlab-pat~gitlab-token
gitlab-pat-routable~gitlab-token
gitlab-ptt~gitlab-token
gitlab-rrt~gitlab-token
gitlab-runner-authentication-token~gitlab-token
gitlab-runner-authentication-token-routable~gitlab-token
gitlab-scim-token~gitlab-token
grafana-api-key~grafana-token
grafana-cloud-api-token~grafana-token
grafana-service-account-token~grafana-token
hashicorp-tf-api-token=terraform-token
hashicorp-tf-password-
heroku-api-key~heroku-key
heroku-api-key-v2~heroku-key
huggingface-access-token~hugging-face-token
huggingface-organization-api-token~hugging-face-token
jfrog-api-key~jfrog-token
jfrog-identity-token~jfrog-token
jwt-base64~jwt
kubernetes-secret-yaml-
linear-api-key~linear-key
mailgun-private-api-token=mailgun-key
microsoft-teams-webhook=teams-webhook
netlify-access-token~netlify-token
new-relic-browser-api-token~new-relic-key
new-relic-insert-key~new-relic-key
new-relic-user-api-key~new-relic-key
notion-api-token=notion-token
npm-access-token=npm-token
nuget-config-password-
openai-api-key=openai-key
perplexity-api-key=perplexity-key
pkcs12-file-
planetscale-api-token~planetscale-token
planetscale-oauth-token~planetscale-token
planetscale-password~planetscale-token
postman-api-token=postman-key
prefect-api-token=prefect-token
private-key~private-key-body
pulumi-api-token=pulumi-token
pypi-upload-token=pypi-token
readme-api-token=readme-key
rubygems-api-token=rubygems-token
sendgrid-api-token=sendgrid-key
sendinblue-api-token~brevo-key
sentry-org-token~sentry-token
sentry-user-token~sentry-token
shippo-api-token=shippo-token
shopify-access-token~shopify-token
shopify-custom-access-token~shopify-token
shopify-private-app-access-token~shopify-token
shopify-shared-secret~shopify-token
slack-app-token~slack-token
slack-bot-token~slack-token
slack-config-access-token~slack-token
slack-config-refresh-token~slack-token
slack-legacy-bot-token~slack-token
slack-legacy-token~slack-token
slack-legacy-workspace-token~slack-token
slack-user-token~slack-token
slack-webhook-url=slack-webhook
sourcegraph-access-token=sourcegraph-token
square-access-token~square-token
stripe-access-token=stripe-key
telegram-bot-api-token=telegram-token
twilio-api-key=twilio-key
typeform-api-token=typeform-token
vault-batch-token~vault-token
vault-service-token~vault-token
`

// likes are the built-in rules that an id means.
type likes struct {
	same  []string // They find what it finds.
	wider []string // They find that, too.
	known bool     // The id is one of ours or of gitleaks.
}

func (l likes) allOf() []string { return slices.Concat(l.same, l.wider) }

// builtInFor returns the built-in rules that an id of ours or of gitleaks means.
func builtInFor(id string) likes {
	var l likes
	if redact.BuiltIn().Has(id) {
		l.same, l.known = []string{id}, true
	}
	for line := range strings.Lines(gitleaksNames) {
		sign, ok := strings.CutPrefix(strings.TrimSpace(line), id)
		if !ok || sign == "" {
			continue
		}
		other := sign[1:]
		switch {
		case sign == "-":
			l.known = true
		case !redact.BuiltIn().Has(other): // It goes on: the line is about a longer id.
		case sign[0] == '=':
			l.same, l.known = append(l.same, other), true
		case sign[0] == '~':
			l.wider, l.known = append(l.wider, other), true
		}
	}
	return l
}
