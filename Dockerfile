# flakeid on the official image, and as an extension image for CloudNativePG.
#
# NOT RUN HERE: the project's own tests have no container engine.
#
#   docker build -t postgres-flakeid .
#   docker build -t flakeid-image --target cloudnative-pg .
#
# The second image contains only /lib and /share, to be mounted as an image
# volume (PostgreSQL 18 and later, .spec.postgresql.extensions of a Cluster):
# the operator adds them to dynamic_library_path and extension_control_path.

ARG PG_MAJOR=18
ARG SUITE=bookworm

FROM postgres:${PG_MAJOR}-${SUITE} AS build
RUN apt-get update && apt-get install -y --no-install-recommends \
	gcc libc6-dev make "postgresql-server-dev-$PG_MAJOR"
COPY . /usr/src/flakeid
WORKDIR /usr/src/flakeid
RUN make with_llvm=no && make with_llvm=no install DESTDIR=/out \
	&& mkdir -p /image/share \
	&& cp -r "/out$(pg_config --sharedir)/extension" /image/share/ \
	&& cp -r "/out$(pg_config --pkglibdir)" /image/lib

FROM scratch AS cloudnative-pg
COPY --from=build /image/ /

FROM postgres:${PG_MAJOR}-${SUITE}
COPY --from=build /out/ /
