# A small image with nothing in it but the program and what it links to, run by nobody in particular:
#   docker build -t tabia .
#   docker run --rm -p 127.0.0.1:7878:7878 -v tabia:/data tabia
FROM rust:1-slim-bookworm AS build
WORKDIR /source
COPY . .
# For every x86-64; `--build-arg CPU=x86-64-v3` is quicker on processors since 2013. On arm64 say CPU=generic.
ARG CPU=x86-64
RUN RUSTFLAGS="-C target-cpu=$CPU" cargo build --release --locked --package tabia-cli \
    && mkdir /data && chown 65532:65532 /data

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /source/target/release/tabia /usr/local/bin/tabia
COPY --from=build --chown=nonroot:nonroot /data /data
USER nonroot
ENV TABIA_CACHE=/data/cache
VOLUME /data
EXPOSE 7878
ENTRYPOINT ["/usr/local/bin/tabia"]
CMD ["serve", "--listen", "0.0.0.0:7878", "--book", "/data/book.redb"]
