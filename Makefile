# `make` lists the targets. This file sets the versions of the tools.

GOLANGCI_LINT = v2.15.0
REDOCLY       = 2.77.0
GOVULNCHECK   = v1.8.0
OAPI_CODEGEN  = v2.8.2
GORELEASER    = v2.12.7
SYFT          = v1.38.0

# Nobody debugs the demo and the programs of tests: without DWARF and cgo they compile and link faster, and share the cache
# of the compiler. In GOFLAGS the flag reaches the program that the tests of faults build.
FAST = '-gcflags=all=-dwarf=false'

# The race detector runs in make check only: it doubles the processor time, and its build compiles the standard library
# and SQLite again. It skips what it makes many times slower and what shares no memory between goroutines: SQLite (C
# translated to Go), the codecs and the drawing of images, parsers of SQL, YAML and Go, regular expressions, and JSON
# schemas. A package that uses sync.Once, sync.Map or sync/atomic must not be skipped: the
# detector would report races that are none. checkptr, which -race turns on, finds no races.
SKIPPED = modernc.org/sqlite/lib modernc.org/libc/... modernc.org/memory image/... compress/... golang.org/x/image/vector \
	moothall/internal/platform/db/dialect github.com/oasdiff/... \
	github.com/santhosh-tekuri/jsonschema/... \
	go/ast go/parser go/printer go/scanner regexp text/tabwriter
RACE = -race '-gcflags=all=-d=checkptr=0 -dwarf=false' $(SKIPPED:%='-gcflags=%=-race=false -dwarf=false')

# Packages with tests. Go would also compile those without tests, like the generators with ogen.
TESTED = $(GO) list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./...

# Tests that take longest start first.
SLOW = ./internal/test/faults ./internal/test/browser ./internal/test/delivery ./internal/test/identity ./internal/test/meetup ./internal/test/ops ./internal/test/policy

GOTEST = $(GO) run ./internal/test/pgtest/withcluster $(GO) test -p 4 -parallel 6 -vet=off -ldflags='-s -w' -shuffle=on

GO       ?= go
FUZZTIME ?= 1m
VERSION  ?= 0.1.0

# The programs that pack a release.
PACKERS = bin/goreleaser-$(GORELEASER) bin/syft-$(SYFT)

.DEFAULT_GOAL := help

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

run test long: export CGO_ENABLED := 0
run test long: export GOFLAGS := $(GOFLAGS) $(FAST)

run: ## serve on http://127.0.0.1:8080 with demo users and events (needs only Go)
	$(GO) run ./cmd/moothall serve --demo

test race long: export GOGC ?= 400

test: ## every test, on SQLite and PostgreSQL; installs what is missing
	scripts/needs.sh
	tested=$$($(TESTED)) && $(GOTEST) -timeout 20m $(SLOW) $$tested

race: export GOFLAGS := $(GOFLAGS) $(RACE)
race: export CGO_ENABLED := 1
race: export GORACE ?= atexit_sleep_ms=100
race: ## every test under the race detector
	scripts/needs.sh race
	tested=$$($(TESTED)) && $(GOTEST) -timeout 40m $(SLOW) $$tested

long: ## the long form of every test, with the rules on both engines
	scripts/needs.sh
	scripts/long_tests.sh

check: lint race long $(PACKERS) ## everything: lint, tests, generated code and clients, fuzzing, a short benchmark, known vulnerabilities
	scripts/generated.sh
	OAPI_CODEGEN=$(OAPI_CODEGEN) scripts/clients.sh
	scripts/s3.sh
	scripts/calendar.sh
	scripts/recurrence.sh
	scripts/spreadsheet.sh
	scripts/mail.sh
	scripts/observability.sh
	scripts/web_speed.sh
	scripts/packages.sh $(PACKERS)
	scripts/fuzz.sh $(FUZZTIME)
	cd sdk/go && $(GO) test ./...
	cd bench && LONG_TESTS=1 $(GO) test -timeout 60m ./...
	cd bench && $(GO) run . --quick
	cd bench && $(GO) run . live --quick
	$(GO) run golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK) ./...

release: $(PACKERS) ## build the packages for all systems into dist/: always the same bytes for one commit
	scripts/release.sh $(PACKERS)

image: ## build the image for containers (needs Docker)
	docker build -f deploy/docker/Dockerfile -t moothall:$(VERSION) --build-arg VERSION=$(VERSION) --build-arg COMMIT=$$(git rev-parse HEAD) \
		--build-arg SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) .

generate: ## generate the server and the SDKs from the contract (needs npm), and the files of the web client
	$(GO) generate ./...
	cd sdk/typescript && npm ci --loglevel=error --ignore-scripts --no-audit --no-fund && npm run generate

basemap: ## build the map of the world again (needs the npm registry)
	cd tools/basemap && $(GO) run . ../../internal/web/basemap ../../internal/meetup/place

bench: ## compare the service with what this machine can do at best; write docs/benchmarks.md
	cd bench && $(GO) run . --markdown ../docs/benchmarks.md

pictures: ## draw the pages of the demo into docs/pictures
	scripts/needs.sh pictures
	mkdir -p docs/pictures
	PICTURES=$(CURDIR)/docs/pictures $(GO) test -count=1 -run TestPictures ./internal/test/browser

lint: lint-code ## the linters of the code and of the contracts (the latter needs npx)
	npx --yes @redocly/cli@$(REDOCLY) lint --config api/redocly.yaml api/openapi.yaml api/asyncapi.yaml

lint-code: bin/golangci-lint-$(GOLANGCI_LINT)
	$< run ./...
	cd sdk/go && ../../$< run ./...
	cd bench && ../$< run ./...

fmt: bin/golangci-lint-$(GOLANGCI_LINT) ## format the code
	$< fmt ./...

bin/golangci-lint-$(GOLANGCI_LINT):
	GOBIN=$(CURDIR)/bin $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT)
	mv bin/golangci-lint $@

bin/goreleaser-$(GORELEASER):
	GOBIN=$(CURDIR)/bin $(GO) install github.com/goreleaser/goreleaser/v2@$(GORELEASER)
	mv bin/goreleaser $@

bin/syft-$(SYFT):
	GOBIN=$(CURDIR)/bin $(GO) install -ldflags='-X main.version=$(SYFT)' github.com/anchore/syft/cmd/syft@$(SYFT)
	mv bin/syft $@

.PHONY: help run test race long check release image generate basemap bench pictures lint lint-code fmt
