package report

// The members of SARIF 2.1.0 that reports use. There is no snippet: a snippet would hold the secret.

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	Automation  sarifAutomation   `json:"automationDetails"`
	ColumnKind  string            `json:"columnKind"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string            `json:"name"`
	Version        string            `json:"version"`
	InformationURI string            `json:"informationUri,omitempty"`
	Rules          []sarifRule       `json:"rules"`
	Properties     map[string]string `json:"properties"`
}

type sarifRule struct {
	ID            string              `json:"id"`
	Short         sarifMessage        `json:"shortDescription"`
	Full          sarifMessage        `json:"fullDescription"`
	Help          sarifMessage        `json:"help"`
	Configuration sarifConfiguration  `json:"defaultConfiguration"`
	Properties    sarifRuleProperties `json:"properties"`
}

type sarifConfiguration struct {
	Level string `json:"level"`
}

type sarifRuleProperties struct {
	Severity string   `json:"security-severity,omitempty"`
	Tags     []string `json:"tags"`
}

type sarifInvocation struct {
	Successful bool   `json:"executionSuccessful"`
	Start      string `json:"startTimeUtc"`
	End        string `json:"endTimeUtc"`
}

type sarifAutomation struct {
	ID string `json:"id"`
}

// A sarifResult always has its list of suppressions: an empty one says that the result counts.
type sarifResult struct {
	RuleID       string             `json:"ruleId"`
	RuleIndex    *int               `json:"ruleIndex,omitempty"`
	Level        string             `json:"level"`
	Message      sarifMessage       `json:"message"`
	Locations    []sarifLocation    `json:"locations"`
	Fingerprints map[string]string  `json:"partialFingerprints,omitempty"`
	Suppressions []sarifSuppression `json:"suppressions"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

type sarifLocation struct {
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Status        string `json:"status"`
	Justification string `json:"justification"`
}
