package redact

// paymentTokens are the keys of services that move money or goods.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var paymentTokens = [...]tokenRow{
	{"workos-key", "a WorkOS or Highnote secret key", "in the dashboard of that service", shape{prefixes: []string{"sk_a2V5", "sk_live_a2V5", "sk_test_a2V5"}, body: isPlainBase64, min: 24, alone: true}},
	{"stripe-key", "a Stripe secret key", "at dashboard.stripe.com/apikeys", shape{prefixes: []string{
		"sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_org_live_", "sk_org_test_", "ek_live_", "ek_test_",
	}, body: isAlnum, min: 20}},
	{"stripe-webhook-secret", "a signing secret of a Stripe webhook", "at dashboard.stripe.com/webhooks", shape{prefixes: []string{"whsec_"}, body: isBase64, min: 32}},
	{"square-token", "a Square credential", "at developer.squareup.com", shape{prefixes: []string{"sq0atp-", "sq0csp-", "sq0csb-"}, body: isURLSafe, min: 22}},
	{"square-oauth-token", "a Square access token", "at developer.squareup.com", shape{prefixes: []string{"EAAA"}, body: isURLSafe, min: 60, exact: true, alone: true, mixed: true}},
	{"braintree-token", "a Braintree access token", "in the Braintree control panel", shape{prefixes: []string{"access_token$production$", "access_token$sandbox$"}, body: isDollar, min: 40}},
	{"razorpay-key", "a Razorpay key", "in the Razorpay dashboard", shape{prefixes: []string{"rzp_live_", "rzp_test_"}, body: isAlnum, min: 14}},
	{"flutterwave-key", "a Flutterwave secret key", "in the Flutterwave dashboard", shape{prefixes: []string{"FLWSECK-", "FLWSECK_TEST-"}, body: isURLSafe, min: 12, digit: true}},
	{"payment-live-key", "a live key of a payment service", "in the dashboard of that service", shape{prefixes: []string{"live_"}, body: isPadded, min: 25, alone: true, digit: true}},
	{"payment-test-key", "a test key of a payment service", "in the dashboard of that service", shape{prefixes: []string{"test_", "access_"}, body: isAlnum, min: 30, exact: true, alone: true, mixed: true}},
	{"lob-key", "a Lob API key", "at dashboard.lob.com", shape{prefixes: []string{"test_"}, body: isHex, min: 35, exact: true, alone: true, digit: true}},
	{"gocardless-token", "a GoCardless sandbox token", "in the GoCardless dashboard", shape{prefixes: []string{"sandbox_"}, body: isURLSafe, min: 40, exact: true, alone: true, mixed: true}},
	{"adyen-key", "an Adyen API key", "in the Adyen customer area", shape{prefixes: []string{"AQE"}, body: isBase64, min: 80, alone: true, part: '-', digit: true}},
	{"paddle-key", "a Paddle key", "in the Paddle dashboard", shape{prefixes: []string{"pdl_live_", "pdl_sdbx_", "pdl_ntfset_"}, body: isBase64, min: 30, digit: true}},
	{"polar-token", "a Polar token", "at polar.sh", shape{prefixes: []string{"polar_oat_", "polar_at_", "polar_pat_", "polar_rt_", "polar_cs_", "polar_whs_"}, body: isURLSafe, min: 20, digit: true}},
	{"plaid-token", "a Plaid access token", "at dashboard.plaid.com", shape{prefixes: []string{"access-production-", "access-sandbox-", "access-development-"}, layout: "U"}},
	{"revolut-token", "a Revolut token", "in the Revolut Business settings", shape{prefixes: []string{"oa_prod_", "oa_sand_"}, body: isURLSafe, min: 30}},
	{"ramp-secret", "a Ramp secret or token", "at app.ramp.com", shape{prefixes: []string{"ramp_sec_", "ramp_business_tok_", "ramp_tok_"}, body: isAlnum, min: 30}},
	{"mercury-token", "a Mercury API token", "at app.mercury.com", shape{prefixes: []string{"mercury_production_", "mercury_sandbox_"}, body: isWord, min: 30, digit: true}},
	{"brex-token", "a Brex token", "at dashboard.brex.com", shape{prefixes: []string{"bxt_"}, body: isAlnum, min: 30, alone: true, mixed: true}},
	{"xendit-key", "a Xendit secret key", "at dashboard.xendit.co", shape{prefixes: []string{"xnd_production_", "xnd_development_"}, body: isAlnum, min: 40}},
	{"midtrans-key", "a Midtrans key", "at dashboard.midtrans.com", shape{prefixes: []string{"Mid-server-", "Mid-client-", "SB-Mid-server-", "SB-Mid-client-"}, body: isURLSafe, min: 10, digit: true}},
	{"mercadopago-token", "a Mercado Pago token", "in the Mercado Pago developer panel", shape{prefixes: []string{"APP_USR-", "TEST-"}, layout: "d8+-d4,8-x32-d4+", alone: true}},
	{"mercadopago-key", "a Mercado Pago key", "in the Mercado Pago developer panel", shape{prefixes: []string{"APP_USR-"}, layout: "U", alone: true}},
	{"cashfree-key", "a Cashfree secret key", "in the Cashfree dashboard", shape{prefixes: []string{"cfsk_ma_prod_", "cfsk_ma_test_"}, body: isWord, min: 30}},
	{"omise-key", "an Omise secret key", "in the Omise dashboard", shape{prefixes: []string{"skey_", "skey_test_", "skey_live_"}, body: isLowerNum, min: 19, alone: true, digit: true}},
	{"asaas-key", "an Asaas API key", "in the Asaas settings", shape{prefixes: []string{"$aact_"}, body: isDollarBase64, min: 24, digit: true}},
	{"circle-key", "a Circle API key", "at console.circle.com", shape{prefixes: []string{"LIVE_API_KEY:", "TEST_API_KEY:", "SAND_API_KEY:"}, layout: "x32:x32"}},
	{"checkout-key", "a Checkout.com secret key", "at dashboard.checkout.com", shape{prefixes: []string{"sk_", "sk_test_"}, layout: "U", alone: true}},
	{"checkout-sandbox-key", "a Checkout.com secret key", "at dashboard.sandbox.checkout.com", shape{prefixes: []string{"sk_sbox_"}, body: isAlnum, min: 20, alone: true, digit: true}},
	{"klarna-key", "a Klarna API key", "in the Klarna merchant portal", shape{prefixes: []string{"klarna_live_api_", "klarna_test_api_"}, body: isBase64, min: 40}},
	{"crossmint-key", "a Crossmint server key", "at crossmint.com/console", shape{prefixes: []string{"sk_production_", "sk_staging_"}, body: isAlnum, min: 40}},
	{"rainforest-key", "a Rainforest API key", "in the Rainforest platform portal", shape{prefixes: []string{"apikey_"}, body: isHex, min: 64, exact: true, alone: true}},
	{"named-secret-key", "a secret key of a service", "where it was made", shape{prefixes: []string{"secret_live_", "secret_test_", "live_sk_", "test_sk_"}, body: isAlnum, min: 16, alone: true, mixed: true}},
	{"underscored-secret-key", "a secret key of a service", "where it was made", shape{prefixes: []string{"sk_", "secret_"}, body: isAlnum, min: 28, alone: true, mixed: true}},
	{"shopify-token", "a Shopify token", "in the Shopify admin", shape{prefixes: []string{"shpat_", "shpca_", "shppa_", "shpss_", "shpua_", "shptka_", "prtapi_", "atkn_"}, body: isHex, min: 32}},
	{"woocommerce-key", "a WooCommerce key", "in the WooCommerce settings", shape{prefixes: []string{"ck_", "cs_"}, body: isHex, min: 40, exact: true, alone: true, digit: true}},
	{"ebay-secret", "an eBay client secret", "at developer.ebay.com", shape{prefixes: []string{"PRD-", "SBX-"}, layout: "x8,12-x4-x4-x4-x4,12", alone: true}},
	{"ebay-token", "an eBay token", "at developer.ebay.com", shape{prefixes: []string{"v^1.1#"}, body: isEbay, min: 60}},
	{"easypost-key", "an EasyPost API key", "in the EasyPost dashboard", shape{prefixes: []string{"EZAK", "EZTK"}, body: isAlnum, min: 54, alone: true}},
	{"shippo-token", "a Shippo token", "in the Shippo dashboard", shape{prefixes: []string{"shippo_live_", "shippo_test_"}, body: isHex, min: 40}},
	{"duffel-token", "a Duffel token", "at app.duffel.com", shape{prefixes: []string{"duffel_live_", "duffel_test_"}, body: isBase64, min: 40}},
	{"proof-key", "a Proof API key", "at app.proof.com", shape{prefixes: []string{"prf_"}, body: isURLSafe, min: 20, alone: true, mixed: true}},
}

func isPadded(c byte) bool       { return isURLSafe(c) || c == '=' }
func isDollar(c byte) bool       { return isAlnum(c) || c == '$' }
func isDollarBase64(c byte) bool { return isBase64(c) || c == '$' || c == ':' }
func isEbay(c byte) bool         { return isBase64(c) || c == '#' || c == '^' || c == '.' }
