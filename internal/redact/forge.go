package redact

// forgeRules are the tokens of code hosts and registries.
func forgeRules() []Rule { return tokens(forgeTokens[:]) }

// forgeTokens are the tokens of code hosts and of registries of packages.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var forgeTokens = [...]tokenRow{
	{"github-fine-grained-token", "a fine-grained GitHub token", "at github.com/settings/tokens", shape{prefixes: []string{"github_pat_"}, body: isWord, min: 36}},
	{"github-token", "a GitHub token", "at github.com/settings/tokens", shape{prefixes: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, body: isAlnum, min: 36}},
	{"gitlab-token", "a GitLab token", "in the GitLab access token settings", shape{prefixes: []string{
		"glpat-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "glwt-", "glsoat-", "gloas-", "glffct-", "GR1348941",
	}, body: isDotted, min: 20}},
	{"gitlab-session", "the cookie of a GitLab session", "by signing out of GitLab", shape{prefixes: []string{"_gitlab_session="}, body: isAlnum, min: 32}},
	{"bitbucket-token", "a Bitbucket password or token", "in the Bitbucket settings", shape{prefixes: []string{"ATBB", "ATCTT3"}, body: isBase64, min: 32, digit: true, alone: true}},
	{"bitbucket-server-token", "a token of a Bitbucket server", "in the account settings of that server", shape{prefixes: []string{"BBDC-"}, body: isBase64, min: 32, digit: true, alone: true}},
	{"atlassian-token", "an Atlassian API token", "at id.atlassian.com", shape{prefixes: []string{"ATATT3", "ATSTT3", "ATOAT"}, body: isBase64, min: 60, digit: true, alone: true}},
	{"trello-token", "a Trello token", "at trello.com/my/account", shape{prefixes: []string{"ATTA"}, body: isAlnum, min: 60, digit: true, alone: true}},
	{"npm-token", "an npm access token", "at npmjs.com", shape{prefixes: []string{"npm_"}, body: isAlnum, min: 36, alone: true}},
	{"pypi-token", "a PyPI upload token", "at pypi.org/manage/account", shape{prefixes: []string{"pypi-AgE"}, body: isURLSafe, min: 40}},
	{"rubygems-token", "a RubyGems API key", "at rubygems.org", shape{prefixes: []string{"rubygems_"}, body: isHex, min: 48}},
	{"crates-token", "a crates.io token", "at crates.io/settings/tokens", shape{prefixes: []string{"cio"}, body: isAlnum, min: 32, exact: true, alone: true, mixed: true}},
	{"packagist-token", "a Packagist token", "at packagist.com", shape{prefixes: []string{
		"packagist_ort_", "packagist_out_", "packagist_uut_", "packagist_ack_", "packagist_acs_", "packagist_urt_",
	}, body: isAlnum, min: 40, digit: true}},
	{"docker-token", "a Docker Hub token", "at hub.docker.com", shape{prefixes: []string{"dckr_pat_", "dckr_oat_"}, body: isURLSafe, min: 24}},
	{"docker-swarm-token", "a token or key of a Docker swarm", "with docker swarm join-token --rotate", shape{prefixes: []string{"SWMTKN-1-", "SWMKEY-1-"}, body: isBase64, min: 40, digit: true}},
	{"sourcegraph-token", "a Sourcegraph or Segment token", "where it was made", shape{prefixes: []string{"sgp_"}, body: isWord, min: 40, digit: true}},
	{"sourcegraph-key", "a Sourcegraph licence or service key", "in the Sourcegraph settings", shape{prefixes: []string{"slk_", "sgd_", "sgs_", "sgamp_"}, body: isWord, min: 30, digit: true, alone: true}},
	{"clojars-token", "a Clojars deploy token", "at clojars.org", shape{prefixes: []string{"CLOJARS_"}, body: isAlnum, min: 60}},
	{"nuget-key", "a NuGet API key", "at nuget.org", shape{prefixes: []string{"oy2"}, body: isAlnum, min: 43, exact: true, alone: true, digit: true}},
	{"jfrog-token", "a JFrog access key", "in the JFrog platform", shape{prefixes: []string{"AKCp", "cmVmdGtu"}, body: isAlnum, min: 56, alone: true, digit: true}},
	{"cloudsmith-key", "a Cloudsmith API key", "at cloudsmith.com", shape{prefixes: []string{"csa_"}, body: isAlnum, min: 36, exact: true, alone: true, digit: true}},
	{"jetbrains-token", "a permanent token of a JetBrains service", "in the profile of that service", shape{prefixes: []string{"perm:", "perm-"}, layout: "b4+.b4+.b20+"}},
	{"snyk-token", "a Snyk token", "at app.snyk.io", shape{prefixes: []string{"snyk_uat.", "snyk_sat.", "snyk_oat."}, body: isDotted, min: 24, digit: true}},
	{"socket-token", "a Socket API token", "at socket.dev", shape{prefixes: []string{"sktsec_"}, body: isURLSafe, min: 30, digit: true}},
	{"sonar-token", "a SonarQube or SonarCloud token", "in the security settings of the account", shape{prefixes: []string{"sqp_", "squ_", "sqa_", "sqb_"}, body: isAlnum, min: 40, digit: true, alone: true}},
	{"endor-key", "an Endor Labs API key", "at app.endorlabs.com", shape{prefixes: []string{"endr+"}, body: isURLSafe, min: 16}},
	{"aikido-token", "an Aikido token", "at app.aikido.dev", shape{prefixes: []string{"AIK_CI_", "AIK_SECRET_", "AIK_RUNTIME_"}, body: isWord, min: 20, digit: true}},
	{"stackhawk-key", "a StackHawk API key", "at app.stackhawk.com", shape{prefixes: []string{"hawk."}, layout: "w20.w20", alone: true}},
	{"nightfall-key", "a Nightfall API key", "at app.nightfall.ai", shape{prefixes: []string{"NF-"}, body: isAlnum, min: 32, exact: true, alone: true, mixed: true}},
	{"dvc-studio-token", "a DVC Studio token", "at studio.iterative.ai", shape{prefixes: []string{"isat_"}, body: isAlnum, min: 40, digit: true, alone: true}},
	{"chief-tools-token", "a Chief Tools token", "at account.chief.app", shape{prefixes: []string{"ctp_"}, body: isAlnum, min: 36, digit: true, alone: true}},
	{"github-old-app-token", "a token of a GitHub app", "in the settings of the GitHub app", shape{prefixes: []string{"v1."}, layout: "x40", alone: true, digit: true}},
	{"coderabbit-key", "a CodeRabbit API key", "at app.coderabbit.ai", shape{prefixes: []string{"cr-"}, body: isHex, min: 58, exact: true, alone: true}},
	{"dependency-track-key", "a Dependency-Track API key", "in the Dependency-Track administration", shape{prefixes: []string{"odt_"}, body: isWord, min: 32, alone: true, mixed: true}},
	{"pyx-token", "a pyx token", "at pyx.dev", shape{prefixes: []string{"pyx_"}, body: isAlnum, min: 30, alone: true, digit: true}},
	{"openvsx-token", "an Open VSX token", "at open-vsx.org", shape{prefixes: []string{"ovsxp_", "ovsxat_"}, layout: "U"}},
}
