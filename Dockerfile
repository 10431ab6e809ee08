# One image for all parts; the command selects one. It runs as an unprivileged user.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN PRISMA_SCHEMA_ENGINE_BINARY=/app/package.json npm ci --include=dev
COPY . .
RUN npm run build

FROM node:22-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM node:22-bookworm-slim
# The heap's limit: see libs/platform/process/node-flags.ts.
ENV NODE_ENV=production HOST=0.0.0.0 NODE_OPTIONS="--max-old-space-size=128 --max-semi-space-size=16" MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
COPY prisma prisma
USER node
EXPOSE 3000 3001
CMD ["node", "dist/apps/api/main.js"]
