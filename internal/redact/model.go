package redact

// modelRules are the keys of services that run language models.
func modelRules() []Rule {
	return tokens(modelTokens[:], agentTokens[:])
}

// modelTokens are the keys of services that run models.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var modelTokens = [...]tokenRow{
	{"anthropic-key", "an Anthropic API key", "at console.anthropic.com", shape{prefixes: []string{"sk-ant-"}, body: isURLSafe, min: 24, alone: true}},
	{"openrouter-key", "an OpenRouter API key", "at openrouter.ai", shape{prefixes: []string{"sk-or-"}, body: isURLSafe, min: 32, alone: true, digit: true}},
	{"langfuse-key", "a Langfuse secret key", "in the Langfuse project settings", shape{prefixes: []string{"sk-lf-"}, body: isURLSafe, min: 32, alone: true, digit: true}},
	{"openai-key", "an OpenAI API key", "at platform.openai.com/api-keys", shape{prefixes: []string{"sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"}, body: isURLSafe, min: 20, alone: true}},
	{"openai-session", "a session key of OpenAI", "by signing out of all devices", shape{prefixes: []string{"sess-"}, body: isAlnum, min: 40, alone: true, mixed: true}},
	{"secret-key", "an OpenAI key, or the key of a service with the same form", "where it was made", shape{prefixes: []string{"sk-"}, body: isAlnum, min: 32, alone: true, digit: true}},
	{"service-secret-key", "a secret key of a service that runs models", "where it was made", shape{prefixes: []string{"sk-"}, body: isURLSafe, min: 36, alone: true, mixed: true}},
	{"hugging-face-token", "a Hugging Face token", "at huggingface.co/settings/tokens", shape{prefixes: []string{"hf_", "api_org_"}, body: isAlnum, min: 30, alone: true}},
	{"groq-key", "a Groq API key", "at console.groq.com", shape{prefixes: []string{"gsk_"}, body: isAlnum, min: 40, alone: true}},
	{"xai-key", "an xAI API key", "at console.x.ai", shape{prefixes: []string{"xai-"}, body: isURLSafe, min: 60, alone: true, digit: true}},
	{"perplexity-key", "a Perplexity API key", "at perplexity.ai", shape{prefixes: []string{"pplx-"}, body: isAlnum, min: 40}},
	{"replicate-token", "a Replicate token", "at replicate.com", shape{prefixes: []string{"r8_"}, body: isAlnum, min: 36, alone: true}},
	{"nvidia-key", "an NVIDIA API key", "at build.nvidia.com", shape{prefixes: []string{"nvapi-"}, body: isURLSafe, min: 50}},
	{"together-key", "a Together AI key", "at api.together.ai", shape{prefixes: []string{"tgp_v1_"}, body: isURLSafe, min: 36}},
	{"cerebras-key", "a Cerebras API key", "at cloud.cerebras.ai", shape{prefixes: []string{"csk-"}, body: isAlnum, min: 40, alone: true, digit: true}},
	{"elevenlabs-key", "an ElevenLabs API key", "at elevenlabs.io", shape{prefixes: []string{"sk_"}, body: isHex, min: 48, alone: true, digit: true}},
	{"cartesia-key", "a Cartesia API key", "at play.cartesia.ai", shape{prefixes: []string{"sk_car_"}, body: isWord, min: 20, alone: true, digit: true}},
	{"heygen-key", "a HeyGen API key", "at app.heygen.com", shape{prefixes: []string{"sk_V2_"}, body: isURLSafe, min: 24, alone: true, digit: true}},
	{"fireworks-key", "a Fireworks API key", "at fireworks.ai", shape{prefixes: []string{"fw_"}, body: isAlnum, min: 22, alone: true, mixed: true}},
	{"anyscale-key", "an Anyscale API key", "at console.anyscale.com", shape{prefixes: []string{"esecret_"}, body: isAlnum, min: 20, alone: true, digit: true}},
	{"jina-key", "a Jina AI key", "at jina.ai", shape{prefixes: []string{"jina_"}, body: isURLSafe, min: 40, alone: true, digit: true}},
	{"voyage-key", "a Voyage AI key", "at dash.voyageai.com", shape{prefixes: []string{"pa-", "al-"}, body: isURLSafe, min: 43, exact: true, alone: true, mixed: true}},
	{"modal-token", "a Modal token", "at modal.com/settings/tokens", shape{prefixes: []string{"ak-", "as-", "wk-", "ws-"}, body: isAlnum, min: 22, exact: true, alone: true, mixed: true}},
	{"runpod-key", "a RunPod or redirect.pizza key", "where it was made", shape{prefixes: []string{"rpa_"}, body: isAlnum, min: 30, alone: true, digit: true}},
	{"featherless-key", "a Featherless API key", "at featherless.ai", shape{prefixes: []string{"rc_"}, body: isHex, min: 64, exact: true, alone: true}},
	{"nebius-key", "a Nebius key", "at studio.nebius.com", shape{prefixes: []string{"v1.Cm"}, body: isDotted, min: 60, alone: true, mixed: true}},
	{"meshy-key", "a Meshy or Tripo API key", "where it was made", shape{prefixes: []string{"msy_", "tsk_"}, body: isURLSafe, min: 32, alone: true, mixed: true}},
	{"luma-key", "a Luma, ModelScope or ScrapeGraph key", "where it was made", shape{prefixes: []string{"luma-", "ms-", "sgai-"}, layout: "U", alone: true}},
	{"baidu-model-key", "a Baidu Qianfan API key", "in the Baidu Cloud console", shape{prefixes: []string{"bce-v3/ALTAK-"}, layout: "a16,24/x32+"}},
	{"digitalocean-model-key", "a DigitalOcean model key", "in the DigitalOcean control panel", shape{prefixes: []string{"sk-do-"}, body: isURLSafe, min: 30, alone: true, mixed: true}},
	{"friendli-token", "a Friendli token", "at friendli.ai", shape{prefixes: []string{"flp_"}, body: isAlnum, min: 40, alone: true, digit: true}},
	{"llama-key", "a key of the Llama API", "at llama.developer.meta.com", shape{prefixes: []string{"LLM|"}, layout: "d10+|w20+", alone: true}},
}

