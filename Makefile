# `make` lists the targets. This file sets the versions of the tools.

GOLANGCI_LINT = v2.15.0
REDOCLY       = 2.77.0
GOVULNCHECK   = v1.8.0
OAPI_CODEGEN  = v2.8.2

# The race detector skips what it makes many times slower and what shares no memory between
# goroutines: SQLite (C translated to Go), the codecs and the drawing of images, parsers of SQL, YAML
# and Go, regular expressions, the borders of time zones, and JSON schemas. A package that uses sync.Once,
# sync.Map or sync/atomic must not be skipped: the detector would report races that are none.
SKIPPED = modernc.org/sqlite/lib modernc.org/libc/... modernc.org/memory image/... compress/... golang.org/x/image/vector \
	moothall/internal/platform/artwork moothall/internal/platform/db/dialect github.com/oasdiff/... \
	github.com/santhosh-tekuri/jsonschema/... github.com/twpayne/go-polyline \
	go/ast go/parser go/printer go/scanner regexp text/tabwriter

# checkptr, which -race turns on, finds no races. Nobody debugs the programs: without DWARF they compile
# and link faster. In GOFLAGS the flags reach the program that faulttest builds.
RACE = -race '-gcflags=all=-d=checkptr=0 -dwarf=false' $(SKIPPED:%='-gcflags=%=-race=false -dwarf=false')

# Packages with tests. Go would also compile those without tests, like the generators with ogen.
TESTED = $(GO) list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./... moothall/sdk/go/...

# Tests that take longest start first.
SLOW = ./internal/test/faults ./internal/test/browser ./internal/test/policy ./internal/test/delivery ./internal/test/identity

GO       ?= go
FUZZTIME ?= 1m
VERSION  ?= 0.1.0

.DEFAULT_GOAL := help

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

run: ## serve on http://127.0.0.1:8080 with demo users and events (needs only Go)
	$(GO) run ./cmd/moothall serve --demo

test: export GOFLAGS := $(GOFLAGS) $(RACE)
test: export CGO_ENABLED := 1
test: export GOGC ?= 400
test: export GORACE ?= atexit_sleep_ms=100
test: ## every test, on SQLite and PostgreSQL, under the race detector; installs what is missing
	scripts/needs.sh
	tested=$$($(TESTED)) && $(GO) run ./internal/test/pgtest/withcluster $(GO) test -p 6 -parallel 4 -vet=off -ldflags='-s -w' -shuffle=on -timeout 20m $(SLOW) $$tested

check: lint test ## everything: test, lint, generated code and clients, long tests, fuzzing, a short benchmark, known vulnerabilities
	scripts/generated.sh
	OAPI_CODEGEN=$(OAPI_CODEGEN) scripts/clients.sh
	scripts/s3.sh
	scripts/calendar.sh
	scripts/mail.sh
	scripts/observability.sh
	scripts/web_speed.sh
	scripts/packages.sh
	scripts/long_tests.sh
	scripts/fuzz.sh $(FUZZTIME)
	$(GO) run ./cmd/moothall-bench --quick
	$(GO) run ./cmd/moothall-bench live --quick
	$(GO) run golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK) ./...

release: ## build the packages for all systems into dist/: always the same bytes for one commit
	cd tools/release && $(GO) run . -source ../.. -out ../../dist

image: ## build the image for containers (needs Docker)
	docker build -f deploy/docker/Dockerfile -t moothall:$(VERSION) --build-arg VERSION=$(VERSION) --build-arg COMMIT=$$(git rev-parse HEAD) \
		--build-arg SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) .

generate: ## generate the server and the SDKs from the contract (needs npm), and the files of the web client
	$(GO) generate ./...
	cd sdk/typescript && npm ci --loglevel=error --ignore-scripts --no-audit --no-fund && npm run generate

basemap: ## build the map of the world again (needs the npm registry)
	cd tools/basemap && $(GO) run . ../../internal/web/basemap

bench: ## compare the service with what this machine can do at best; write docs/benchmarks.md
	$(GO) run ./cmd/moothall-bench --markdown docs/benchmarks.md

pictures: ## draw the pages of the demo into docs/pictures
	scripts/needs.sh pictures
	mkdir -p docs/pictures
	PICTURES=$(CURDIR)/docs/pictures $(GO) test -count=1 -run TestPictures ./internal/test/browser

lint: lint-code ## the linters of the code and of the contracts (the latter needs npx)
	npx --yes @redocly/cli@$(REDOCLY) lint --config api/redocly.yaml api/openapi.yaml api/asyncapi.yaml

lint-code: bin/golangci-lint-$(GOLANGCI_LINT)
	$< run ./...
	cd sdk/go && ../../$< run ./...

fmt: bin/golangci-lint-$(GOLANGCI_LINT) ## format the code
	$< fmt ./...

bin/golangci-lint-$(GOLANGCI_LINT):
	GOBIN=$(CURDIR)/bin $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT)
	mv bin/golangci-lint $@

.PHONY: help run test check release image generate basemap bench pictures lint lint-code fmt
