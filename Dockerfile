# Written with care, but never run: there was no container engine where this was made.
FROM node:24-slim AS site
WORKDIR /tercet/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm ci --omit=dev
COPY web ./
RUN npm run build -- --outDir /site --emptyOutDir

FROM python:3.13-slim AS package
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /tercet
COPY pyproject.toml setup.py README.md LICENSE ./
COPY src ./src
COPY --from=site /site ./src/tercet/server/site
RUN pip wheel --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
COPY requirements/server.txt /tmp/server.txt
RUN pip install --no-cache-dir --require-hashes -r /tmp/server.txt
COPY --from=package /wheels /wheels
RUN pip install --no-cache-dir --no-deps /wheels/*.whl && useradd --create-home tercet && install -d -o tercet /data
USER tercet
ENV TERCET_HOST=0.0.0.0 TERCET_PORT=8000 TERCET_DATABASE=/data/tercet.db TERCET_LOG_JSON=true
VOLUME /data
EXPOSE 8000
HEALTHCHECK CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/health')"]
CMD ["tercet", "serve", "--no-browser"]