// agentTokens are the keys of tools around models: traces, search, browsers,
// sandboxes and memories.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var agentTokens = [...]tokenRow{
	{"langsmith-key", "a LangSmith API key", "at smith.langchain.com", shape{prefixes: []string{"lsv2_pt_", "lsv2_sk_"}, body: isWord, min: 36}},
	{"langsmith-old-key", "a LangSmith API key", "at smith.langchain.com", shape{prefixes: []string{"ls__"}, body: isHex, min: 32, alone: true}},
	{"tavily-key", "a Tavily API key", "at app.tavily.com", shape{prefixes: []string{"tvly-"}, body: isURLSafe, min: 28, digit: true}},
	{"firecrawl-key", "a Firecrawl API key", "at firecrawl.dev", shape{prefixes: []string{"fc-"}, body: isHex, min: 32, exact: true, alone: true, digit: true}},
	{"e2b-key", "an E2B API key", "at e2b.dev", shape{prefixes: []string{"e2b_"}, body: isHex, min: 40, alone: true}},
	{"apify-token", "an Apify API token", "at console.apify.com", shape{prefixes: []string{"apify_api_", "apify_ui_", "apify_run_", "apify_proxy_", "apify_integration_api_", "apify_webhook_"}, body: isAlnum, min: 30}},
	{"brave-search-key", "a Brave Search API key", "at api-dashboard.search.brave.com", shape{prefixes: []string{"BSA"}, body: isURLSafe, min: 24, alone: true, mixed: true}},
	{"you-key", "a You.com API key", "at you.com/platform", shape{prefixes: []string{"ydc-sk-"}, body: isURLSafe, min: 20, digit: true}},
	{"browserbase-key", "a Browserbase API key", "at browserbase.com", shape{prefixes: []string{"bb_live_", "bb_test_"}, body: isURLSafe, min: 20, digit: true}},
	{"hyperbrowser-key", "a Hyperbrowser API key", "at app.hyperbrowser.ai", shape{prefixes: []string{"hb_"}, body: isHex, min: 24, alone: true, digit: true}},
	{"llamacloud-key", "a LlamaCloud API key", "at cloud.llamaindex.ai", shape{prefixes: []string{"llx-"}, body: isAlnum, min: 40, alone: true}},
	{"mem0-key", "a Mem0 API key", "at app.mem0.ai", shape{prefixes: []string{"m0-"}, body: isAlnum, min: 24, alone: true, mixed: true}},
	{"composio-key", "a Composio key", "at app.composio.dev", shape{prefixes: []string{"ak_", "ck_", "uak_"}, body: isURLSafe, min: 20, exact: true, alone: true, digit: true}},
	{"imgix-key", "an imgix API key", "at dashboard.imgix.com", shape{prefixes: []string{"ak_"}, body: isHex, min: 64, exact: true, alone: true}},
	{"arcade-key", "an Arcade API key", "at api.arcade.dev", shape{prefixes: []string{"arc_"}, body: isURLSafe, min: 36, alone: true, mixed: true}},
	{"openpipe-key", "an OpenPipe API key", "at app.openpipe.ai", shape{prefixes: []string{"opk_", "opk-"}, body: isHex, min: 32, alone: true}},
	{"humanloop-key", "a Humanloop API key", "at app.humanloop.com", shape{prefixes: []string{"hl_sk_"}, body: isAlnum, min: 32}},
	{"promptlayer-key", "a PromptLayer API key", "at promptlayer.com", shape{prefixes: []string{"pl_"}, body: isHex, min: 32, exact: true, alone: true, digit: true}},
	{"wandb-key", "a Weights & Biases API key", "at wandb.ai/settings", shape{prefixes: []string{"wandb_v1_"}, body: isWord, min: 60}},
	{"sindri-key", "a Sindri API key", "at sindri.app", shape{prefixes: []string{"sindri_"}, body: isURLSafe, min: 32, mixed: true}},
	{"cursor-key", "a Cursor, Retell or Runway key", "where it was made", shape{prefixes: []string{"key_", "crsr_"}, body: isHex, min: 28, alone: true, digit: true}},
	{"devin-key", "a Devin API key", "at app.devin.ai", shape{prefixes: []string{"apk_", "apk_user_", "cog_"}, body: isPlainBase64, min: 48, alone: true, digit: true}},
	{"warp-key", "a Warp API key", "at app.warp.dev", shape{prefixes: []string{"wk-1."}, body: isAlnum, min: 32, alone: true}},
	{"model-gateway-key", "a key of a gateway to models", "where it was made", shape{prefixes: []string{
		"sk-helicone-", "sk-litellm-", "sk-kimi-", "sk-api-", "sk-cp-", "sk-ws-", "sk-sp-", "sk-ss-", "sk-bf-", "sk-ak-",
	}, body: isURLSafe, min: 20, alone: true, digit: true}},
	{"model-uuid-key", "a secret key of a service that runs models", "where it was made", shape{prefixes: []string{"sk-", "ctx7sk-"}, layout: "U", alone: true}},
	{"coze-token", "a Coze token", "at coze.com", shape{prefixes: []string{"pat_"}, body: isAlnum, min: 40, alone: true, mixed: true}},
	{"vectara-key", "a Vectara API key", "at console.vectara.com", shape{prefixes: []string{"zut_", "zqt_", "zwt_"}, body: isBase64, min: 28, alone: true, mixed: true}},
	{"botpress-token", "a Botpress token", "at app.botpress.cloud", shape{prefixes: []string{"bp_pat_", "bp_bak_", "bp_iak_"}, body: isURLSafe, min: 24, digit: true}},
}
