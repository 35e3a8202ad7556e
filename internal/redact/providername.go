package redact

// providers are names of services whose keys are plain digits and letters.
// None is a word that prose and code use for anything else, and none is part
// of such a word.
//
//nolint:misspell // Names of services.
const providers = `
100ms_ 15five 17track 1password 2captcha 2checkout 2factor 46elks abstractapi abuse_ch abusech abuseipdb abyssale accuweather acrcloud active_campaign
activecampaign acuity adafruit adobe adsbexchange adyen adzuna aerisweather aeroworkflow affirm afterpay aftership agilitycms agora ahrefs aimlapi airbrake
airlabs airship_ airtable airvisual airwallex aiven akamai akaunting alchemy alconost alegra aleph_alpha alephalpha alertops aletheia algolia alibaba
alienvault aliexpress aliyun allsports alpaca_ alpha_vantage alphavantage amadeus amazonaws ambee amberdata ambient_weather ambientweather amplitude ankr_
anomali_ ansible_tower anthropic anti-captcha anti_captcha anticaptcha any.run anypoint anyscale apacta apca_ api-ninjas api.video api2cart api2convert
api_football api_ninjas apideck apiflash apifonica apifootball apify apigee apilayer apimatic apininjas apiscience apitemplate apivideo apollo.io appcenter
appcircle appcues appdynamics appfollow applitools appointedd appsflyer appsignal appsmith appsynergy apptivo appveyor appwrite aqicn aquasec arangodb
arbiscan argocd arliai artifactory artsy_ aruba_cloud arubacloud asana assemblyai astronomer_ athenahealth atlassian attio audd.io audd_ auth0 authelia
authentik authorize.net authorize_net authorizenet authy autodesk autodns autoklose autopilothq avalara avaza aviationstack avoma aweber_ awx_ axiom axonaut
aylien ayrshare azure baichuan baidu balldontlie bamboohr banana_dev bannerbear baremetrics basecamp baserow basescan baseten basis_theory basistheory
battle_net battlenet bazarr beamer beebole besnappy betfair better_uptime betterstack betteruptime bigbluebutton bigcartel bigcommerce bigdatacloud bigpanda
billomat billplz binance binaryedge bing_ bingx bintray bitbar bitbucket bitcoinaverage bitdefender bitfinex bitflyer bitget bitgo_ bithumb bitly bitmex
bitpay bitrise bitso_ bitstamp bittrex bitvavo bitwarden blablabus blablacar black_duck blackduck blastapi blazemeter blitapp blizzard blockcypher blockfrost
blocknative blockonomics blockscout bloomreach bloxroute bls_api bluehost bluejeans bluesnap bombbomb bookstack boostnote borgbase box_ braintree braintrust
branch.io branch_io brandfetch brave_api brave_search braze breezometer breezyhr brevo brex_ bridgecrew bright_data brightbox brightcove brightdata
brightlocal browserless browserstack browshot bscscan btcpay buddyns buddyworks budibase bugcrowd bugherd bugsnag builderio buildkite bulbul bulksms bunnycdn
burstsms buttercms bybit caflou calendarific calendly calorieninja campaignmonitor campayn canada_post canadapost canny.io cannyio canva capmonster caprover
capsolver capsule_crm capsulecrm captaindata carbon_black carbon_interface carbonblack carboninterface casdoor cashboard cashfree caspio cc_test_ ccavenue
cdiscount cdn77 cdnjs celoscan census_api censys centralstationcrm cerebras cerebrium cex.io cexio chainstack challonge chargebee chargify charliehr chartbeat
chartmogul chatbot chatfuel chatwoot checio checkly checkmarket checkmarx checkout.com checkoutcom checkvist cherryservers chromadb chronosphere chutes_
circleci cirrus_ci cirrusci citymapper cjdropshipping clarifai classlink clearbit clearml clerk_ cleura clever_cloud clevercloud clevertap clickatell
clicksend clickup cliengo climacell clinchpad clipdrop clockify clockworksms close.com close_api closecrm cloud_elements cloudamqp cloudant cloudconvert
cloudelements cloudflare cloudimage cloudinary cloudkarafka cloudmersive cloudmqtt cloudns cloudpayments cloudplan cloudscale cloudsight cloudsigma cloudsmith
cloudways cloverly clustdoc cockroach coda_ codacy code_climate codebeat codeberg codeclimate codecov codefresh codemagic codequiry codescene codeship cohere
coin_metrics coinapi coinbase coincap coincheck coindesk coingate coingecko coinlayer coinlib coinmarketcap coinmetrics coinpayments comet_api comet_ml
cometchat cometml commercejs commercetools commodities-api commodities_api commoditiesapi companies_house companieshouse companyhub conda_token conekta
configcat confluence confluent congress.gov conoha constant_contact constantcontact constellix constructorio contabo contentful contentstack conversiontools
convertapi convertkit convier coolify copper_ copyscape coralogix cosmicjs cosmos_db cosmosdb couchbase countly countrylayer coursera covalent_ covalenthq
coveo_ coveralls craftmypdf crawlbase crawlera crazyegg createsend criminal_ip criminalip crisp_ cronitor crossbrowsertesting crowdin crowdstrike crunchbase
crypto.com cryptocom cryptomus cryptopanic cryptoquant cryptpad ctyun culqi cultureamp currencybeacon currencycloud currencyfreaks currencylayer currencyscoop
currentsapi customer.guru customer.io customer_io customerguru customerio cvedetails cybereason cybersource cypress d7network dacast dagshub dagster_ daily.co
dailyco dailymotion dareboost dark_sky darksky dashlane dashscope data.gov databox databricks datadog datafire dataforseo datagov datastax datocms dbt_cloud
dbtcloud dd_api dead_mans_snitch deadmanssnitch deathbycaptcha debank debounce.io debounceio deel_ deepai deepbrain deepgram deepinfra deepl deepseek
deepsource deezer dehashed delighted deno_deploy depositphotos deribit detectify detectlanguage devcycle deviantart dfuse dhl_ diffbot diggernaut digicert
digitalocean digitransit dingtalk discogs discord discourse_ disqus distribusion dixa_ dnsdb dnshome dnsimple dnsmadeeasy dnspod docebo docker_hub dockerhub
docmost docparser docspell documo docusign dokku dokploy dolibarr domaintools domoticz doofinder doordash doppler dotdigital dotmailer doubao dovico dragonpay
drchrono dreamhost dreamstudio dribbble drift_ dronahq droneci dropbox dropcontact duckdns duda_ duffel dune_ duo_ dwolla dydx_ dynadot dynalist dynatrace
dynu dynv6 dyspatch eagle_eye eagleeyenetworks easydns easyinsight easypost ebay ecostruxure ecwid edamam eden_ai edenai edgecast edgedb edusign eia_api
eightxeight elasticemail elasticpath elephantsql elevenlabs eloqua emailjs emaillabs emailoctopus emailrep emarsys emqx_ enablex endor_labs endorlabs env0_
eodhd eodhistorical epayco epsagon equinix erpnext esendex esphome espocrm etherpad etherscan ethplorer etsy eventbrite everhour eversign exa_api exacttarget
exchangerate exoscale exotel expensify exportsdk extractorapi facebook faceit_ faceplusplus factset fakejson fakturoid fal_ai fal_key fantasydata fast2sms
fastforex fastly fastspring fatsecret faunadb fawry featherless fec_api fedex_ feedier feedly feishu fetchrss fibery figma filestack fillout finage_
financialmodelingprep findymail finicity finnhub firebase fireblocks firecrawl firefly_iii fireflyiii firehydrant fireworks.ai fireworks_ai fireworksai fitbit
fivetran fixer flagsmith flarum flashbots flat.io flat_io flaticon fleetbase fleetdm flickr flightapi flightaware flightlabs flightradar flightstats floatapp
flowdash flowdock flowflu flutterwave fluxguard fly_api fly_io flyio fmfw focalboard fondy_ font_awesome fontawesome football-data football_data footballdata
forgejo formbucket formcraft formio formsite formstack fossa_ foursquare frame.io frameio fred_api freepik freescout freshbooks freshdesk freshping freshrss
freshservice freshteam freshworks friendliai frontapp ftmscan fulcrumapp fullcontact fullhunt fullstory funkwhale fusebill fusionauth fxmarket garmin_ gate.io
gateio gcore_ geckoboard gemfury gemini gengo_ geocode.xyz geocodify geocodio getemail getgeoapi getgist getimg getresponse getsandbox gettyimages ghost_
ghostinspector giphy gitalk gitea gitguardian github gitlab gitter glassnode glesys glitterly goatcounter gocardless gocd_ godaddy gogs_ goodday_ goodreads
google gooseai gooten gopuff gorgias gosquared gotify gotomeeting grafana gramps_web graphcms graphhopper graylog greenhouse greynoise gridscale grocy_
groovehq groq growthbook gtmetrix guardianapi gumroad gupshup gusto_ gyazo hackerone happyscribe harvest hashicorp hass_token hasura haveibeenpwned hcaptcha
hcloud headscale headspin healthchecks heatmapapi hedgedoc helicone helius hellomoon hellosign helpcrunch helpscout hepsiburada here_api heroku hetrixtools
hetzner heygen hibob hightouch hipchat hiveage hivemq holidayapi home_assistant homeassistant honeybadger honeycomb hootsuite hostgator hostinger hosttech
hotjar html2pdf huawei_cloud huaweicloud hubspot huggingface huginn humaans humanitec humanloop humio hunter.how hunter.io hunter_ hunterhow hunterio hunyuan
huobi hybiscus hybrid_analysis hybridanalysis hygraph hypeauditor hyperliquid hyperpay hyperping hypertrack ibkr_ ibm_cloud ibmcloud icims_ icinga iconfinder
ideal_postcodes idealpostcodes iex_cloud iexapis iexcloud ifttt igdb_ ilert_ imagekit imagga imgbb imgix imgur immich imperva incapsula incident.io incidentio
infermatic infobip infomaniak infracost infura infusionsoft insightly instabot instaclustr instagram instamojo instana integromat intelx intercom interseller
interswitch intezer intigriti intrinio invoice_ninja invoiced invoiceninja invoiceocean inwx_ ip2location ip2proxy ipapi ipay88 ipbase_ ipdata ipgeolocation
ipify ipinfo ipquality ipregistry iproyal ipstack iqair iterable iyzico iyzipay jackett jawg_ jazzhr jdbank jdcloud jellyfin jellyseerr jenkins jfrog jina_
jinaai jira jitpack jobvite joe_sandbox joesandbox joplin jotform jsonbin jumpcloud jumpseller jw_player jwplayer kaggle kaiko_ kajabi kakao kaleyra kaltura
kamatera kanbanize kanbantool kanboard karakeep karix_ karmacrm kaspersky kayako keap_ keboola keen_ keenio keycdn keycloak keygen.sh keygen_ kickbox kimai_
kissmetrics kite_connect kiteconnect kiuwan klarna klaviyo klevu klipfolio knapsack_pro knapsackpro knock_ knowlarity kobiton kolide_ kontent koyeb kraken
ksyun kubesphere kucoin kushki kustomer kylas lacework lakera lalamove lambda_labs lambdalabs lambdatest lancedb langchain_api langfuse langsmith
languagelayer larksuite lastfm lastpass launchdarkly lazada leadfeeder leakix leankit leanplum leantime leapsome learnworlds leaseweb lemonsqueezy lendflow
leonardo_ leonardoai lessannoying lexigram librenms lightstep line_channel line_notify linear_ linenotify lingohub lingyiwanwu linkding linked_in linkedin
linkpreview linkwarden linode liqpay liquidweb listmonk litellm liveagent livechat livecoinwatch livekit livepeer livestorm llama_cloud llama_parse llamacloud
llamaparse loadmill lob_ locationiq locize logdna loggly logic_monitor logicmonitor loginradius logit.io logitio logrocket logtail logz lokalise looker loopia
loqate loyverse luadns luma_ lumaai lumigo lunarcrush lunch_money lunchmoney luno lusha_ m3o_ m_pesa madkudu magento_ magic_eden magicbell magiceden
mailboxlayer mailchimp mailcow mailerlite mailersend mailgun mailjet mailmodo mailpace mailsac mailshake mailtrap mailu_ malshare malware_bazaar malwarebazaar
mandrill mapbox mapquest maptiler marketaux marketo marketstack marqo marvel_ marvelapi mastodon matillion matomo mattermost mautic mavenlink maxmind mealie
meaningcloud mediastack meili_ meilisearch meistertask memcachier memsource meraki mercadolibre mercadopago mercury_ mergify mesibo messagebird messagemedia
messari met_office metaapi metabase meteoblue meteomatics meteosource meteostat metoffice metrilo mexc_ mezmo microsoft midise midtrans mikrotik milvus
mindmeister miniflux minimax_api minimaxi miro_ misskey mistral mixcloud mixedbread mixmax mixpanel mockaroo modelscope moderation modoboa modulr moengage
moesif mojohelpdesk mollie monday_ mongodb_ monkeylearn monnify moodle_ moogsoft moonclerk moonpay moonscan moonshot_ moosend moralis mouseflow moyasar mpesa
mrticktock msg91 mulesoft murf_ musixmatch mux_ myexperiment myfatoorah myget_ myintervals n8n_ nagios namecheap namesilo nansen_ nasa_ nasdaq_data
nasdaqdatalink nautobot naver_ navitia nearlyfreespeech nebius neon_ neptune_api netatmo netbird netbox netcore netcup netdata_ nethunt netlas netlify netnut
netsuite networksolutions neutrino_api neutrinoapi new_relic newrelic newsapi newscatcher newsdata nexmo nextcloud nftport ngc_api ngc_cli ngrok nhncloud
nicehash nicereply nightfall nitro_ njalla nlp_cloud nlpcloud noaa_ nocodb nodebb nodeping nodered nordigen northflank noticeable notion_ noun_project
nounproject novita nownodes nowpayments nozbe npm_token nscale_ ntfy_ nubela nuget_ numverify nutritionix nuvemshop nvd_api nvidia nylas nytimes nzbget oanda
ocr.space ocr_space ocrspace octo_ai octoai octoprint octopus_ octopusdeploy odds_api oddsapi odoo_ ohdear okex okta okx olark_ omdb_ omdbapi omnisend onbuka
onedesk onedrive onelogin onepagecrm onesignal onfleet onlyoffice ontraport onwater onyphe oopspam openai openaq opencage opencart opencorporates opencti
opencve opendatasoft openfec opengraph.io opengraphio opengraphr openhab openmeter opennode openpay openproject openroute opensea opensecrets openuv
openweather opnsense opsgenie optidash optimizely oracle_ osticket otx_ oura_ outlook overseerr ovh_ owlbot owncloud oxylabs oysterhr ozon_ ozonetel
packagecloud packagist paddle_ pagarme page2images pagerduty pagertree pagseguro pandadoc pandascore paperform papermerge paperspace papertrail papyrs
parallel_dots paralleldots parasail_ pardot parse.ly parsehub partnerstack passbase passbolt passivetotal pastebin paychex paydirt payloadcms paylocity
paymaya paymo payoneer paypal paysafe paystack paytabs paytm paytr_ payu_ pdflayer pdfmyurl pdfshift peakon peertube pendo people_data_labs peopledatalabs
pepipost percy perplexity persona_ personio pesapal pexels pfsense phabricator phantombuster phoenixnap phonepe photoprism photoroom phpipam phrase_ pi_hole
pihole pinata pinecone pingdom pinterest pipedream pipedrive pirateweather pitchbook pivotal_tracker pixabay plaid planetscale planhat planview planyo
plasmic_ platform_sh platformsh play_ht pleo_ pleroma plivo pocketbase podio poeditor pollsapi poloniex polygon porkbun portainer positionstack postageapp
posthog postman postmark powerschool powrbot practitest predibase prestashop printfection printful printify prisma_ prismacloud prismic private_ai privateai
probely process_street prodpad profitwell promptlayer propublica prospect.io prospectcrm prospectio protocols.io protocolsio prowlarr proxmox proxycheck
proxycrawl proxycurl przelewy24 psono_ pubnub pulsedive pulumi purestake purolator purpleair pushbullet pusher pushover pushpad pushwoosh qbittorrent qdrant
qianfan qiita qiniu qiwi_ qnap_ qonto qovery qtest_ quake360 qualaroo qualtrics qualys quandl quay.io quay_ qubole questdb quickbase quickbooks quickmetrics
quicknode rabbitmq_ rackspace radar_io radarr rakuten_ rancher rapid7 rapidapi ravelin ravenhq rawg.io rawg_ raygun razorpay rcodezero reachmail readme_
reallysimplesystems reamaze rebrandly recaptcha rechargepayments recorded_future recordedfuture recruitee recurly redbooth reddit redisgreen redislabs redmine
redpanda_ refiner refinitiv reg.ru regru regulations.gov remove.bg remove_bg removebg rentman repairshopr replicate reply.io replyio requesty resemble_ai
resembleai resend responsys restpack retool_ rev.ai rev_ai revampcrm revenuecat revolut rimuhosting ringcentral riot_ riotgames rippling_ riskiq robinhood
roboflow robokassa rocket.chat rocket_chat rocketchat rocketreach rockset rollbar roninapp route4me routee_ routific royal_mail royalmail rubygems rudderstack
rundeck runpod runrunit runscope runwayml sabnzbd sakura_cloud sakuracloud saleor_ salesblink salescookie salesflare salesforce salesloft salesmate salt_edge
saltedge sam.gov sambanova samsara santiment satismeter sauce_ saucelabs scaleserp scaleway scalingo scalr scalyr scamalytics schoology schwab_ sciencelogic
scout_apm scoutapm scrapeowl scraperapi scraperbox scrapersite scrapestack scrapfly scrapingant scrapingbee scrapingdog scrapingfish scrapinghub screenshotapi
screenshotlayer scrutinizer-ci scrutinizerci scylladb seafile searchly searchspring seatable securitytrails seeweb segment_ segmind selectel selectpdf
semaphore sematext semgrep semrush sendbird sendcloud sendgrid sendinblue sendoso sendpulse sentiment sentinelone sentry serpapi serper serphouse serply
serpstack serpstat serpwow serverless_ sezzle shazam sheety sherpadesk shift4 shipbob shipday shipengine shipmonk shippable_ shippo shipstation shlink shodan
shopee shopify shopware shortcut_ shortpixel shotstack shutterstock sidekiq signalfx signalwire signaturit signl4 signupgenius signwell sigopt siliconflow
simfin similarweb simpleanalytics simplehash simplesat simplybook simplycom simplynoted simvoly sinch singlestore site24x7 siteground siteleaf skrapp
skybiometry skyscanner slack smartlead smartling smartlook smartproxy smartrecruiters smartsheet smartsuite smartystreets sms77 smsapi smsglobal smtp2go
smugmug snaplogic snipcart snipe_it snipeit snov.io snovio snowflake snowtrace snusbase snyk socket_security socketlabs solarwinds solve360 sonar sonatype
soniox sophos_ soundcloud sourcegraph sourcehut spacelift spamhaus sparkpost speechify speechmatics speechtext spendesk spinnaker_ split.io splitio splunk
spondyr spoonacular sportmonks sportradar sportsdata sportsmonk spotify spyfu spyse squadcast square_ squarespace squareup sslmate stabilityai stackexchange
stackhawk stackpath stadia_maps stadiamaps statsig statuscake statuspage statuspal steam_api steam_web steamapi stepfun stitchdata stockdata storecove
stormboard stormglass storyblok storychief strapi strava stream_api stripe stytch subscan sugester suitecrm sumo supabase supernotes supportbee surge_
surrealdb surveyanyplace surveybot surveymonkey surveysparrow survicate svix swiftype symbl.ai symbl_ synology sysdig t.ly tableau tailscale takeshape
talentlms talkjs tallyfy tap_payments tappayments tastytrade tautulli tavily tawk.to tawk_ taxjar teachable_ teamcity teamgate teamtailor teamviewer teamwork
technicalanalysis tefter telegram telesign teletype teller_ telnyx tencent tenderly_ tenor_ terraform_cloud terraformcloud testingbot testmo_ testrigor
text2data textlocal textmagic tfe_ tfl_ thawani thehive thesportsdb thingspeak thinkific thirdweb thousandeyes threatbook threatconnect threatcrowd threatfox
threatminer thunderforest thundra ticket_tailor ticketmaster tickettailor tidio tiendanube tiingo tiktok timecamp timekit timescaledb timeweb timezoneapi
tinify tinkoff tinybird tinypng tly_ tmetric todoist together_ toggl tokeet tokopedia tolgee tomorrow.io tomtom tooljet toyyibpay tpay_ trackingmore
tradestation tradier trafiklab trafikverket trakt transak transferwise transifex transip transitland transloadit transmitsms transportapi travelpayouts
travelport travis tray.io treasury_prime treasuryprime trello trend_micro trendmicro trendyol trilium trimble truelayer truenas tumblr turbosms turso tvdb_
twelvedata twilio twistlock twitch twitter tyntec typeform typesense typetalk uber_ uberduck ubidots uclassify udemy_ ultradns unifi_ unify unisender unleash
unraid unsplash unstructured_api upbit upcdatabase upcloud uplead uploadcare uproc upstash uptime_kuma uptimekuma uptimerobot uptrends upwave upyun
urbanairship urlbox urlhaus urlscan usajobs userflow userlike userstack usps_ vagrantcloud valueserp variomedia vast.ai vast_ai vastai vatlayer vault_
vaultwarden vbout vcenter_ vdocipher veeva velociraptor vendure veracode vercel verifone verimail veriphone versioneye viber_ victor_ops victorops viewneo
vikunja vimeo vinyldns virustotal visualcrossing voicegain volcengine volusion vonage voodoosms vouchery voyage_ voyageai vpnapi vtex_ vtiger vulndb vulners
vultr wakatime walkscore wallabag walmart_ wandb wayfair wayforpay wazuh weatherapi weatherbit weatherstack weaviate web3auth webengage webex webflow webiny
weblate webscraper webscraping.ai webscrapingai webshare websitepulse websupport wechat wedos weights_ wekan_ wenxin wepay what3words whatsapp whitebit
whitesource whoisxml whoxy wiki.js wikijs wildberries wistia wit_ai witai withings wiz_ wmata_ wolfram wonolo woocommerce woopra wordsapi workato workday
workos worksnaps workstack world4you worldcoinindex worldpay worldweather wpengine wrike writefreely writer_api wunderground xata xendit xero xignite xmatters
yandex yapily yelp yeswehack yookassa youneedabudget yourls yousign youtrack youtube yugabyte zabbix zalando zalo_ zammad zapier zeabur zendesk zenduty
zenefits zenkit zenrows zenscrape zenserp zeplin zerion_ zerobounce zerodha zerotier zhipu zigbee2mqtt zilliz zipbooks zipcode zitadel zoho zoneedit zonka
zonomi zoom_ zoomeye zoominfo zulip zuora zyte_ さくら 카카오
`

