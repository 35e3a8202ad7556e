# git ltm: 'make help' lists what can be made.

GO      ?= go
PREFIX  ?= /usr/local
BINDIR  ?= $(PREFIX)/bin
MANDIR  ?= $(PREFIX)/share/man/man1
FUZZTIME ?= 30s
STORM   ?= 300
MODEL   ?= 2000
FIRST   ?= $(shell date +%s)
KILLS   ?= 500
SOAK    ?= 10
CLIENTS_DIR ?= $(or $(XDG_CACHE_HOME),$(TMPDIR),/tmp)/git-ltm-clients

# All targets compile the same way, as releases do, so that one build cache serves them: without C, without HTTP/2,
# which pages on loopback do not need, and without the name of this folder.
export CGO_ENABLED ?= 0
export GOFLAGS += -trimpath -tags=nethttpomithttp2

.DEFAULT_GOAL := help
.PHONY: help build install demo test race clients script fuzz storm model kills soak nightly floods provenance worst bench bench-peers scale costs quality conformance cover lint fmt docs screenshots rules check targets portable packaging dist dist-check release-ready release

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 15

build: ## build bin/git-ltm and bin/git-ltm-hook
	$(GO) build -ldflags='-s -w' -o bin/ ./cmd/git-ltm ./cmd/git-ltm-hook

