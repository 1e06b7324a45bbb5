# flakeid on the official image, and as an extension image for CloudNativePG.
#
#   docker build -t postgres-flakeid .
#   docker build -t flakeid-image --target cloudnative-pg .
#
# --build-arg PG_MAJOR=17 --build-arg SUITE=bookworm: on postgres:17-bookworm.  The
# second image contains only /lib and /share, to be mounted as an image volume
# (PostgreSQL 18 and later, .spec.postgresql.extensions of a Cluster): the
# operator adds them to dynamic_library_path and extension_control_path.  Build it
# for the major and the suite of the Cluster's own image.
#
# ci/machines builds both, and runs servers from them.

ARG PG_MAJOR=18
ARG SUITE=trixie

# PG_MAJOR is in the environment of the official image, too.
FROM postgres:${PG_MAJOR}-${SUITE} AS build
RUN apt-get update && apt-get install -y --no-install-recommends \
	gcc libc6-dev make "postgresql-server-dev-$PG_MAJOR"
COPY . /usr/src/flakeid
WORKDIR /usr/src/flakeid
ENV PG_CONFIG=/usr/lib/postgresql/$PG_MAJOR/bin/pg_config
RUN make with_llvm=no && make with_llvm=no install DESTDIR=/out \
	&& strip --strip-unneeded "/out$("$PG_CONFIG" --pkglibdir)/flakeid.so" \
	&& rm -r "/out$("$PG_CONFIG" --sharedir)/flakeid" \
	&& mkdir -p /image/share \
	&& cp -r "/out$("$PG_CONFIG" --sharedir)/extension" /image/share/ \
	&& cp -r "/out$("$PG_CONFIG" --pkglibdir)" /image/lib

FROM scratch AS cloudnative-pg
COPY --from=build /image/ /

FROM postgres:${PG_MAJOR}-${SUITE}
COPY --from=build /out/ /
