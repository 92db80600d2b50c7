# cadre: what runs, as an unprivileged user.   azurite: the storage emulator of docker-compose.yml.
#
#   docker build --target cadre --tag cadre .
#   docker run --publish 127.0.0.1:3000:3000 --volume cadre-data:/data cadre        everything embedded, in one container

FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No package of ours needs its install script: the SQLite driver brings its binaries along.
RUN npm ci --ignore-scripts

FROM dependencies AS build
COPY . .
RUN npm run build

FROM node:24-slim AS production-dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts

FROM dependencies AS azurite
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 10000
CMD ["node", "node_modules/azurite/dist/src/blob/main.js", "--blobHost", "0.0.0.0", "--blobPort", "10000", "--location", "/data", "--disableProductStyleUrl", "--skipApiVersionCheck", "--disableTelemetry", "--silent"]

# Last, so that it is the default target.
FROM node:24-slim AS cadre
# Names under which clients reach a published port. The address of the container is not reachable from everywhere.
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data CADRE_HTTP_ALLOWED_HOSTS=localhost,127.0.0.1
WORKDIR /app
RUN mkdir -m 700 /data && chown node:node /data
COPY package.json LICENSE README.md ./
COPY config/*.json config/
COPY locales/*.json locales/
COPY --from=production-dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
USER node
EXPOSE 3000
CMD ["node", "dist/main.js"]
