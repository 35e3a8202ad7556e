package redact

// forgeRules are the tokens of code hosts, registries and build services.
func forgeRules() []Rule {
	return []Rule{
		token("github-fine-grained-token", "a fine-grained GitHub token", "at github.com/settings/tokens",
			shape{prefixes: []string{"github_pat_"}, body: isWord, min: 36}),
		token("github-token", "a GitHub token", "at github.com/settings/tokens",
			shape{prefixes: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, body: isAlnum, min: 36}),
		token("gitlab-token", "a GitLab token", "in the GitLab access token settings",
			shape{prefixes: []string{
				"glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-",
				"glagent-", "glsoat-", "gloas-", "glffct-", "GR1348941",
			}, body: isDotted, min: 20}),
		token("bitbucket-token", "a Bitbucket app password", "in the Bitbucket settings",
			shape{prefixes: []string{"ATBB", "ATCTT3"}, body: isBase64, min: 32, digit: true, alone: true}),
		token("atlassian-token", "an Atlassian API token", "at id.atlassian.com",
			shape{prefixes: []string{"ATATT3"}, body: isBase64, min: 60, digit: true}),
		token("npm-token", "an npm access token", "at npmjs.com",
			shape{prefixes: []string{"npm_"}, body: isAlnum, min: 36, alone: true}),
		token("pypi-token", "a PyPI upload token", "at pypi.org/manage/account",
			shape{prefixes: []string{"pypi-AgE"}, body: isURLSafe, min: 40}),
		token("rubygems-token", "a RubyGems API key", "at rubygems.org",
			shape{prefixes: []string{"rubygems_"}, body: isHex, min: 48}),
		token("docker-token", "a Docker Hub token", "at hub.docker.com",
			shape{prefixes: []string{"dckr_pat_", "dckr_oat_"}, body: isURLSafe, min: 24}),
		token("buildkite-token", "a Buildkite token", "at buildkite.com",
			shape{prefixes: []string{"bkua_"}, body: isHex, min: 40}),
		token("sourcegraph-token", "a Sourcegraph token", "in the Sourcegraph settings",
			shape{prefixes: []string{"sgp_"}, body: isWord, min: 40, digit: true}),
		token("clojars-token", "a Clojars deploy token", "at clojars.org",
			shape{prefixes: []string{"CLOJARS_"}, body: isAlnum, min: 60}),
		token("nuget-key", "a NuGet API key", "at nuget.org",
			shape{prefixes: []string{"oy2"}, body: isAlnum, min: 43, exact: true, alone: true, digit: true}),
		token("jfrog-token", "a JFrog access key", "in the JFrog platform",
			shape{prefixes: []string{"AKCp", "cmVmdGtu"}, body: isAlnum, min: 56, alone: true, digit: true}),
	}
}
