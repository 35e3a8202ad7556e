package redact

// azureTokens are the keys of Azure services that carry a mark of their
// service inside: the parts in front of the mark and behind it have a fixed
// length.
func azureTokens() []tokenRow {
	const where = "in the Azure portal"
	return []tokenRow{
		{"azure-annotated-key", "a key of an Azure service", where, shape{prefixes: []string{"JQQJ99"}, body: isAlnum, min: 26, exact: true, lead: 52}},
		{"azure-long-key", "an Azure key of 64 bytes", where, shape{prefixes: []string{"APIM", "ACDb", "+ABa", "+AMC", "+ASt"}, body: isSecretKey, layout: "s6==", lead: 76}},
		{"azure-short-key", "an Azure key of 32 bytes", where, shape{prefixes: []string{"AIoT", "+ASb", "+AEh", "+ARm"}, body: isSecretKey, layout: "s6=", lead: 33}},
		{"azure-redis-key", "a key of an Azure cache or event grid", where, shape{prefixes: []string{"AzCa", "AZEG"}, body: isSecretKey, layout: "s6=", lead: 33}},
		{"azure-search-key", "a key of Azure AI Search", where, shape{prefixes: []string{"AzSe"}, body: isAlnum, min: 6, exact: true, lead: 42}},
		{"azure-registry-key", "a password of an Azure container registry", where, shape{prefixes: []string{"+ACR"}, body: isSecretKey, min: 6, exact: true, lead: 42}},
		{"azure-function-key", "a key of Azure Functions", where, shape{prefixes: []string{"AzFu"}, body: isURLSafe, layout: "w6==", lead: 44}},
		{"azure-devops-token", "a token of Azure DevOps", "at dev.azure.com", shape{prefixes: []string{"AZDO"}, body: isAlnum, min: 4, exact: true, lead: 76}},
		{"entra-refresh-token", "a refresh token of Microsoft Entra", "in the Microsoft Entra admin center", shape{prefixes: []string{"0.A", "1.A"}, body: isDotted, min: 300, alone: true, mixed: true}},
	}
}