// shortProviders are names of services that are part of other words, so that
// they count only by themselves.
const shortProviders = `
ably adguard ai21 airbyte ankr anyrun aptible arize ashby atera audd bitgo blogger brex cartesia checkmk civo cloze codefactor dadata deel demio desec
directus dune dydx elks emby eppo findl flatio fofa fossa gandi getblock getstream gladia gnews gogs happi happo hass hibp ibkr ideogram igdb instatus inwx
ionos jawg juro kaiko keap kinsta lago leakcheck lemlist lemmy lepton lidarr logentries luminati mabl mexc miro misp moodle moov ncloud nhost nium noaa nscale
nsone ntfy nuki odoo ombi omdb omise oura ozon paperless pappers parsely parseur patreon phemex pixelfed playht pleo plex plunk portkey postcoder prefect prtg
qase qnap qtest quay rawg readarr revai ritekit rownd rytr sellfy shyft signable simplex sirv smooch sncf soax srht synack synthesia talend tatum tenable
testim testrail tidb tink tmdb tpay tvdb ucloud umami unifi unplugg upstage uptrace usps viber vtex vyte wekan wompi yext zaif zalo zyte
`

// wordProviders are names of services that are words, too, so that they count
// only beside a word for a secret.
const wordProviders = `
affinity allegro alpaca anaconda aruba atlas avail bamboo bandwidth besttime bonsai bunny canny chorus chromatic cicero clever clover cobalt comet cortex
courier crisp dandelion daytona deputy drip enigma envoy factorial fathom fireflies fireworks fountain genius getaddress gladly gong guru gusto harbor harness
hive_api honey_api humanity hyperbolic intruder kiwi lark lattice lever lightspeed loops magnetic manifest_api medusa mercury minimax moonshot morningstar
namely nexus nimble nomic nutshell onesky orca outreach pandora paper_trail parallel_ai pinnacle plausible podia privy radar railway ramp redox remote_com
resemble rippling roaring rosette sabre sanity sesame skylight streak swan taiga teachable tines twist unstructured vespa whoop wise woodpecker workable xray
zapper zephyr
`
