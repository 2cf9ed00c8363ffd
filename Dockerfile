# One image for every role: ROLE=all (default), api or worker.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY sandbox/package.json ./sandbox/
RUN npm ci --omit=optional
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY sandbox/src ./sandbox/src
COPY migrations ./migrations
RUN npm run build:service
# The link to the sandbox would lead nowhere in the image: its compiled code is in dist.
RUN npm prune --omit=dev --omit=optional && rm -r node_modules/@mailroom

# With the optional packages: the bundler's binary is one of them.
FROM node:24-bookworm-slim AS web
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY sdk/package.json ./sdk/
COPY web/package.json ./web/
RUN npm ci --workspace sdk --workspace web
COPY sdk/src ./sdk/src
COPY web/index.html web/vite.config.ts ./web/
COPY web/build ./web/build
COPY web/public ./web/public
COPY web/src ./web/src
RUN npm run build:web

FROM node:24-bookworm-slim
# Packages that recognize the text of scans and images: tesseract-ocr, poppler-utils and one for each language.
ARG OCR_PACKAGES=""
# Data files of Outlook (PST, OST) are read with libpff, by a Python script.
RUN apt-get update \
  && apt-get install -y --no-install-recommends python3 libpff1 ${OCR_PACKAGES} \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
ENV PORT=3000
ENV DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=web /app/web/dist ./web/dist
# The code belongs to root and stays read-only to the service; only /data is its own.
RUN install -d -o node -g node -m 0750 /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/src/main.js"]
