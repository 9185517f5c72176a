# Every target puts in place what it needs, from Python 3.11 and pip up, and the second time does not.
# make clean takes it all away again.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: long help play terminal test check bench frames web dist protocol pictures docs lock clean browser web-tests

export UV_PYTHON_DOWNLOADS := never
unexport PYTHONHOME PYTHONPATH VIRTUAL_ENV
# Compiled once, not by every process again: a server takes a second of processor time to start instead of four.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
PY := $(BIN)/python
UV := $(PY) -m uv
# The stamps carry the folder's name: a folder that was moved or copied installs itself again.
STAMPS := .venv/stamps-$(shell pwd | cksum | cut -d' ' -f1)
PACKAGE := $(STAMPS)/package $(STAMPS)/kernel
SITE := src/tercet/server/site/index.html
ARGS :=
# Much of the time such a test waits: for a clock, a database, a browser. So two cores have three workers.
WORKERS = $$(($$(getconf _NPROCESSORS_ONLN) * 3 / 2))

# What a target stands on is put in place first, side by side, by a make below this one; goals come one after the other.
ifndef TOGETHER
.NOTPARALLEL:
endif
ready = @DONE=$$(mktemp); export DONE; trap 'rm -f "$$DONE"' EXIT; \
    STEPS=$$($(MAKE) -n TOGETHER='$(1)' $(1) | grep -c requirements/step.sh) \
    $(MAKE) -s -j4 TOGETHER='$(1)' $(1)
step = @sh requirements/step.sh '$(1)' '$(2)'

quietly = { $(1); } >$(STAMPS)/log 2>&1 || { cat $(STAMPS)/log; exit 1; }

help: ## Say what there is
	@echo 'make play   the games in your browser: serves the site and opens it'
	@echo 'make terminal   a game against bots, in the terminal'
	@echo 'make test   every test but the long ones, and the coverage of the core'
	@echo 'make long   the long ones: fifty crashes, a thousand races, the ladder of bots'
	@echo 'make check  format, lint, types and the fast tests of the core: under a minute'
	@echo 'make bench  how fast the hot loops are'
	@echo 'make frames   how smoothly the site moves on a slow device'
	@echo 'make web    the site, into src/tercet/server/site'
	@echo 'make dist   a wheel and an sdist, into dist/, with the site in them'
	@echo 'make protocol   the types of the site, docs/protocol.md and the budgets in docs/hosting.md, from the server'
	@echo 'make pictures   the pictures of the site, into docs/images'
	@echo 'make docs   the documentation, into site/'
	@echo 'make lock   write requirements/*.txt again (UPGRADE=1 takes newer versions)'
	@echo 'make clean  remove everything that make made'

play:
	$(call ready,$(STAMPS)/server.layer $(PACKAGE) $(SITE))
	@$(BIN)/tercet serve $(ARGS)

terminal:
	$(call ready,$(STAMPS)/runtime.layer $(PACKAGE))
	@$(BIN)/tercet play $(ARGS)

test:
	$(call ready,$(STAMPS)/dev.layer $(STAMPS)/docs.layer $(PACKAGE) $(SITE) web-tests browser)
	@echo 'How much of the core its quick tests reach'
	@$(call quietly,$(PY) -m pytest -n auto -m core --cov --cov-report=term src tests/core)
	@tail -n 1 $(STAMPS)/log
	@echo 'Everything else'
	@$(PY) -m pytest -n $(WORKERS) $(if $(ARGS),-m 'not long' $(ARGS),-m 'not core and not long' tests)

long:
	$(call ready,$(STAMPS)/dev.layer $(PACKAGE) $(SITE) web-tests browser)
	@$(PY) -m pytest -n0 -m long -s tests $(ARGS)

check:
	$(call ready,$(STAMPS)/dev.layer $(PACKAGE))
	@echo 'Format'
	@$(PY) -m ruff format --check --quiet . || { echo 'Mend it with: $(BIN)/ruff format .'; exit 1; }
	@echo 'Lint'
	@$(PY) -m ruff check --quiet .
	@echo 'Types'
	@$(PY) -m mypy --no-error-summary
	@echo 'Fast tests'
	@$(PY) -m pytest -q -n auto -m 'not slow and not long' src tests/core tests/test_rules_covered.py $(ARGS)

bench:
	$(call ready,$(STAMPS)/dev.layer $(PACKAGE))
	@$(PY) -m benchmarks $(ARGS)

frames:
	$(call ready,$(STAMPS)/dev.layer $(PACKAGE) $(SITE) browser)
	@$(PY) -m tests.web.frames $(ARGS)

web:
	$(call ready,$(SITE))

dist:
	$(call ready,$(STAMPS)/build.layer $(SITE))
	@echo 'Building the sdist, and the wheel from it'
	@rm -rf dist
	@$(call quietly,$(WITH_NODE) $(UV) build --python $(PY) --no-build-isolation --out-dir dist)
	@ls -sh dist | grep tercet

protocol:
	$(call ready,$(STAMPS)/server.layer $(PACKAGE))
	@$(PY) -m tercet.server.protocol.typescript > web/src/protocol.ts
	@$(PY) -m tercet.server.protocol.page > docs/protocol.md
	@$(PY) -m tercet.server.limits docs/hosting.md
	@$(PY) -m tercet.drawing.typescript > web/src/drawing/shapes.ts
	@$(PY) docs/refusals.py

