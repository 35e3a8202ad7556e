package redact_test

import (
	"fmt"
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// A finding says which rule met what place. It holds no part of the secret.
func ExampleScan() {
	token := "ghp_" + strings.Repeat("a1B2c3", 6)
	found, err := redact.BuiltIn().Scan([]byte(`{"next_step": "push with ` + token + `"}`))
	for _, f := range redact.Blocking(found) {
		fmt.Println(f.Rule, f.Path, strings.Contains(f.String(), token))
	}
	fmt.Println(err)
	// Output:
	// github-token /next_step false
	// <nil>
}
