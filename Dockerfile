# One image for all parts; the command selects one. `npm run check` reads what it would hold.
FROM node:24.18.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN PRISMA_SCHEMA_ENGINE_BINARY=/app/package.json npm ci --include=dev
COPY . .
RUN npm run build

# No package needs its install script here: bcrypt brings its binaries.
FROM node:24.18.0-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM node:24.18.0-bookworm-slim
# Nothing is installed in a running container.
RUN rm -rf /usr/local/lib/node_modules /opt/yarn-* /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack
# The heap's limit: see libs/platform/process/node-flags.ts.
ENV NODE_ENV=production HOST=0.0.0.0 NODE_OPTIONS="--max-old-space-size=128 --max-semi-space-size=24" MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
COPY prisma prisma
# A new volume takes its owner from here.
RUN install -d -o 1000 -g 1000 -m 700 /exports
# The files belong to root, and the process can change none of them.
USER 1000:1000
EXPOSE 3000 3001
CMD ["node", "dist/apps/api/main.js"]
