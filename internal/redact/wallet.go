package redact

const byMovingFunds = "by moving what it holds to a new key"

// walletTokens are keys of wallets and of services around block chains.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var walletTokens = [...]tokenRow{
	{"extended-private-key", "an extended private key of a wallet", byMovingFunds, shape{prefixes: []string{"xprv", "yprv", "zprv", "tprv", "uprv", "vprv"}, body: isBase58, min: 100, alone: true}},
	{"wallet-import-key", "a private key of a wallet", byMovingFunds, shape{prefixes: []string{"Kw", "Kx", "Ky", "Kz", "L1", "L2", "L3", "L4", "L5"}, body: isBase58, min: 50, exact: true, alone: true, mixed: true}},
	{"wallet-import-old-key", "a private key of a wallet", byMovingFunds, shape{prefixes: []string{"5H", "5J", "5K"}, body: isBase58, min: 49, exact: true, alone: true, mixed: true}},
	{"wallet-seed-key", "a private key of a wallet", byMovingFunds, shape{prefixes: []string{
		"nsec1", "suiprivkey1", "ed25519_sk1", "ed25519e_sk1", "addr_xsk1", "root_xsk1", "acct_xsk1", "stake_xsk1", "secret-extended-key-main1",
	}, body: isLowerNum, min: 58, digit: true}},
	{"tezos-key", "a secret key of a Tezos wallet", byMovingFunds, shape{prefixes: []string{"edsk", "spsk", "p2sk"}, body: isBase58, min: 50, alone: true, mixed: true}},
	{"eos-key", "a private key of an EOS wallet", byMovingFunds, shape{prefixes: []string{"PVT_K1_", "PVT_R1_"}, body: isBase58, min: 45}},
	{"aptos-key", "a private key of an Aptos wallet", byMovingFunds, shape{prefixes: []string{"ed25519-priv-0x", "secp256k1-priv-0x"}, body: isHex, min: 64}},
	{"near-key", "a private key of a NEAR wallet", byMovingFunds, shape{prefixes: []string{"ed25519:"}, body: isBase58, min: 80, alone: true, mixed: true}},
	{"lnd-macaroon", "a macaroon of a Lightning node", "with lncli deletemacaroonid", shape{prefixes: []string{"0201036c6e64"}, body: isHex, min: 80, alone: true}},
	{"alchemy-key", "an Alchemy key", "at dashboard.alchemy.com", shape{prefixes: []string{"alcht_"}, body: isAlnum, min: 30}},
	{"quicknode-key", "a QuickNode API key", "at dashboard.quicknode.com", shape{prefixes: []string{"QN_"}, body: isHex, min: 32, exact: true, alone: true}},
	{"blockfrost-key", "a Blockfrost project id", "at blockfrost.io", shape{prefixes: []string{"mainnet", "testnet", "preprod", "preview", "ipfs"}, body: isAlnum, min: 32, exact: true, alone: true, mixed: true}},
	{"tatum-key", "a Tatum API key", "at dashboard.tatum.io", shape{prefixes: []string{"t-"}, layout: "x24-a20+", alone: true}},
	{"coingecko-key", "a CoinGecko API key", "at coingecko.com/developers", shape{prefixes: []string{"CG-"}, body: isAlnum, min: 24, exact: true, alone: true, mixed: true}},
	{"covalent-key", "a Covalent API key", "at goldrush.dev", shape{prefixes: []string{"ckey_", "cqt_"}, body: isAlnum, min: 27, alone: true, digit: true}},
}

// isBase58 holds for letters and digits without those that look alike.
func isBase58(c byte) bool {
	return isAlnum(c) && c != '0' && c != 'O' && c != 'I' && c != 'l'
}
