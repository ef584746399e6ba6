# Needs make, git and Python 3.11 or newer; everything else is installed into .venv.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
STAMP := $(VENV)/.installed
PIP := $(RUN) -m pip -qq --disable-pip-version-check
UV_VERSION := 0.13.9

# An environment made by another Python, or copied here from another folder, is made anew.
MADE_FROM := $(CURDIR) $(shell "$(PYTHON)" --version 2>/dev/null)
ifneq ($(shell cat $(STAMP) 2>/dev/null),$(MADE_FROM))
.PHONY: $(STAMP)
endif

.DEFAULT_GOAL := help
.PHONY: help demo test lint bench validity figures e2e lock clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## /{printf "make %-8s %s\n", $$1, $$2}' Makefile

demo: $(STAMP) ## score, review and report on the example marketplace, and grade evals, into demo-output/
	@$(RUN) scripts/demo.py

# pytest keeps the test files that it has rewritten; each worker would take 8 s to do it again.
test: lint ## check style, types and workflows, then run every test
	@echo "== pytest"
	@PYTHONDONTWRITEBYTECODE= $(RUN) -m pytest --numprocesses=auto --dist=loadfile --no-loadscope-reorder

lint: $(STAMP) ## check style, types and workflows only
	@echo "== ruff check"
	@$(RUN) -m ruff check .
	@echo "== ruff format --check"
	@$(RUN) -m ruff format --check .
	@echo "== mypy"
	@$(RUN) -m mypy
	@echo "== actionlint"
	@$(VENV)/bin/actionlint -shellcheck= -pyflakes= .github/workflows/*.yml
	@echo "== zizmor"
	@$(VENV)/bin/zizmor --quiet --offline --no-progress --strict-collection --persona auditor .

bench: $(STAMP) ## measure time and memory
	@$(RUN) scripts/bench.py
	@$(RUN) scripts/bench_report.py

validity: $(STAMP) ## count again how often flags are right, on the marketplaces of docs/validity.md
	@$(RUN) scripts/validity.py

figures: $(STAMP) ## measure the layers that ask models, on simulated ones (some minutes)
	@$(RUN) scripts/model_figures.py
	@$(RUN) scripts/certify_figures.py
	@$(RUN) scripts/compare_figures.py

# Not $(STAMP): a dependency that was just added cannot be installed before it is locked.
lock: ## write both lock files, keeping versions that fit; UPGRADE=1 takes the newest
	@test -x $(RUN) || "$(PYTHON)" -m venv $(VENV)
	@$(PIP) install uv==$(UV_VERSION)
	@$(LOCK) --output-file requirements.lock
	@$(LOCK) --extra dev --constraints requirements.lock --output-file requirements-dev.lock

LOCK := $(RUN) -m uv pip compile pyproject.toml --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate \
	$(if $(UPGRADE),--upgrade)

e2e: $(STAMP) ## build the image and run it in a workflow, against a GitHub on this machine (Debian, root)
	@scripts/e2e.sh

clean: ## remove everything that make made
	rm -rf $(VENV) build dist demo-output .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMP): requirements-dev.lock pyproject.toml
	@command -v "$(PYTHON)" >/dev/null || { \
		echo "$(PYTHON) is not installed. Install Python 3.11 or newer, or name it:" \
			"make PYTHON=python3.12" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "$$("$(PYTHON)" --version 2>&1) is too old; Python 3.11 or newer is needed." \
			"Name one: make PYTHON=python3.12" >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) has no venv and ensurepip." \
			"On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@echo "== installing into $(VENV)"
	@test "$$(cat $@ 2>/dev/null)" = "$(MADE_FROM)" || "$(PYTHON)" -m venv --clear $(VENV)
	@$(PIP) install --require-hashes --requirement requirements-dev.lock
	@$(PIP) install --no-build-isolation --no-deps --editable .
	@$(PIP) check
	@$(RUN) -m compileall -q plugineval_action
	@echo "$(MADE_FROM)" > $@
