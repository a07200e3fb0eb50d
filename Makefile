PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PEERS := .venv-peers
# Twice quiet: no warnings of package mirrors, errors still shown.
PIP_INSTALL := -m pip install -qq --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help run test check format bench bench-peers soak clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

run: $(READY) ## Evaluate the quickstart and print its table
	$(BIN)/ragproof-ray run -c configs/quickstart/ragproof.yaml

test: $(READY) ## Run the whole test suite
	$(BIN)/pytest

check: $(READY) ## Format, lint, types and architecture
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest -q tests/test_architecture.py

format: $(READY) ## Format the code and mend what the linter can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY) ## Measure speed; writes docs/performance.md and scaling.md
	$(BIN)/python tests/benchmarks/run.py
	$(BIN)/python tests/benchmarks/scaling.py

bench-peers: $(PEERS)/.ready ## Install what `bench` compares with

soak: $(READY) ## Hit runs with random kills for ten minutes (SOAK_SECONDS, SOAK_SEED)
	$(BIN)/pytest -q tests/faults/soak.py

clean: ## Remove the environments and what runs left here
	rm -rf $(VENV) $(PEERS) .ragproof .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(READY): pyproject.toml constraints.txt
	@echo "preparing $(VENV), about a minute the first time"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python $(PIP_INSTALL) -c constraints.txt -e '.[dev,quickstart]'
	@touch $@

$(PEERS)/.ready: Makefile
	@echo "preparing $(PEERS)"
	@$(PYTHON) -m venv $(PEERS)
	@$(PEERS)/bin/python $(PIP_INSTALL) ragproof==1.0.0
	@touch $@