pictures:
	$(call ready,$(STAMPS)/dev.layer $(PACKAGE) $(SITE) browser)
	@$(PY) -m tests.web.pictures $(ARGS)

docs:
	$(call ready,$(STAMPS)/docs.layer $(STAMPS)/package)
	@NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict --quiet
	@echo 'Open site/index.html'

lock:
	$(call ready,$(STAMPS)/build.layer)
	@for name in uv build runtime server dev docs node; do \
	    echo "Locking requirements/$$name.txt"; \
	    case $$name in \
	        build) given='-c requirements/uv.txt' ;; \
	        runtime) given='-c requirements/build.txt' ;; \
	        server) given='-c requirements/build.txt -c requirements/runtime.txt' ;; \
	        dev) given='-c requirements/build.txt -c requirements/server.txt' ;; \
	        docs) given='-c requirements/dev.txt' ;; \
	        *) given= ;; \
	    esac; \
	    UV_CUSTOM_COMPILE_COMMAND='make lock' $(UV) pip compile --quiet $(if $(UPGRADE),--upgrade) \
	        --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
	        $$given requirements/$$name.in -o requirements/$$name.txt || exit 1; \
	done

clean:
	@rm -rf .venv build dist site .cache .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@rm -rf src/*.egg-info src/tercet/kernel/*.so
	@rm -rf web/node_modules web/src/catalogue src/tercet/server/site
	@find src tests docs benchmarks -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true
	@echo 'Clean'

# --- what the targets stand on ---

# A Chromium for the tests of the site.
browser: $(STAMPS)/dev.layer
	@PY=$(PY) sh requirements/browser.sh

# The site, and what builds it.
WEB := $(wildcard web/*.*) $(shell find web/src web/messages web/public -type f -not -path 'web/src/catalogue/*')
MODULES := web/node_modules/.package-lock.json
WITH_NODE := PATH="$(CURDIR)/$(BIN):$$PATH"
$(SITE): $(WEB) $(MODULES)
	$(call step,Building the site,cd web && $(WITH_NODE) npm run build)
	@touch $@

$(MODULES): web/package-lock.json web/.npmrc | $(STAMPS)/node
	$(call step,Installing web/package-lock.json,cd web && $(WITH_NODE) npm ci --no-audit --no-fund $(OMIT))
	@touch $@

# Who plays needs nothing of what only tests the site; who tests afterwards has it installed again, whole.
web-tests: $(MODULES)
ifeq ($(filter web-tests,$(TOGETHER)),)
OMIT := --omit=dev
else ifeq ($(wildcard web/node_modules/vitest),)
.PHONY: $(MODULES)
endif

# Node 22 or newer with npm: the machine's own, else the one that comes as a Python wheel, in an environment of its own.
$(STAMPS)/node: requirements/node.txt requirements/node.sh | $(STAMPS)/build.layer
	$(call step,Looking for Node 22,PY=$(PY) sh requirements/node.sh)
	@touch $@

# The tools that install and build.
$(STAMPS)/build.layer: requirements/uv.txt requirements/build.txt requirements/bootstrap.sh
	$(call step,Making .venv and what installs and builds,PYTHON="$(PYTHON)" sh requirements/bootstrap.sh)
	@mkdir -p $(STAMPS)
	@touch $@

# A layer is one file of hashed requirements. The environment holds exactly the layers asked for, now and before;
# uv takes away everything else, and with it the link to this package, which is then laid again. Two layers that are
# installed side by side name the same files, so neither takes away what the other has just put there.
$(STAMPS)/%.layer: requirements/%.txt $(STAMPS)/build.layer
	$(call step,Installing requirements/$*.txt,$(sync) || { grep -q certificate $$LOG && UV_SYSTEM_CERTS=1 $(sync); })
	@touch $@

# uv brings its own certificates; behind a proxy that has others, the machine's own are tried.
sync = $(UV) pip sync --python $(PY) --require-hashes \
    $$(for layer in $* $(patsubst $(STAMPS)/%.layer,%,$(filter %.layer,$(TOGETHER))) $$(ls $(STAMPS) | sed -n "s/\.layer$$//p"); do echo requirements/$$layer.txt; done | sort -u)

$(STAMPS)/package: pyproject.toml setup.py $(filter %.layer,$(TOGETHER)) | $(STAMPS)/build.layer
	@$(call quietly,TERCET_KERNEL=plain $(UV) pip install --python $(PY) --offline \
	    --no-deps --no-build-isolation --editable .)
	@touch $@

# The kernel lies compiled beside its source, which Python then passes over: so no compiled file may be
# older than any source.
KERNEL := $(wildcard src/tercet/kernel/*.py src/tercet/kernel/*.pxd)
$(STAMPS)/kernel: setup.py $(KERNEL) $(STAMPS)/build.layer
	@rm -rf build/lib* build/temp* src/tercet/kernel/*.so
	$(call step,Compiling the kernel,$(PY) setup.py -q build_ext --inplace >&3)
	@ls src/tercet/kernel/*.so >/dev/null 2>&1 || \
	    echo '      The kernel cannot be compiled here: it runs as plain Python, slower'
	@touch $@
