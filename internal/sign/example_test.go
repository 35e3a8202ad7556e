package sign_test

import (
	"crypto/ed25519"
	"fmt"

	"golang.org/x/crypto/ssh"

	"github.com/git-ltm/git-ltm/internal/sign"
)

// What is signed is a tag object that names the record, its blob, the digest of its bytes and the store.
func ExampleStatement_Payload() {
	fmt.Printf("%s", sign.Statement{
		Object: "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", Name: "01JDMB4W1YNJ0000000000ABCD",
		Tagger: "Alice <alice@example.com> 1700000000 +0000", Store: "shop",
	}.Payload())
	// Output:
	// object e69de29bb2d1d6434b8b29ae775ad8c2e48c5391
	// type blob
	// tag 01JDMB4W1YNJ0000000000ABCD
	// tagger Alice <alice@example.com> 1700000000 +0000
	//
	// ltm record 01JDMB4W1YNJ0000000000ABCD
	//
	// Ltm-Format: 1
	// Ltm-Digest: sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
	// Ltm-Store: shop
}

// A line that cannot be used is a problem, and the others count.
func ExampleParseAllowedSigners() {
	key, err := ssh.NewPublicKey(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)).Public())
	if err != nil {
		panic(err)
	}
	line := "alice@example.com namespaces=\"git\" " + string(ssh.MarshalAuthorizedKey(key))
	signers, problems := sign.ParseAllowedSigners([]byte(line + "mallory no-such-key\n"))
	for _, e := range signers.Entries() {
		fmt.Println(e.Principals, e.ForGit())
	}
	fmt.Println(problems[0].Line, problems[0].Text)
	// Output:
	// alice@example.com true
	// 2 no key of a known type stands behind principals and options
}
