PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help run test check format bench clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

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

bench: $(READY) ## Measure speed; writes docs/performance.md
	$(BIN)/python tests/benchmarks/run.py

clean: ## Remove the environment and what runs left here
	rm -rf $(VENV) .ragproof .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,quickstart]'
	@touch $@