install: build ## install the programs and their manual pages below PREFIX
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)
	install -m 755 bin/git-ltm bin/git-ltm-hook $(DESTDIR)$(BINDIR)
	install -m 644 docs/man/*.1 $(DESTDIR)$(MANDIR)

demo: build ## save in one clone and resume in another, in a temporary folder
	@bin/git-ltm demo

# The programs of tests are short and small, so that collecting garbage later spares a tenth of what they compute. What
# they start does so as for users: the environments of tests are their own.
test: ## run every test ('make check' vets them)
	@GOGC=400 .ci/in-memory $(GO) test -vet=off -parallel 8 ./...

race: ## run every test with the race detector
	CGO_ENABLED=1 $(GO) test -race ./...

clients: ## run clients of models beside the program, from a folder that npm fills (CLIENTS=name for some tests)
	.ci/clients "$(CLIENTS_DIR)"
	LTM_TEST_CLIENTS="$(CLIENTS_DIR)" .ci/alone $(GO) test ./internal/clients -run '$(CLIENTS)' -count=1 -parallel 4 -v -timeout 20m

script: ## run the scenarios only (SCRIPT=name for one)
	$(GO) test ./cmd/git-ltm -run 'TestScript/$(SCRIPT)'

fuzz: ## run each fuzz target for FUZZTIME
	@sh .ci/fuzz $(FUZZTIME)

storm: ## save STORM times from each of twenty processes beside gc and pack-refs
	LTM_STORM=$(STORM) $(GO) test ./internal/refs -run 'besideGarbageCollection|killed' -count=1 -v -timeout 30m

model: ## compare MODEL random sequences, from number FIRST, with a model (LTM_MODEL_SEED=n runs one again)
	LTM_MODEL=$(MODEL) LTM_MODEL_FIRST=$(FIRST) $(GO) test ./internal/remote -run 'TestModel$$' -count=1 -v -timeout 120m

kills: ## kill KILLS running commands with signal 9
	LTM_KILLS=$(KILLS) $(GO) test ./internal/remote -run 'TestKill$$' -count=1 -v -timeout 60m

soak: ## let sixteen processes work on three clones for SOAK minutes, beside kills, gc, pack-refs and a full disk
	LTM_SOAK=$(SOAK) $(GO) test ./internal/remote -run 'TestSoak$$' -count=1 -v -timeout 90m

nightly: SOAK = 60
nightly: ## run an hour of soak, MODEL sequences, KILLS kills, the fuzzers and installed clients, and add a row of each to docs/nightly.md (PARTS="model kills" for some)
	@CLIENTS_DIR='$(CLIENTS_DIR)' SOAK='$(SOAK)' MODEL='$(MODEL)' KILLS='$(KILLS)' FUZZTIME='$(FUZZTIME)' PARTS='$(PARTS)' .ci/nightly docs/nightly.md

floods: ## plant 30,000 hostile events and 10,000 invalid records, and count what hooks cost then
	LTM_FLOODS=1 $(GO) test ./cmd/git-ltm -run 'TestFloods$$' -count=1 -v -timeout 60m

provenance: ## look for what strangers wrote in every output, for every level of trust, delivery and host, and for each secret of the canaries in every way
	LTM_TEST_PROVENANCE=all LTM_TEST_CANARY=all $(GO) test ./cmd/git-ltm -run 'TestProvenance$$|TestCanary$$' -count=1 -timeout 60m

worst: ## hold that no rule of the scanner costs more than its text is long, nor too much of it, each at its worst lines
	LTM_WORST_LINES=1 $(GO) test ./internal/redact -run 'worstGrowth|worstPlaces' -count=1 -v -timeout 60m

bench: ## measure every command beside plain git and write docs/benchmarks.md; print alone with any of RUN=name SIZES="1000 10000" STYLES="own strangers pulled" PROGRAM=file
	$(GO) run ./internal/bench $(if $(RUN)$(SIZES)$(STYLES)$(PROGRAM),-run '$(RUN)' $(if $(SIZES),-sizes '$(SIZES)') $(if $(STYLES),-styles '$(STYLES)') $(if $(PROGRAM),-program '$(PROGRAM)'),-write docs/benchmarks.md)

bench-peers: ## measure git-ltm beside git notes, MEMORY.md, sqlite3, gitleaks and a memory server, and write docs/peers.md (SIZES=100 for some)
	$(GO) run ./internal/bench -sizes "$(SIZES)" -write docs/peers.md peers

scale: ## measure a slice of the memory of a thousand writers, reckon a year of it, and write docs/scale.md (SIZES="5000 20000" for other slices)
	$(GO) run ./internal/bench -sizes "$(SIZES)" -write docs/scale.md scale

costs: ## count what every command does against docs/costs.md (SIZES="10 1000" STYLES=own for some; UPDATE=lower writes what became less, UPDATE=force what was measured)
	LTM_COSTS='all $(SIZES) $(STYLES)' $(GO) test ./internal/bench -run 'TestCosts$$' -count=1 -timeout 120m $(if $(UPDATE),-update=$(UPDATE))

quality: ## print how well is found what answers the questions of the collections, or of a fresh one in the folder SET
	$(GO) run ./internal/bench quality $(SET)

conformance: ## ask the program CMD the questions of testdata/conformance (CLASSES="reader writer" for some)
	LTM_CONFORMANCE='$(CMD)' LTM_CONFORMANCE_CLASSES='$(CLASSES)' $(GO) test ./internal/conformance -run '$(if $(CMD),TestProgram,TestConformance)' -count=1 -v

cover: ## print the coverage of each package
	$(GO) test -coverpkg=./... -coverprofile=coverage.out ./... && $(GO) tool cover -func=coverage.out | tail -n 1

lint: ## run golangci-lint
	golangci-lint run

fmt: ## format the code
	$(GO) run mvdan.cc/gofumpt@v0.12.0 -w cmd internal

docs: ## write the manual pages again
	rm -f docs/man/*.1
	$(GO) test -tags nethttpomithttp2,manpages ./cmd/git-ltm -run 'TestManPages|TestFirstMinutes' -update
	$(GO) test -tags nethttpomithttp2,manpages ./cmd/git-ltm -run TestDescriptions -update

screenshots: ## take the pictures of pages in docs again, with Chromium
	LTM_SCREENSHOTS=$(CURDIR)/docs $(GO) test ./internal/web -run TestScreenshots -count=1 -v

rules: ## write the index of the keywords of all rules again
	$(GO) test ./internal/redact -run TestKeywordIndex -update

check: ## what CI checks besides the tests
	@sh .ci/check

targets: ## vet and build for every system that a release has
	@sh packaging/targets

portable: ## run the tests of what depends on the system: files, paths, git and records
	$(GO) test ./internal/local ./internal/git ./internal/packet ./internal/program ./internal/version

packaging: ## check the configuration of releases, and that two folders give the same programs
	cd packaging && $(GO) test ./...

dist: ## build twice all that a release holds, from HEAD, compare the bytes and leave them in dist; publishes nothing
	@sh packaging/dist

dist-check: ## check what 'make dist' left: packages, formula, PKGBUILD, flake, install script
	@sh packaging/dist-check

release-ready: ## refuse while an owner, a maintainer or an address in packaging/owner is not set
	@sh packaging/owner-check

release: release-ready ## publish a draft of the release that the tag of HEAD names; the workflow does it
	@sh packaging/publish
