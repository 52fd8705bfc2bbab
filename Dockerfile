# All of Hearth in one image. COMPONENTS selects the components that a container runs; by default it runs all of them.
FROM node:24-bookworm-slim AS build
RUN npm install --global --allow-scripts=bun bun@1.4.5
WORKDIR /src
COPY . .
RUN bun scripts/install.ts production
RUN bun scripts/build.ts
RUN mkdir -p image/data && cp -L "$(command -v bun)" image/bun

# This image has the C and C++ libraries, but no shell and no package manager.
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /src/image/bun /usr/local/bin/bun
COPY --from=build /src/dist /hearth
COPY --from=build /src/deploy/health.ts /hearth/health.ts
COPY --from=build --chown=65532:65532 /src/image/data /data
ENV HOST=0.0.0.0 DATA_DIR=/data
USER 65532:65532
# The instance file is read from this folder, and written at the first start, unless INSTANCE_CONF names another.
WORKDIR /data
VOLUME /data
# The port of the web client, which also serves the other components of the container.
EXPOSE 7162
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["bun", "/hearth/health.ts"]
ENTRYPOINT ["bun", "/hearth/hearth.js"]
CMD ["start"]
