package redact

const inAzurePortal = "in the Azure portal"

// azureTokens are the keys of Azure services that carry a mark of their
// service inside: the parts in front of the mark and behind it have a fixed
// length.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var azureTokens = [...]tokenRow{
	{"azure-annotated-key", "a key of an Azure service", inAzurePortal, shape{prefixes: []string{"JQQJ99"}, body: isAlnum, min: 26, exact: true, lead: 52}},
	{"azure-long-key", "an Azure key of 64 bytes", inAzurePortal, shape{prefixes: []string{"APIM", "ACDb", "+ABa", "+AMC", "+ASt"}, body: isSecretKey, layout: "s6==", lead: 76}},
	{"azure-short-key", "an Azure key of 32 bytes", inAzurePortal, shape{prefixes: []string{"AIoT", "+ASb", "+AEh", "+ARm"}, body: isSecretKey, layout: "s6=", lead: 33}},
	{"azure-redis-key", "a key of an Azure cache or event grid", inAzurePortal, shape{prefixes: []string{"AzCa", "AZEG"}, body: isSecretKey, layout: "s6=", lead: 33}},
	{"azure-search-key", "a key of Azure AI Search", inAzurePortal, shape{prefixes: []string{"AzSe"}, body: isAlnum, min: 6, exact: true, lead: 42}},
	{"azure-registry-key", "a password of an Azure container registry", inAzurePortal, shape{prefixes: []string{"+ACR"}, body: isSecretKey, min: 6, exact: true, lead: 42}},
	{"azure-function-key", "a key of Azure Functions", inAzurePortal, shape{prefixes: []string{"AzFu"}, body: isURLSafe, layout: "w6==", lead: 44}},
	{"azure-devops-token", "a token of Azure DevOps", "at dev.azure.com", shape{prefixes: []string{"AZDO"}, body: isAlnum, min: 4, exact: true, lead: 76}},
	{"entra-refresh-token", "a refresh token of Microsoft Entra", "in the Microsoft Entra admin center", shape{prefixes: []string{"0.A", "1.A"}, body: isDotted, min: 180, alone: true, mixed: true}},
}
