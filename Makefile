# What a developer types. Each target does its own set-up; all it asks of the machine is Node 20.11 or newer, npm and make.
.DEFAULT_GOAL := help
.PHONY: help demo test test-fast test-programs check policy-test day conformance e2e tools faults fuzz fuzz-bash bench build opa notice sbom release clean setup packages node
MAKEFLAGS += --no-print-directory

SOURCES := $(shell find src policies scripts package.json opa/opa.wasm.br -type f 2>/dev/null)
BUILT := node_modules/.cache/modes/built

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

demo: $(BUILT) ## play the TDD example through the real hook and socket, call by call
	@node scripts/demo.mjs

test: $(BUILT) ## unit tests, or those in TESTS
	@node_modules/.bin/vitest run $(or $(TESTS),--project '!programs')

test-programs: $(BUILT) ## the tests that start the programs: command line, servers, hooks, compiler
	@node_modules/.bin/vitest run --project programs $(TESTS)

test-fast: $(BUILT) ## the unit tests of rules, facts and decisions, in less than a minute
	@node_modules/.bin/vitest run --project fast $(TESTS)

check: packages ## types, lint, import directions, unused code, dist/, notice, plugin files
	@node scripts/check.mjs $(STEPS)

policy-test: $(BUILT) ## the policies' own tests, through the compiled WASM
	@node scripts/policy-test.mjs

day: $(BUILT) ## replay the calls of a working day over the presets
	@node scripts/day.mjs $(FILE)

conformance: $(BUILT) ## compare the policy with a stock OPA (builds one with Go, outside of the project)
	@node scripts/conformance.mjs $(if $(N),--runs $(N))

e2e: $(BUILT) ## the plugin in the real client, with a scripted model
	@node_modules/.bin/vitest run --config vitest.e2e.config.ts $(TESTS)

tools: packages ## list tools, hook events and settings keys of an installed CLIENT that are not known here
	@node scripts/client-surface.mjs $(CLIENT)

faults: $(BUILT) ## break everything in the real client, kill writers, load the server; writes docs/reliability.md (PARTS="faults state load", KILLS, SEED, DECISIONS)
	@node scripts/faults.mjs $(PARTS)

fuzz: $(BUILT) ## give N texts each, from SEED, to TARGETS of: bash config events reads rules sequences socket
	@node scripts/fuzz.mjs $(or $(N),100000) $(SEED) $(TARGETS)

fuzz-bash: packages ## run N random commands that are called read-only, from SEED, and see that nothing changes
	@node scripts/fuzz-bash.mjs $(or $(N),2000) $(SEED)

bench: $(BUILT) ## measure what is budgeted, as ratios of one run; writes docs/benchmarks.md (ROWS="client start tokens" in the real client, JSON=1, WRITE=1, TURNS, CALLS)
	@node scripts/bench.mjs $(if $(JSON),--json) $(if $(WRITE),--write) $(if $(TURNS),--turns $(TURNS)) $(if $(CALLS),--calls $(CALLS)) $(ROWS)

build: packages ## rebuild dist/ (it is committed)
	@node scripts/build.mjs
	@mkdir -p $(dir $(BUILT)) && touch $(BUILT)

opa: node ## rebuild the Rego compiler from opa/ (needs Go)
	@bash scripts/opa-build.sh

notice: packages ## rewrite NOTICE from what is bundled
	@node scripts/notice.mjs

sbom: packages ## rewrite sbom.cdx.json from what is bundled
	@node scripts/sbom.mjs

release: packages ## everything that must hold before this version is published, then its archive in build/ (docs/releasing.md)
	@node scripts/check-release.mjs --release
	@$(MAKE) check test test-programs policy-test conformance e2e
	@bash scripts/opa-build.sh --check
	@mkdir -p build && npm pack --ignore-scripts --loglevel=error --pack-destination build && sha256sum build/*.tgz

clean: ## remove what is installed, cached and measured (dist/ is committed and stays)
	@rm -rf node_modules .cache coverage build opa/opa.wasm

setup: packages ## install the packages, and offer a git hook that checks commit subjects
	@node scripts/commit-hook.mjs offer

# npm ci only when the lock is newer than what is installed.
packages: node_modules/.package-lock.json

node_modules/.package-lock.json: package-lock.json | node
	@echo 'installing the packages of package-lock.json …'
	@npm ci --loglevel=error --no-audit --no-fund
	@touch $@

node:
	@command -v node npm >/dev/null || { echo 'Modes needs Node 20.11 or newer, and npm, on the PATH.' >&2; exit 1; }
	@node scripts/check-node.cjs

# dist/ is committed: a fresh clone runs from it as it is, and an edit rebuilds it.
$(BUILT): node_modules/.package-lock.json $(SOURCES)
	@if [ -e $@ ] || ! node scripts/build.mjs --present; then echo 'building dist/ …' && node scripts/build.mjs; fi
	@mkdir -p $(@D) && touch $@
