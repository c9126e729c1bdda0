# syntax=docker/dockerfile:1
FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Nothing we use needs the install scripts of packages.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json main*.ts ./
COPY config ./config
COPY core ./core
COPY adapters ./adapters
COPY prompts ./prompts
COPY tools ./tools
COPY jobs ./jobs
COPY bot ./bot
COPY scripts/copy-assets.mjs scripts/doctor.ts scripts/backup.ts scripts/restore.ts scripts/person.ts scripts/majordomo-report.ts ./scripts/
COPY scripts/doctor ./scripts/doctor
COPY scripts/store ./scripts/store
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:20-bookworm-slim
# tini is process 1: it passes signals on and takes in orphans, which node does not.
# The distribution keeps one version at a time, so a pinned one would stop the build with its next security fix.
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends tini ca-certificates && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production LOG_FORMAT=json MAJORDOMO_DATA=/data MAJORDOMO_CONFIG=/config/majordomo.yaml
WORKDIR /app
COPY --from=build --chown=root:root /app/node_modules ./node_modules
COPY --from=build --chown=root:root /app/dist ./
RUN install -d -o node -g node -m 700 /data
# As numbers, since Kubernetes takes a name for a possible root; it is the image's user "node".
USER 1000:1000
VOLUME ["/data"]
EXPOSE 8750
# Alive is this process's own business; whether it is ready depends on others and is for the orchestrator to ask.
HEALTHCHECK --interval=15s --timeout=3s --start-period=30s --retries=3 \
	CMD ["node", "-e", "fetch('http://127.0.0.1:8750/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["tini", "--"]
CMD ["node", "--enable-source-maps", "main.js"]
